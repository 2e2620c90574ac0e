import { vi } from "vitest";
import { main } from "../../src/cli/program.ts";
import type { Ended } from "./run-built.ts";

/** Runs a command line as the shipped command does, in this process: in that folder, with nothing of the surroundings but PATH. */
export async function runMain(cwd: string, args: string[], env: Record<string, string> = {}): Promise<Omit<Ended, "signal">> {
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

/** Variable by variable: the system's own calls (`homedir()`) read the real environment, not an object in its place. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}
