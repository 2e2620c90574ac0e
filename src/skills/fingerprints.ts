import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { feedFile, fingerprint } from "../base/index.ts";
import type { Skill } from "./skill.ts";
import { skillFiles } from "./skill-files.ts";

/** Of all cards, folder names and ids, whatever their order. */
export function libraryFingerprint(skills: readonly Skill[]): string {
  const cards = skills.map((skill) =>
    fingerprint({ id: skill.id, folder: basename(skill.dir), card: skill.card, invocable: skill.modelInvocable }),
  );
  return fingerprint(cards.sort());
}

/** Of everything a host may read before the skill is activated: frontmatter, folder name, the hosts' own files. */
export function skillFingerprint(skill: Skill): string {
  const { id, name, dir, card, frontmatter, reading } = skill;
  return fingerprint({ id, name, folder: basename(dir), card, frontmatter, openai: reading?.openai, bom: reading?.bom });
}

/** Of everything an examinee can read once the skill is activated: every file of the folder but its exam. */
export async function skillFilesFingerprint(skill: Skill): Promise<string> {
  const hash = createHash("sha256");
  for (const file of await skillFiles(skill)) {
    hash.update(`${file}\0`);
    const fed = feedFile(join(skill.dir, file), { within: skill.root ?? skill.dir }, (piece) => hash.update(piece));
    // A script that can be run is another one for an agent.
    hash.update(fed.status === "fed" && fed.executable ? "\0+x\0" : "\0");
  }
  return hash.digest("hex");
}
