import { basename, dirname, join } from "node:path";
import { copyFileTo, isWithin, relativePosix, UsageError, writeFileIn } from "../../base/index.ts";
import type { Library, Skill } from "../../model/index.ts";
import { skillFiles } from "./skill-files.ts";

/** Every trial gets a copy, so a larger library is rejected. */
const MOST_BYTES = 4 * 1024 * 1024 * 1024;

/**
 * Copies the library as it is now, without its exam, so that all trials see the same files whatever is edited
 * meanwhile. SKILL.md gets the text that its card was read from.
 */
export async function copyLibrary(library: Library, into: string): Promise<Library> {
  const root = join(into, basename(library.root) || "library");
  const place = (path: string) => join(root, relativePosix(library.root, path));
  const copied = new Set<string>();
  let left = MOST_BYTES;
  const copy = async (skill: Skill): Promise<Skill> => {
    for (const name of await skillFiles(skill)) {
      const [from, to] = [join(skill.dir, name), place(join(skill.dir, name))];
      if (copied.has(to)) continue;
      copied.add(to);
      left -= copyOne(skill, { from, to, root: library.root });
      if (left < 0)
        throw new UsageError(
          `The files of the skills in ${library.root} come to more than ${MOST_BYTES / 1024 ** 3} GB, and every trial gets a copy of them.`,
          "Move what does not belong to a skill out of the skills' folders.",
        );
    }
    const { exam: _, ...rest } = skill;
    return { ...rest, root, dir: place(skill.dir), file: place(skill.file) };
  };
  // Inner skills first, so that an outer one does not copy their SKILL.md from disk.
  const inner = [...library.skills].sort((a, b) => b.dir.length - a.dir.length);
  const made = new Map<Skill, Skill>();
  for (const skill of inner) made.set(skill, await copy(skill));
  // `!`: every skill was copied above.
  return { ...library, root, copyOf: library.root, skills: library.skills.map((skill) => made.get(skill)!) };
}

function copyOne(skill: Skill, { from, to, root }: { from: string; to: string; root: string }): number {
  if (from === skill.file && skill.reading !== undefined) {
    writeFileIn(to, skill.reading.text, { fresh: true });
    return Buffer.byteLength(skill.reading.text);
  }
  const done = copyFileTo(from, to, { within: isWithin(root, from) ? root : dirname(from) });
  // A file deleted since it was listed is missing for the examinee too.
  return done.status === "copied" ? done.bytes : 0;
}
