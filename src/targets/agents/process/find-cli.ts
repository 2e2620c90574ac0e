import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../../base/index.ts";
import type { AgentAdapter } from "../../../hosts/index.ts";
import { createWorkspace } from "../workspace/workspace.ts";
import { findOnPath, isExecutable } from "./on-path.ts";

export interface FoundAgent {
  path: string;
  version: string;
  warning?: string;
}

const run = promisify(execFile);
const known = new Map<string, Promise<FoundAgent>>();

/** Undefined if it is not installed. Asked for its version once per file. */
export async function findAgent(
  adapter: AgentAdapter,
  env: NodeJS.ProcessEnv,
  cacheDir = cacheFolder(env),
): Promise<FoundAgent | undefined> {
  const named = env[pathVariable(adapter)];
  const command = named === undefined || named === "" ? adapter.command : named;
  const path = /[\\/]/.test(command) ? resolve(command) : findOnPath(command, env);
  if (path === undefined || !isExecutable(path)) return undefined;
  const key = [adapter.id, path, ...(adapter.unpacks ? [cacheDir] : [])].join("\0");
  const found = known.get(key) ?? identified({ adapter, path, env, cacheDir });
  known.set(key, found);
  return found;
}

export function pathVariable(adapter: AgentAdapter): string {
  return `PROCTOR_${adapter.id.toUpperCase().replace(/\W/g, "_")}_PATH`;
}

interface Installed {
  adapter: AgentAdapter;
  path: string;
  env: NodeJS.ProcessEnv;
  cacheDir: string;
}

async function identified(installed: Installed): Promise<FoundAgent> {
  const { adapter, path } = installed;
  const stdout = await sayVersion(installed);
  const version = /(?<!\d)\d+\.\d+\.\d+(?:[.-]\w+)*/.exec(stdout)?.[0] ?? "unknown";
  const [oldest, newest] = adapter.tested;
  // An agent of one's own has no tested range.
  const tested =
    oldest === "" || (version !== "unknown" && compare(version, oldest) >= 0 && compare(version, newest) <= 0);
  const range = oldest === newest ? oldest : `${oldest} to ${newest}`;
  return {
    path,
    version,
    warning: tested
      ? undefined
      : `${adapter.title} ${version} is outside the tested range (${range}); the canary shows whether it can be read`,
  };
}

/** Some CLIs write to HOME and the temporary folder even for `--version`. */
async function sayVersion({ adapter, path, env, cacheDir }: Installed): Promise<string> {
  const { home, tmp, dispose } = await createWorkspace({
    skills: [],
    skillsDir: ".",
    files: [],
    keep: false,
    place: tmpdir(),
  });
  try {
    const cache = adapter.unpacks ? join(cacheDir, adapter.id) : undefined;
    const places = { HOME: home, TMPDIR: tmp, XDG_CACHE_HOME: cache };
    const asked = run(path, ["--version"], { timeout: 30_000, env: { PATH: env["PATH"], NO_COLOR: "1", ...places } });
    asked.child.stdin?.end();
    return (await asked.catch(() => ({ stdout: "" }))).stdout;
  } finally {
    await dispose();
  }
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) =>
    version.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0),
  ) as [number[], number[]];
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
