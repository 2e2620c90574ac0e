import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const packageRoot = join(import.meta.dirname, "..", "..");

export interface Built {
  main: string;
  remove(): void;
}

/** The command as it is shipped. */
export function buildCommand(): Promise<Built> {
  return build(join(packageRoot, "src", "cli", "main.ts"));
}

/** A program, bundled into a folder of its own below node_modules, where its dependencies are found. */
export async function build(program: string): Promise<Built> {
  const cache = join(packageRoot, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, "proctor-test-"));
  chmodSync(dir, 0o755);
  const { dependencies } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const outside = Object.keys(dependencies);
  const bundle = await rolldown({
    input: { main: program },
    platform: "node",
    external: (id) => id.startsWith("node:") || outside.some((name) => id === name || id.startsWith(`${name}/`)),
  });
  await bundle.write({ dir, format: "esm", chunkFileNames: "chunks/[name]-[hash].mjs", entryFileNames: "[name].mjs" });
  await bundle.close();
  return { main: join(dir, "main.mjs"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  process: ChildProcess;
  ended: Promise<Ended>;
}

/** Starts the command with nothing of the surroundings but PATH. */
export function startCommand(
  built: Built,
  cwd: string,
  args: string[],
  env: Record<string, string> = {},
  as: { uid?: number; gid?: number } = {},
): Started {
  const child = spawn(process.execPath, [built.main, ...args], {
    cwd,
    ...as,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data) => {
    stdout += data;
  });
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr })),
  );
  return { process: child, ended };
}

export function runCommand(
  built: Built,
  cwd: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  return startCommand(built, cwd, args, env).ended;
}
