import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { feedFile, fingerprint } from "../../base/index.ts";
import type { Skill } from "../../model/index.ts";
import { skillFiles } from "./skill-files.ts";

export function libraryFingerprint(skills: readonly Skill[]): string {
  const cards = skills.map((skill) =>
    fingerprint({ id: skill.id, folder: basename(skill.dir), card: skill.card, invocable: skill.modelInvocable }),
  );
  return fingerprint(cards.sort());
}

/** Covers everything a host may read before activation. */
export function skillFingerprint(skill: Skill): string {
  const { id, name, dir, card, frontmatter, reading } = skill;
  return fingerprint({
    id,
    name,
    folder: basename(dir),
    card,
    frontmatter,
    openai: reading?.openai,
    bom: reading?.bom,
  });
}

/**
 * Covers everything an examinee can read after activation: all files of the folder except the exam. With `read`,
 * SKILL.md counts with the text its card was read from; with `now`, as it is on disk.
 */
export async function skillFilesFingerprint(skill: Skill, when: "read" | "now" = "read"): Promise<string> {
  const hash = createHash("sha256");
  for (const file of await skillFiles(skill)) {
    hash.update(`${file}\0`);
    const path = join(skill.dir, file);
    const isCard = path === skill.file;
    // Whether a script can be executed makes a difference to an agent.
    let isExecutable = false;
    if (when === "read" && isCard && skill.reading !== undefined) hash.update(skill.reading.text);
    else {
      const fed = feedFile(path, { within: skill.root ?? skill.dir }, (piece) => hash.update(piece));
      isExecutable = !isCard && fed.status === "fed" && fed.executable;
    }
    hash.update(isExecutable ? "\0+x\0" : "\0");
  }
  return hash.digest("hex");
}
