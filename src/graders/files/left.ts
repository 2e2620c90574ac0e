import { posix } from "node:path";
import { contentOf, type LeftFile, type Transcript, type WorkspaceFiles } from "../../transcripts/index.ts";
import { checked, notMade, skipped } from "../checks.ts";
import type { Check } from "../grader.ts";

/** What is at a path of the workspace that the examinee left. */
export type Left =
  | { status: "file"; file: LeftFile }
  | { status: "folder" }
  | { status: "missing" }
  /** It may be there, where not everything was kept. */
  | { status: "unknown"; why: string }
  /** A link that leads out of it, a FIFO. */
  | { status: "barred"; why: string };

/** The workspace as it was left, or the check that says why there is none to look at. */
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
  if (file?.kind === "link") return { status: "barred", why: `${path} is a link that leads out of the workspace, or nowhere` };
  if (file?.kind === "special") return { status: "barred", why: `${path} is not a regular file` };
  if (file?.kind === "folder" || wanted === ".") return { status: "folder" };
  const hidden = workspace.files.find((one) => one.unlisted && wanted.startsWith(`${one.path}/`));
  if (hidden !== undefined) return { status: "unknown", why: `what is in ${hidden.path} was not kept` };
  const inside = `${wanted}/`;
  if (workspace.files.some((one) => one.change !== "removed" && one.path.startsWith(inside))) return { status: "folder" };
  return workspace.cut === undefined ? { status: "missing" } : { status: "unknown", why: workspace.cut };
}

/** The text of a file; or the check that says why it cannot be looked at. */
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
  if (bytes === undefined) return notMade(`${path} cannot be looked at: it was too long to be kept (${left.file.bytes ?? 0} bytes)`);
  return { status: "text", text: left.file.text ?? bytes.toString("utf8") };
}

/** Something is there, and nothing out of bounds. */
export function existsCheck(workspace: WorkspaceFiles, path: string): Check {
  const left = leftAt(workspace, path);
  if (left.status === "unknown") return notMade(`whether ${path} exists is not known: ${left.why}`);
  if (left.status === "barred") return checked(false, left.why);
  return left.status === "missing" ? checked(false, `${path} does not exist`) : checked(true, `${path} exists`);
}

/** Nothing is there. */
export function absentCheck(workspace: WorkspaceFiles, path: string): Check {
  const left = leftAt(workspace, path);
  if (left.status === "unknown") return notMade(`whether ${path} exists is not known: ${left.why}`);
  return left.status === "missing" ? checked(true, `${path} does not exist`) : checked(false, `${path} exists, and must not`);
}
