import { basename, dirname, join, resolve } from "node:path";
import { isWithin, kindAt, type Problem, readText, relativePosix } from "../../base/index.ts";
import { ownFileOf } from "../../hosts/index.ts";
import type { QuestionFile } from "../../model/index.ts";
import { type Document, get, items, type MapNode, type Node, plain, text } from "../documents/index.ts";
import { filesBelow } from "../questions/staged-folders.ts";
import { suiteProblem } from "../rules.ts";

export interface TemplateValues {
  vars: Record<string, string>;
  taskName: string;
}

export function fillTemplate(
  written: string,
  { vars, taskName }: TemplateValues,
  unknown: (name: string) => void,
): string {
  return written.replace(
    /\{\{-?\s*\.([A-Za-z]\w*)(?:\.([\w-]+))?\s*-?\}\}/g,
    (all, first: string, second: string | undefined) => {
      if (first === "TaskName" && second === undefined) return taskName;
      const value = first === "Vars" && second !== undefined ? vars[second] : undefined;
      if (value === undefined) unknown(all);
      return value ?? all;
    },
  );
}

export function varsIn(node: Node | undefined): Record<string, string> {
  if (node?.type !== "map") return {};
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, valueText(plain(value))]));
}

function valueText(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
}

export function promptIn(document: Document, task: MapNode, problems: Problem[]): string | undefined {
  const inputs = get(task, "inputs");
  const prompt = text(get(inputs, "prompt")) ?? text(get(task, "prompt"));
  const named = get(inputs, "prompt_file");
  const file = text(named);
  if (prompt !== undefined || file === undefined) return prompt;
  const place = resolve(dirname(document.file), file);
  const read = isWithin(document.within, place) ? readText(place, { within: document.within }) : undefined;
  if (read?.status === "text") return read.text;
  problems.push(
    suiteProblem(read === undefined || read.reason === "outside" ? "suite/file-escapes" : "suite/missing-file", {
      message: `prompt_file "${file}" cannot be used: ${read === undefined ? "it lies outside the examined folder" : read.message}.`,
      fix: "Put the file beside the task, or write the prompt into `inputs.prompt`.",
      location: document.at(named),
    }),
  );
  return undefined;
}

/** waza looks for a task's files in its `context_dir`, in `fixtures/`, and then beside the task and eval.yaml. */
export function fixtureFolders(suiteFile: string, document: Document, task: MapNode): string[] {
  const [suiteDir, taskDir] = [dirname(suiteFile), dirname(document.file)];
  const named = text(get(task, "context_dir"));
  const own = named === undefined ? [] : [resolve(suiteDir, named), resolve(taskDir, named)];
  return [...new Set([...own, join(suiteDir, "fixtures"), join(taskDir, "fixtures"), taskDir, suiteDir])];
}

interface Fixtures {
  document: Document;
  folders: readonly string[];
  problems: Problem[];
}

/**
 * `inputs.context.fixture`, relative to eval.yaml: a file, staged under its own name, or a folder with all its files.
 */
export function contextFixture(fixtures: Fixtures, task: MapNode, suiteFile: string): QuestionFile[] {
  const { document, problems } = fixtures;
  const node = get(get(get(task, "inputs"), "context"), "fixture");
  const path = text(node);
  if (node === undefined || path === undefined || path.trim() === "") return [];
  const { within } = document;
  const place = resolve(dirname(suiteFile), path);
  const kind = isWithin(within, place) ? kindAt(place, within) : "outside";
  if (kind === "folder") return folderFiles(fixtures, node, { place });
  const refused =
    kind === "file"
      ? refusal(document, node, basename(path))
      : unusable(document, node, { path, kind, folder: dirname(suiteFile) });
  if (refused === undefined) return [{ path: basename(path), from: place, within }];
  problems.push(refused);
  return [];
}

/**
 * Files of `inputs.files`, staged under their names in the fixtures. With a `context_dir` and no such list, everything
 * in it.
 */
export function fixturesOf(fixtures: Fixtures, task: MapNode): QuestionFile[] {
  const listed = items(get(get(task, "inputs"), "files"));
  const found = listed.flatMap((item) => fixture(fixtures, item));
  const context = get(task, "context_dir");
  const whole =
    listed.length === 0 && context !== undefined && text(context) !== undefined ? wholeFolder(fixtures, context) : [];
  const repos = items(get(get(task, "inputs"), "repos")).flatMap((repo) => repoFiles(fixtures, repo));
  return [...found, ...whole, ...repos];
}

function fixture(fixtures: Fixtures, item: Node): QuestionFile[] {
  const { document, folders, problems } = fixtures;
  const path = text(item) ?? text(get(item, "path")) ?? text(get(item, "name"));
  if (path === undefined) return [];
  const target = slashed(path);
  const refused = refusal(document, item, target);
  if (refused !== undefined) {
    problems.push(refused);
    return [];
  }
  const content = text(get(item, "content"));
  if (content !== undefined) return [{ path: target, content }];
  const { within } = document;
  const place = folders
    .map((folder) => resolve(folder, text(get(item, "source")) ?? path))
    .find((one) => isWithin(within, one) && kindAt(one, within) !== "missing");
  const kind = place === undefined ? "missing" : kindAt(place, within);
  if (place !== undefined && kind === "file") return [{ path: target, from: place, within }];
  if (place !== undefined && kind === "folder") return folderFiles(fixtures, item, { place, into: target });
  problems.push(unusable(document, item, { path, kind, folder: folders[0] ?? dirname(document.file) }));
  return [];
}

function unusable(
  document: Document,
  at: Node,
  { path, kind, folder }: { path: string; kind: string; folder: string },
): Problem {
  const why =
    kind === "missing"
      ? "does not exist"
      : kind === "outside"
        ? "leads outside the examined folder"
        : "is not a regular file";
  return suiteProblem(kind === "outside" ? "suite/file-escapes" : "suite/missing-file", {
    message: `The file "${path}" ${why}, so this question cannot be asked as intended.`,
    fix: `Put it into ${relativePosix(process.cwd(), folder)}, or correct the path.`,
    location: document.at(at),
  });
}

function wholeFolder(fixtures: Fixtures, at: Node): QuestionFile[] {
  const { document, folders, problems } = fixtures;
  const { within } = document;
  const place = folders.slice(0, 2).find((folder) => isWithin(within, folder) && kindAt(folder, within) === "folder");
  if (place !== undefined) return folderFiles(fixtures, at, { place });
  problems.push(
    suiteProblem("suite/missing-file", {
      message: `There is no folder "${text(at) ?? ""}" in the examined folder, so this question cannot be asked as intended.`,
      fix: "Add it, or correct context_dir.",
      location: document.at(at),
    }),
  );
  return [];
}

function repoFiles(fixtures: Fixtures, repo: Node): QuestionFile[] {
  const { document, folders, problems } = fixtures;
  const path = text(repo) ?? text(get(repo, "path")) ?? text(get(repo, "source")) ?? text(get(repo, "worktree"));
  const { within } = document;
  const place =
    path === undefined
      ? undefined
      : folders
          .map((folder) => resolve(folder, path))
          .find((one) => isWithin(within, one) && kindAt(one, within) === "folder");
  if (path !== undefined && place !== undefined)
    return folderFiles(fixtures, repo, { place, into: slashed(text(get(repo, "dest")) ?? "") });
  problems.push(
    suiteProblem("suite/missing-file", {
      message: `The repository ${JSON.stringify(path ?? plain(repo))} is not a folder inside the examined folder, so this question cannot be asked as intended.`,
      fix: "Give `path` with a folder beside the suite; nothing is fetched.",
      location: document.at(repo),
    }),
  );
  return [];
}

function folderFiles(
  { document, problems }: Fixtures,
  at: Node,
  { place, into = "" }: { place: string; into?: string },
): QuestionFile[] {
  const { within } = document;
  const found = filesBelow(place, within);
  if (!Array.isArray(found)) {
    problems.push(
      suiteProblem("suite/missing-file", {
        message: `The folder cannot be staged: ${found.path || "it"} ${found.why}.`,
        fix: "Put regular files there, or name the files one by one.",
        location: document.at(at),
      }),
    );
    return [];
  }
  return found.flatMap((file): QuestionFile[] => {
    const path = into === "" ? file : `${into}/${file}`;
    const refused = refusal(document, at, path);
    if (refused === undefined) return [{ path, from: join(place, file), within }];
    problems.push(refused);
    return [];
  });
}

function refusal(document: Document, at: Node, path: string): Problem | undefined {
  if (path.includes("\0") || /^[A-Za-z]:|^[\\/]|^~/.test(path) || !isWithin("x", join("x", path)))
    return suiteProblem("suite/file-escapes", {
      location: document.at(at),
      message: `The path "${path}" leads outside the workspace, so the file is not staged.`,
      fix: "Use a relative path without `..`.",
    });
  const own = ownFileOf(path);
  return (
    own &&
    suiteProblem("suite/host-file", {
      location: document.at(at),
      message: `"${path}" would be a file of ${own.owner}'s own (${own.entry}), which picks it up on its own: settings, hooks, servers, instructions or skills. It is not staged.`,
      fix: "Give the file another name or folder, and name that in the prompt.",
    })
  );
}

function slashed(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/(?<!\/)\/+$/, "");
}
