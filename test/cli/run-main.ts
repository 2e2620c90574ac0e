import { vi } from "vitest";
import { main } from "../../src/cli/program.ts";
import { loadAdapters } from "../../src/hosts/index.ts";
import { loadBetter } from "../../src/targets/index.ts";
import type { Ended } from "./run-built.ts";

// The end of a run looks for a better target, and gives up after a moment. On a slow machine its imports would then end
// half done with the test file, and fail in every later file too, since files share their worker's modules.
await Promise.all([import("../../src/verbs/asking/suggest-target.ts"), loadBetter(), loadAdapters()]);

/** Runs a command line as the shipped command does, in this process: in that folder, with nothing of the surroundings but PATH. */
export async function runMain(
  cwd: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Omit<Ended, "signal" | "code"> & { code: number }> {
  const before = { cwd: process.cwd(), env: { ...process.env } };
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  process.chdir(cwd);
  setEnvironment({ PATH: before.env["PATH"], ...env });
  process.exitCode = undefined;
  try {
    return { code: await main(["node", "proctor", ...args]), ...written };
  } finally {
    process.exitCode = undefined;
    setEnvironment(before.env);
    process.chdir(before.cwd);
    for (const spy of spies) spy.mockRestore();
  }
}

/** The same in the folder and with the variables this process has. */
export async function proctor(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await runMain(process.cwd(), words, process.env);
  return { code, out: stdout, err: stderr };
}

/** Variable by variable: the system's own calls (`homedir()`) read the real environment, not an object in its place. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}
