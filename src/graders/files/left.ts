import { posix } from "node:path";
import { globMatcher, isGlob } from "../../base/index.ts";
import type { Check } from "../../model/index.ts";
import { contentOf, type LeftFile, type Transcript, type WorkspaceFiles } from "../../model/index.ts";
import { checked, notMade, skipped } from "../checks.ts";

export type Left =
  | { status: "file"; file: LeftFile }
  | { status: "folder" }
  | { status: "missing" }
  /** It may exist, but not all files were kept. */
  | { status: "unknown"; why: string }
  | { status: "barred"; why: string };

export function leftIn({ workspace }: Transcript): WorkspaceFiles | Check {
  return workspace ?? skipped("this target has no workspace, so there are no files to look at");
}

export function isWorkspace(value: WorkspaceFiles | Check): value is WorkspaceFiles {
  return "files" in value;
}

const byPath = new WeakMap<WorkspaceFiles, Map<string, LeftFile>>();

export function leftAt(workspace: WorkspaceFiles, path: string): Left {
  let known = byPath.get(workspace);
  if (known === undefined) {
    known = new Map(workspace.files.map((file) => [file.path, file]));
    byPath.set(workspace, known);
  }
  const wanted = posix.normalize(path);
  const file = known.get(wanted);
  if (file?.kind === "file" && file.change !== "removed") return { status: "file", file };
  if (file?.kind === "link")
    return { status: "barred", why: `${path} is a link that leads out of the workspace, or nowhere` };
  if (file?.kind === "special") return { status: "barred", why: `${path} is not a regular file` };
  if (file?.kind === "folder" || wanted === ".") return { status: "folder" };
  const hidden = workspace.files.find((one) => one.unlisted && wanted.startsWith(`${one.path}/`));
  if (hidden !== undefined) return { status: "unknown", why: `the contents of ${hidden.path} were not kept` };
  const inside = `${wanted}/`;
  if (workspace.files.some((one) => one.change !== "removed" && one.path.startsWith(inside)))
    return { status: "folder" };
  return workspace.cut === undefined ? { status: "missing" } : { status: "unknown", why: workspace.cut };
}

/** The file with exactly this name, otherwise all files that match it as a glob. */
function filesAt(
  workspace: WorkspaceFiles,
  path: string,
): { found: [LeftFile, ...LeftFile[]] } | Exclude<Left, { status: "file" }> {
  const left = leftAt(workspace, path);
  if (left.status === "file") return { found: [left.file] };
  if (!isGlob(path) || (left.status !== "missing" && left.status !== "unknown")) return left;
  const fits = globMatcher(path, { dot: true });
  const [first, ...others] = workspace.files.filter(
    (file) => file.kind === "file" && file.change !== "removed" && fits(file.path),
  );
  if (first !== undefined) return { found: [first, ...others] };
  const hidden = workspace.files.find((file) => file.unlisted && mayLieIn(file.path, path));
  return hidden === undefined ? left : { status: "unknown", why: `the contents of ${hidden.path} were not kept` };
}

function mayLieIn(folder: string, glob: string): boolean {
  const [parts, names] = [glob.split("/"), folder.split("/")];
  const deep = parts.indexOf("**");
  const known = deep < 0 ? parts : parts.slice(0, deep);
  return (
    (deep >= 0 || parts.length > names.length) &&
    names.every((name, at) => at >= known.length || globMatcher(known[at] ?? "", { dot: true })(name))
  );
}

export function textsAt(
  workspace: WorkspaceFiles,
  path: string,
): { status: "texts"; texts: { path: string; text: string }[] } | { status: "none"; why: string } | Check {
  const left = filesAt(workspace, path);
  if ("found" in left) {
    const read = left.found.map((file) => ({ file, text: file.text ?? contentOf(file)?.toString("utf8") }));
    const long = read.find(({ text }) => text === undefined);
    if (long !== undefined)
      return notMade(`${long.file.path} cannot be checked: it was too large to keep (${long.file.bytes ?? 0} bytes)`);
    return { status: "texts", texts: read.map(({ file, text = "" }) => ({ path: file.path, text })) };
  }
  if (left.status === "missing") return { status: "none", why: `${path} does not exist` };
  if (left.status === "unknown") return notMade(`whether ${path} exists is not known: ${left.why}`);
  if (left.status === "folder") return { status: "none", why: `${path} is a folder` };
  return { status: "none", why: left.why };
}

export function textAt(
  workspace: WorkspaceFiles,
  path: string,
): { status: "text"; text: string } | { status: "none"; why: string } | Check {
  const left = leftAt(workspace, path);
  if (left.status === "missing") return { status: "none", why: `${path} does not exist` };
  if (left.status === "unknown") return notMade(`whether ${path} exists is not known: ${left.why}`);
  if (left.status === "folder") return { status: "none", why: `${path} is a folder` };
  if (left.status === "barred") return { status: "none", why: left.why };
  const bytes = contentOf(left.file);
  if (bytes === undefined)
    return notMade(`${path} cannot be checked: it was too large to keep (${left.file.bytes ?? 0} bytes)`);
  return { status: "text", text: left.file.text ?? bytes.toString("utf8") };
}

export function existsCheck(workspace: WorkspaceFiles, path: string): Check {
  const left = filesAt(workspace, path);
  if ("found" in left) return checked(true, `${left.found[0].path} exists`);
  if (left.status === "unknown") return notMade(`whether ${path} exists is not known: ${left.why}`);
  if (left.status === "barred") return checked(false, left.why);
  return left.status === "missing" ? checked(false, `${path} does not exist`) : checked(true, `${path} exists`);
}

export function absentCheck(workspace: WorkspaceFiles, path: string): Check {
  const left = filesAt(workspace, path);
  if ("found" in left) return checked(false, `${left.found[0].path} exists, but must not`);
  if (left.status === "unknown") return notMade(`whether ${path} exists is not known: ${left.why}`);
  return left.status === "missing"
    ? checked(true, `${path} does not exist`)
    : checked(false, `${path} exists, but must not`);
}
