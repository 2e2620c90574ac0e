import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { AgentAdapter } from "./adapter.ts";

export interface FoundAgent {
  path: string;
  version: string;
  /** Set when the version lies outside the range the adapter was run with. */
  warning?: string;
}

const run = promisify(execFile);
const known = new Map<string, Promise<FoundAgent>>();

/** Where a CLI is and which version; undefined when it is not installed. Asked once per file. */
export async function findAgent(adapter: AgentAdapter, env: NodeJS.ProcessEnv): Promise<FoundAgent | undefined> {
  const named = env[pathVariable(adapter)];
  const command = named === undefined || named === "" ? adapter.command : named;
  const path = /[\\/]/.test(command) ? resolve(command) : findOnPath(command, env);
  if (path === undefined || !isExecutable(path)) return undefined;
  const key = `${adapter.id}\0${path}`;
  const found = known.get(key) ?? versionOf(adapter, path, env);
  known.set(key, found);
  return found;
}

export function pathVariable(adapter: AgentAdapter): string {
  return `PROCTOR_${adapter.id.toUpperCase()}_PATH`;
}

export function findOnPath(command: string, env: NodeJS.ProcessEnv): string | undefined {
  const endings = process.platform === "win32" ? (env["PATHEXT"] ?? ".EXE;.CMD").split(";") : [""];
  const dirs = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((dir) => dir !== "");
  return dirs.flatMap((dir) => endings.map((ending) => join(dir, command + ending))).find(isExecutable);
}

async function versionOf(adapter: AgentAdapter, path: string, env: NodeJS.ProcessEnv): Promise<FoundAgent> {
  const asked = run(path, ["--version"], { timeout: 30_000, env: { PATH: env["PATH"], HOME: tmpdir(), NO_COLOR: "1" } });
  asked.child.stdin?.end();
  const { stdout } = await asked.catch(() => ({ stdout: "" }));
  const version = /\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0] ?? "unknown";
  const [oldest, newest] = adapter.tested;
  const tested = version !== "unknown" && compare(version, oldest) >= 0 && compare(version, newest) <= 0;
  const range = oldest === newest ? oldest : `${oldest} to ${newest}`;
  return {
    path,
    version,
    ...(!tested && {
      warning: `${adapter.title} ${version} is outside the tested range (${range}); the canary tells whether it can be read`,
    }),
  };
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0)) as [
    number[],
    number[],
  ];
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
