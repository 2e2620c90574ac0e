import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fingerprint } from "../base/index.ts";
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
    hash.update(contents(join(skill.dir, file)));
    hash.update(isExecutable(join(skill.dir, file)) ? "\0+x\0" : "\0");
  }
  return hash.digest("hex");
}

/** A script that can be run is another one for an agent. */
function isExecutable(file: string): boolean {
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0;
}

function contents(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    return new Uint8Array();
  }
}
