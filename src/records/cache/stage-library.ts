import { basename } from "node:path";
import { fingerprint } from "../../base/index.ts";
import { type Library, type Skill, skillFilesFingerprint } from "../../skills/index.ts";
import type { CachedSkill } from "./cache.ts";

/** What about a library can change an answer. */
export function stageLibrary(library: Library): Promise<CachedSkill[]> {
  return Promise.all(library.skills.map(stage));
}

async function stage(skill: Skill): Promise<CachedSkill> {
  const { id, name, dir, card, frontmatter, modelInvocable, reading } = skill;
  return {
    id,
    folder: basename(dir),
    frontmatter,
    hostFiles: fingerprint({ name, card, modelInvocable, openai: reading?.openai, bom: reading?.bom }),
    files: await skillFilesFingerprint(skill),
  };
}
