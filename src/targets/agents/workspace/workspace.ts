import { copyFile, mkdir, mkdtemp, readdir, realpath, rename, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { relativePosix, safeSegment } from "../../../base/index.ts";
import { skillFiles } from "../../../exam/find/index.ts";
import { foldedPath, ownFileOf } from "../../../hosts/index.ts";
import { linesElsewhere, type SkillNaming, StagedSkills, stagedSkill } from "../../../hosts/reading/index.ts";
import type { Library, QuestionFile, Skill } from "../../../model/index.ts";
import { ownerState, ownName } from "../process/owner.ts";
import { killOver } from "../process/process-tree.ts";
import { possiblePlaces, workspacePlace } from "./clean-folder.ts";
import { keepFolder } from "./kept-workspaces.ts";
import type { ProjectContext } from "./project-context.ts";
import { removeTree, removeTreeSync } from "./remove-tree.ts";
import { textsBeside } from "./texts-beside.ts";

export interface Workspace {
  root: string;
  project: string;
  home: string;
  tmp: string;
  /** Marks the trial's processes; it is the folder's name, so that finding the folder means finding them. */
  marker: string;
  staged: StagedSkills;
  dispose(): Promise<void>;
}

/** A skill and its files to copy: not its exam, no nested skill, nothing a link brings in from elsewhere. */
export interface StageableSkill {
  skill: Skill;
  files: string[];
}

export interface WorkspaceRequest {
  skills: readonly StageableSkill[];
  skillsDir: string;
  naming?: SkillNaming | undefined;
  files: readonly QuestionFile[];
  /** The project's instructions; we read the files ourselves, so their paths are safe. */
  context?: ProjectContext | undefined;
  keep: boolean;
  /** Defaults to a folder with no host's files above it. */
  place?: string;
}

const PREFIX = "prw";
/** Another prefix, so that no sweep removes kept folders. */
const KEPT_PREFIX = "proctor-kept";
const LONG_AGO_MS = 24 * 3_600_000;
const live = new Set<string>();
const removals = new Set<Promise<unknown>>();

export async function createWorkspace(request: WorkspaceRequest): Promise<Workspace> {
  refuseHostFiles(request);
  const root = await realpath(
    await mkdtemp(join(request.place ?? workspacePlace(), ownName(request.keep ? KEPT_PREFIX : PREFIX))),
  );
  guardExit();
  if (request.keep) keepFolder(root);
  else live.add(root);
  const [project, home, tmp] = [join(root, "project"), join(root, "home"), join(root, "tmp")];
  // An empty `.git` ends the hosts' search for skills in the folders above.
  await Promise.all([join(project, ".git"), home, tmp].map((dir) => mkdir(dir, { recursive: true })));
  const skills = await stageSkills(request.skills, join(project, ...request.skillsDir.split("/")));
  await Promise.all([...request.files, ...(request.context?.files ?? [])].map((file) => putFile(file, project)));
  const beside = await textsBeside(project, new Set(skills.map(({ file }) => file)));
  const staged = new StagedSkills(project, skills, {
    naming: request.naming,
    elsewhere: linesElsewhere(skills, beside),
  });
  return {
    root,
    project,
    home,
    tmp,
    marker: basename(root),
    staged,
    async dispose() {
      if (request.keep) return;
      await remove(root);
    },
  };
}

/** A folder beside the workspaces that is swept like them, even if this process is killed. */
export async function privateFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await realpath(await mkdtemp(join(workspacePlace(), ownName(PREFIX))));
  guardExit();
  live.add(path);
  return {
    path,
    async remove() {
      if (await removeTree(path)) live.delete(path);
    },
  };
}

/** Renamed at once, deleted while the next trial runs. */
async function remove(root: string): Promise<void> {
  const trash = await rename(root, `${root}-gone`).then(
    () => `${root}-gone`,
    () => root,
  );
  live.delete(root);
  live.add(trash);
  const removal: Promise<unknown> = removeTree(trash).then((gone) => {
    // Otherwise the next start sweeps it.
    if (gone) live.delete(trash);
    removals.delete(removal);
  });
  removals.add(removal);
}

export async function removed(): Promise<void> {
  await Promise.all(removals);
}

export async function stageable(library: Library): Promise<StageableSkill[]> {
  const root = await realpath(library.root);
  return Promise.all(
    library.skills.map(async (skill) => {
      const inside = library.skills
        .filter((other) => other.dir.startsWith(skill.dir + sep))
        .map((other) => `${relativePosix(skill.dir, other.dir)}/`);
      const own = (await skillFiles(skill)).filter((file) => !inside.some((prefix) => file.startsWith(prefix)));
      const kept = await Promise.all(
        own.map(async (file) => within(await realpath(join(skill.dir, file)).catch(() => ""), root)),
      );
      return { skill, files: own.filter((_, index) => kept[index]) };
    }),
  );
}

function within(path: string, root: string): boolean {
  return path.startsWith(root + sep);
}

/** Ends the processes and removes the folders of killed runs. Returns the number of folders. */
export async function sweepWorkspaces(places: readonly string[] = possiblePlaces()): Promise<number> {
  await killOver((marker) => [PREFIX, KEPT_PREFIX].some((prefix) => ownerState(marker, prefix) === "dead"));
  const swept = await Promise.all(places.map(sweepPlace));
  return swept.reduce((sum, folders) => sum + folders, 0);
}

async function sweepPlace(temporary: string): Promise<number> {
  const names = await readdir(temporary).catch(() => []);
  const over = await Promise.all(names.map((name) => isOver(name, temporary)));
  const tries = names.filter((_, index) => over[index]).map((name) => removeTree(join(temporary, name)));
  // Other people of this machine leave theirs there too, and those are not ours to remove.
  return (await Promise.all(tries)).filter((gone) => gone).length;
}

async function isOver(name: string, temporary: string): Promise<boolean> {
  const owner = ownerState(name, PREFIX);
  if (owner !== "unknown") return owner === "dead";
  const found = await stat(join(temporary, name)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > LONG_AGO_MS;
}

async function stageSkills(skills: readonly StageableSkill[], into: string) {
  const folders = new Set<string>();
  return Promise.all(
    skills.map(async ({ skill, files }) => {
      const dir = join(into, freeFolder(skill, folders));
      await mkdir(dir, { recursive: true });
      const dirs = new Set(files.map((file) => dirname(file)).filter((name) => name !== "."));
      for (const name of [...dirs].sort()) await mkdir(join(dir, name), { recursive: true });
      await Promise.all(files.map((file) => copyFile(join(skill.dir, file), join(dir, file))));
      if (basename(skill.file) !== "SKILL.md") await writeFile(join(dir, "SKILL.md"), synthetic(skill));
      return stagedSkill(skill, dir);
    }),
  );
}

function freeFolder(skill: Skill, taken: Set<string>): string {
  const own = basename(skill.dir);
  const numbered = Array.from({ length: taken.size + 1 }, (_, index) => `${own}-${index + 2}`);
  // `!`: there is one more numbered name than names that are taken.
  const free = [own, `${safeSegment(skill.source.plugin ?? "other")}-${own}`, ...numbered].find(
    (name) => !taken.has(name.toLowerCase()),
  )!;
  taken.add(free.toLowerCase());
  return free;
}

function synthetic(skill: Skill): string {
  const [name, description] = [skill.name, skill.card.description].map((text) => JSON.stringify(text));
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${skill.body}\n`;
}

/** Suites with such files are refused when read; this is for asks made by other code. */
function refuseHostFiles({ files, skillsDir, skills }: WorkspaceRequest): void {
  const folders = new Set(skills.map(({ skill }) => foldedPath(basename(skill.dir)).join("/")));
  for (const { path } of files) {
    const own = ownFileOf(path);
    if (own !== undefined) throw new Error(`the file ${path} is not staged: it would be a file of ${own.owner}'s own`);
    if (shadows(foldedPath(path), foldedPath(skillsDir), folders))
      throw new Error(`the file ${path} is not staged: it would be taken for a skill, or replace one`);
  }
}

function shadows(path: readonly string[], skillsDir: readonly string[], folders: ReadonlySet<string>): boolean {
  if (skillsDir.some((name, index) => path[index] !== name)) return false;
  return skillsDir.length > 0 || path.at(-1) === "skill.md" || folders.has(path[0] ?? "");
}

async function putFile(file: QuestionFile, project: string): Promise<void> {
  const path = resolve(project, file.path);
  const inside = relative(project, path);
  if (inside === "" || inside.startsWith("..") || inside.split(sep)[0] === ".git")
    throw new Error(`the file ${file.path} is outside the workspace`);
  await mkdir(dirname(path), { recursive: true });
  if ("content" in file) await writeFile(path, file.content);
  else await copyFile(file.from, path);
}

let guarded = false;

function guardExit(): void {
  if (guarded) return;
  guarded = true;
  process.on("exit", () => {
    for (const root of live) removeTreeSync(root);
  });
}
