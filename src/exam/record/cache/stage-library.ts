import { basename } from "node:path";
import { fingerprint } from "../../../base/index.ts";
import type { Library, Skill } from "../../../model/index.ts";
import { skillFilesFingerprint } from "../../find/index.ts";
import type { CachedSkill } from "./cache.ts";

export function stageLibrary(library: Library): Promise<CachedSkill[]> {
  return Promise.all(library.skills.map(stage));
}

async function stage(skill: Skill): Promise<CachedSkill> {
  const { id, name, dir, card, modelInvocable, reading } = skill;
  return {
    id,
    folder: basename(dir),
    frontmatter: shownFrontmatter(skill),
    hostFiles: fingerprint({ name, card, modelInvocable, openai: reading?.openai, bom: reading?.bom }),
    files: await skillFilesFingerprint(skill),
  };
}

/** The status of an eva prompt is not shown to examinees, and promotion changes it because of these very answers. */
function shownFrontmatter({ source, frontmatter }: Skill): Record<string, unknown> {
  if (source.kind !== "eva") return frontmatter;
  const { status: _, ...shown } = frontmatter;
  return shown;
}
