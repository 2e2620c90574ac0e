import { join, resolve } from "node:path";
import {
  feedFile,
  fingerprint,
  isSafeSegment,
  isWithin,
  kindAt,
  openRevision,
  ownFolder,
  type Revision,
  realPath,
  relativePosix,
  sha256,
  UsageError,
  writeFileIn,
} from "../../../base/index.ts";
import type { Ask, Library, Skill } from "../../../model/index.ts";
import { discover, findSkill, skillFiles } from "../../find/index.ts";

export interface Baseline {
  label: string;
  /** Other versions by skill id. Absent if cases are asked without their skill. */
  versions?: ReadonlyMap<string, { folder: string; fingerprint: string }>;
}

export const WITHOUT = "without the skill";

export function variantOf({ label, versions }: Baseline, skill: string): Ask["variant"] {
  if (versions === undefined) return { label };
  const version = versions.get(skill);
  return version && { label, ...version };
}

export function comparedId(question: string): string {
  return `${question}~baseline`;
}

interface BaselinePlace {
  cwd: string;
  home: string;
}

/** `said` is `without`, a folder with other versions of the skills, or a git revision. */
export async function findBaseline(
  said: string | undefined,
  library: Library,
  where: BaselinePlace,
): Promise<Baseline | undefined> {
  if (said === undefined) return undefined;
  if (said === "without") return { label: WITHOUT };
  const folder = resolve(where.cwd, said);
  const found = kindAt(folder) === "folder" ? await fromFolder(folder, library) : await fromRevision(said, library);
  if (found.size === 0)
    throw new UsageError(
      `--baseline ${said} has no other version of a skill of this library.`,
      "Give a folder with skills of the same names, or a git revision that has them; a path that chooses questions goes before --baseline.",
    );
  const versions = new Map(
    [...found].map(([id, files]) => [id, keep(files, id, { library, home: where.home })] as const),
  );
  return { label: `with ${said}`, versions };
}

type Files = readonly { path: string; content: Buffer; executable: boolean }[];

async function fromFolder(folder: string, library: Library): Promise<Map<string, Files>> {
  const { libraries } = await discover({ cwd: folder, root: folder });
  const found = new Map<string, Files>();
  for (const other of libraries.flatMap(({ skills }) => skills)) {
    const [own, ...more] = findSkill(library, other.name);
    if (own !== undefined && more.length === 0) found.set(own.id, await filesOf(other, folder));
  }
  return found;
}

async function filesOf(skill: Skill, within: string): Promise<Files> {
  return (await skillFiles(skill)).flatMap((path) => {
    const pieces: Buffer[] = [];
    const read = feedFile(join(skill.dir, path), { within, mostBytes: 64 * 1024 * 1024 }, (piece) =>
      pieces.push(Buffer.from(piece)),
    );
    return read.status === "fed" ? [{ path, content: Buffer.concat(pieces), executable: read.executable }] : [];
  });
}

async function fromRevision(name: string, library: Library): Promise<Map<string, Files>> {
  const revision = await openRevision(library.root, name).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(
      `--baseline ${name} is neither a folder nor a git revision. ${error.message}`,
      "Give a folder with the other version, or a commit, a branch or a tag; a path that chooses questions goes before --baseline.",
    );
  });
  try {
    const found = new Map<string, Files>();
    for (const skill of library.skills) {
      const files = await committedFiles(revision, skill);
      // The skill may be newer than the revision.
      if (files.some(({ path }) => path === relativePosix(skill.dir, skill.file))) found.set(skill.id, files);
    }
    return found;
  } finally {
    revision.close();
  }
}

/** Leaves out links and paths that could lead out of the skill's folder. */
async function committedFiles(revision: Revision, skill: Skill): Promise<Files> {
  const dir = realPath(skill.dir) ?? skill.dir;
  if (!isWithin(revision.worktree, dir)) return [];
  const inside = relativePosix(revision.worktree, dir);
  const start = inside === "" ? 0 : inside.length + 1;
  const entries = (await revision.list(inside)).filter(
    ({ kind, path }) => (kind === "file" || kind === "executable") && path.slice(start).split("/").every(isSafeSegment),
  );
  const files: { path: string; content: Buffer; executable: boolean }[] = [];
  await revision.read(entries, ({ path, kind }, content) =>
    files.push({ path: path.slice(start), content, executable: kind === "executable" }),
  );
  return files;
}

/**
 * Stores a version below `.proctor`, in a folder named by its fingerprint, from which trials copy it. The skill's own
 * evals and tests are left out.
 */
function keep(
  files: Files,
  id: string,
  { library, home }: { library: Library; home: string },
): { folder: string; fingerprint: string } {
  const staged = files.filter(({ path }) => !/^(?:evals?|tests?)\//.test(path));
  const print = fingerprint(staged.map(({ path, content, executable }) => [path, sha256(content), executable]));
  const skill = library.skills.find((one) => one.id === id);
  const name = skill === undefined ? id : relativePosix(resolve(skill.dir, ".."), skill.dir);
  const folder = ownFolder(home, "versions", print.slice(0, 16), name);
  for (const { path, content, executable } of staged)
    if (kindAt(join(folder, path), folder) !== "file")
      writeFileIn(join(folder, path), content, { within: folder, fresh: true, executable });
  return { folder, fingerprint: print };
}
