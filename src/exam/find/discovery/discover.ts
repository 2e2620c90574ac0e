import { basename, dirname, join, relative } from "node:path";
import { isWithin, type Problem, relativePosix } from "../../../base/index.ts";
import type { Library, Skill } from "../../../model/index.ts";
import { makeLibrary } from "../library.ts";
import { readPromptFolder } from "../reading/prompt-folder.ts";
import { readSkillFile } from "../reading/read-skill.ts";
import { problem } from "../rules.ts";
import { findPlugins } from "./plugins.ts";
import { findRoot } from "./root.ts";
import { isTestData, isTestSkill } from "./test-data.ts";
import { type Walk, walk } from "./walk.ts";

export interface DiscoverOptions {
  cwd: string;
  /** Where to start looking. They never narrow the library. */
  paths?: string[];
  root?: string;
  /** Splits the library: globs of folders, relative to the root, by the name of each part. */
  libraries?: Record<string, string[]>;
}

export interface Discovery {
  root: string;
  libraries: Library[];
  files: string[];
  /** Problems of the folder itself. Each library has those of its skills. */
  problems: Problem[];
}

export async function discover(options: DiscoverOptions): Promise<Discovery> {
  const { root, walked } = search(options);
  const plugins = findPlugins(root, walked.files);
  const skills = withoutTestData(root, readSkills(root, walked));
  for (const skill of skills) {
    const plugin = plugins.of(skill.dir);
    if (plugin !== undefined) skill.source.plugin = plugin;
  }
  const { libraries, problems } = await split(root, skills, options.libraries ?? {});
  return {
    root,
    libraries,
    files: walked.files,
    problems: [...walkProblems(root, walked), ...plugins.problems, ...problems],
  };
}

/** A path that discovery would skip, such as `dist/skills` or a fixture, was named on purpose and becomes the root. */
function search(options: DiscoverOptions): { root: string; walked: Walk } {
  const { root, given, start } = findRoot(options);
  const walked = walk(root);
  const isLeftOut = (path: string, files: readonly string[]) => {
    const inside = join(relative(root, path), "x");
    return (
      files.length === 0 ||
      isTestData(inside) ||
      (isTestSkill(inside) && files.some((file) => isOfTests(relative(root, file))))
    );
  };
  const seen = given.every(
    (path) =>
      !isLeftOut(
        path,
        walked.files.filter((file) => isWithin(path, file)),
      ),
  );
  return seen || start === root ? { root, walked } : again(root, start, walked);
}

function isOfTests(file: string): boolean {
  return basename(file) === "SKILL.md" && isTestSkill(dirname(file)) && !isTestData(file);
}

function again(root: string, start: string, walked: Walk): { root: string; walked: Walk } {
  const second = walk(start);
  return second.files.length === 0 ? { root, walked } : { root: start, walked: second };
}

function withoutTestData(root: string, skills: Skill[]): Skill[] {
  const live = skills.filter(({ dir }) => !isTestSkill(relative(root, dir)));
  return live.length > 0 ? live : skills;
}

/** A SKILL.md in one of these folders of a skill is not a skill. */
const bundled = /^(evals?|tests?|fixtures|assets|references|templates|examples|scripts|resources)$/i;

export function skillFilesIn(root: string): string[] {
  const { files, linkedFiles } = walk(root);
  return candidatesIn(root, [...files, ...linkedFiles], new Set(files));
}

function candidatesIn(root: string, files: readonly string[], all: ReadonlySet<string>): string[] {
  const candidates = files.filter((file) => isSkillFile(file, all));
  const folders = new Set(candidates.map((file) => dirname(file)));
  return candidates.filter((file) => !isBundled(root, dirname(file), folders));
}

function readSkills(root: string, { files, linkedFiles, linkedFolders }: Walk): Skill[] {
  const all = new Set(files);
  const skills: Skill[] = [];
  for (const file of candidatesIn(root, [...files, ...linkedFiles], all)) {
    const skill =
      basename(file) === "meta.yml"
        ? readPromptFolder(file)
        : readSkillFile(file, all.has(join(dirname(file), "agents", "openai.yaml")));
    if (basename(file) !== "SKILL.md" && skill.source.kind === "skill" && !named(skill)) continue;
    skills.push(skill);
  }
  for (const { link, folder } of linkedFolders) {
    if (isWithin(folder, link)) continue;
    for (const skill of skills) {
      if (isWithin(folder, skill.dir)) skill.source.copies.push(join(link, relative(folder, skill.dir)));
    }
  }
  return skills;
}

function isSkillFile(file: string, all: ReadonlySet<string>): boolean {
  const name = basename(file);
  if (name === "SKILL.md") return true;
  if (name === "meta.yml") return all.has(join(dirname(file), "prompt.xml"));
  return name.length === 8 && name.toLowerCase() === "skill.md" && !all.has(join(dirname(file), "SKILL.md"));
}

/** A lower-case skill.md may be any document. Only frontmatter makes it a skill. */
function named(skill: Skill): boolean {
  return "name" in skill.frontmatter || "description" in skill.frontmatter;
}

function isBundled(root: string, dir: string, folders: ReadonlySet<string>): boolean {
  let inside = false;
  for (let folder = dir; folder.length > root.length; folder = dirname(folder)) {
    if (inside && folders.has(folder)) return true;
    inside ||= bundled.test(basename(folder));
  }
  return inside && folders.has(root);
}

async function split(
  root: string,
  skills: readonly Skill[],
  libraries: Record<string, string[]>,
): Promise<{ libraries: Library[]; problems: Problem[] }> {
  const problems: Problem[] = [];
  const rest = new Set(skills);
  const made: Library[] = [];
  for (const [name, globs] of Object.entries(libraries)) {
    // Loaded on demand: few configurations split the library.
    const isMember = (await import("./glob.ts")).memberMatcher(globs);
    const members = skills.filter((skill) => isMember(slashed(root, skill.dir)));
    for (const skill of members) rest.delete(skill);
    if (members.length > 0) made.push(makeLibrary(root, name, members));
    else
      problems.push(
        problem("skill/library-empty", {
          message: `No skill is in a folder that matches ${globs.join(", ")}, so library ${name} is empty.`,
          fix: `Correct libraries.${name} in the configuration; globs are relative to the root.`,
          location: { file: root },
        }),
      );
  }
  if (rest.size > 0 || made.length === 0) made.push(makeLibrary(root, "", [...rest]));
  return { libraries: made, problems };
}

function walkProblems(root: string, { cut, outside, oddFolders }: Walk): Problem[] {
  const problems: Problem[] = [];
  if (cut) {
    problems.push(
      problem("skill/walk-cut", {
        message:
          "The folder is too large or too deep to search completely; skills in the part that was not searched are missing.",
        fix: "Put a proctor.config file in the folder that holds the skills, or give its path.",
        location: { file: root },
      }),
    );
  }
  for (const link of outside) {
    if (!/[\\/]skills?[\\/]/.test(link)) continue;
    problems.push(
      problem("skill/link-outside", {
        message: `${slashed(root, link)} is a link that points outside ${basename(root)}, and is not followed.`,
        fix: "Examine the folder it points to, or copy the skill.",
        location: { file: link },
      }),
    );
  }
  for (const folder of oddFolders) {
    problems.push(
      problem("skill/not-readable", {
        message: "SKILL.md is a folder here. Hosts look for a file of that name and find no skill.",
        fix: "Rename the folder, or put the skill into a file.",
        location: { file: folder },
      }),
    );
  }
  return problems;
}

function slashed(root: string, path: string): string {
  return relativePosix(root, path);
}
