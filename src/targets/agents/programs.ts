import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin, kindAt, remember } from "../../base/index.ts";
import type { ProgramRequest, ProgramResult, Programs } from "../../graders/index.ts";
import { contentOf, type LeftFile, type WorkspaceFiles } from "../../model/index.ts";
import { allowedEnvironment } from "./process/environment.ts";
import { findSandbox, sandboxAdvice } from "./process/find-sandbox.ts";
import { findOnPath } from "./process/on-path.ts";
import { DEFAULT_LIMITS, startProcess } from "./process/running-process.ts";
import type { Sandbox } from "./process/sandbox.ts";
import { isIntact, TAMPERED } from "./workspace/intact.ts";
import { createWorkspace, type Workspace } from "./workspace/workspace.ts";

const MOST_OUTPUT = 4_000_000;
const KEPT_OUTPUT = 64_000;

export interface ProgramSetting {
  sandbox: "auto" | "on" | "off";
  env: NodeJS.ProcessEnv;
}

export interface Rebuilt {
  programs: Programs | string;
  dispose(): Promise<void>;
}

const machineSandbox = remember((path: string) => findSandbox({ PATH: path }));

/** Runs a suite's programs in a workspace: sandboxed, without the examinee's keys, HOME and temporary folder. */
export function programsIn(
  workspace: Pick<Workspace, "root" | "project" | "tmp">,
  { sandbox, env }: ProgramSetting,
): Programs | string {
  const fence = sandbox === "off" ? undefined : machineSandbox(env["PATH"] ?? "");
  if (fence === undefined && sandbox !== "off")
    return `a suite's programs are not started without a sandbox: ${sandboxAdvice(env)}, or pass --no-sandbox`;
  const allowed = allowedEnvironment(env);
  return {
    has: (command) => findOnPath(command, allowed) !== undefined,
    run: (request) => runProgram(request, workspace, { fence, allowed }),
  };
}

async function runProgram(
  request: ProgramRequest,
  { root, project, tmp }: Pick<Workspace, "root" | "project" | "tmp">,
  { fence, allowed }: { fence: Sandbox | undefined; allowed: Record<string, string> },
): Promise<ProgramResult> {
  if (!isIntact({ root, project, tmp })) return { status: "failed", why: TAMPERED };
  const file = locate(request.file, project, allowed);
  if (file === undefined) return { status: "failed", why: `there is no program ${request.file}` };
  const cwd = resolve(project, request.cwd ?? ".");
  if (!isWithin(project, cwd) || kindAt(cwd, project) !== "folder")
    return { status: "failed", why: `there is no folder ${request.cwd}` };
  const home = join(root, "graders");
  await mkdir(home, { recursive: true });
  const env = {
    ...allowed,
    HOME: home,
    TMPDIR: tmp,
    WAZA_WORKSPACE_DIR: project,
    PROCTOR_WORKSPACE: project,
    ...Object.fromEntries(
      (request.reads ?? []).map((folder, index) => [`PROCTOR_SUITE_DIR${index === 0 ? "" : index}`, folder]),
    ),
  };
  const wrong = Object.keys(request.env ?? {}).find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (wrong !== undefined)
    return { status: "failed", why: `${JSON.stringify(wrong)} cannot be the name of a variable` };
  const args = [...request.args];
  // Arguments and variables are the suite's: paths in them are not shown to it, and the sandbox itself ignores them.
  const own = {
    needs: [...(request.reads ?? []), ...(file === process.execPath ? [file] : [])],
    inside: request.env ?? {},
  };
  // It may read its suite, which may be the folder that Proctor works in.
  const hidden = [process.cwd()].filter((folder) => !(request.reads ?? []).some((read) => isWithin(read, folder)));
  const run = startProcess(
    {
      ...(fence?.hiding(hidden).wrap({ file, args, env, ...own }, { root, tmp, writable: [] }) ?? { file, args }),
      env: fence === undefined ? { ...env, ...request.env } : env,
      cwd,
      folder: root,
      marker: `proctor-grader-${randomUUID()}`,
      stopSignal: "SIGKILL",
      stdin: request.stdin,
    },
    {
      ...DEFAULT_LIMITS,
      firstEventMs: request.timeoutMs,
      totalMs: request.timeoutMs,
      maxBytes: MOST_OUTPUT,
      graceMs: 500,
    },
  );
  let stdout = "";
  // What comes last decides: earlier lines make room for it.
  for await (const line of run.lines) {
    stdout += `${line}\n`;
    if (stdout.length > 2 * KEPT_OUTPUT) stdout = stdout.slice(-KEPT_OUTPUT);
  }
  const { code, stopped, failed, signal, stderr } = await run.exit;
  if (failed !== undefined) return { status: "failed", why: failed.message };
  if (stopped === "flood") return { status: "failed", why: `it printed more than ${MOST_OUTPUT / 1_000_000} MB` };
  if (stopped === "disk") return { status: "failed", why: "it wrote more than 4 GB" };
  if (stopped === "processes") return { status: "failed", why: "it started more than 4,096 processes" };
  if (stopped !== undefined) return { status: "failed", why: `it did not end within ${request.timeoutMs / 1000} s` };
  if (code === null) return { status: "failed", why: `it was killed by ${signal ?? "a signal"}` };
  return { status: "exited", code, stdout, stderr };
}

function locate(file: string, project: string, env: Record<string, string>): string | undefined {
  if (!/[\\/]/.test(file)) return findOnPath(file, env);
  const path = isAbsolute(file) ? file : resolve(project, file);
  return kindAt(path, isAbsolute(file) ? undefined : project) === "file" ? path : undefined;
}

/** Rebuilds the workspace of a finished trial. Programs need all of it: if a file was not kept, none is started. */
export async function rebuildWorkspace(left: WorkspaceFiles | undefined, setting: ProgramSetting): Promise<Rebuilt> {
  const files = left?.files.filter(({ kind, change }) => kind === "file" && change !== "removed") ?? [];
  const lost = left?.cut ?? files.find((file) => contentOf(file) === undefined)?.path;
  if (lost !== undefined) return { programs: `not all of its files were kept (${lost})`, dispose: async () => {} };
  const workspace = await createWorkspace({ skills: [], skillsDir: ".claude/skills", files: [], keep: false });
  try {
    for (const file of files) await putBack(workspace.project, file);
    for (const { kind, path } of left?.files ?? [])
      if (kind === "folder") await mkdir(inside(workspace.project, path), { recursive: true });
  } catch (error) {
    await workspace.dispose();
    throw error;
  }
  return { programs: programsIn(workspace, setting), dispose: () => workspace.dispose() };
}

async function putBack(project: string, file: LeftFile): Promise<void> {
  const place = inside(project, file.path);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, contentOf(file) ?? "", { mode: file.executable ? 0o755 : 0o644 });
}

/** Records are untrusted: a path may lead out of the workspace. */
function inside(project: string, path: string): string {
  const place = resolve(project, path);
  if (place === project || !isWithin(project, place)) throw new Error(`the file ${path} is outside the workspace`);
  return place;
}
