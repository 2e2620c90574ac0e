import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { UsageError } from "../../base/index.ts";
import type { AgentAdapter } from "./adapter.ts";

/** A run that outlives its login would end in errors. */
const MUST_LAST_MS = 30 * 60_000;

/** The user's own login, reduced to what a trial needs, as a file for the trial's HOME. Only when the user asks for it. */
export async function borrowLogin(
  adapter: AgentAdapter,
  env: NodeJS.ProcessEnv,
  now = Date.now(),
): Promise<{ path: string; content: string }> {
  if (adapter.login === undefined)
    throw new UsageError(`--use-login is not possible with ${adapter.title}.`, `Set ${adapter.keys.join(" or ")}.`);
  const file = adapter.login.file(env, env["HOME"] || homedir());
  const text = await readFile(file, "utf8").catch(() => {
    throw new UsageError(
      `There is no login of ${adapter.title} at ${file}.`,
      `Log in with ${adapter.command} first, or set ${adapter.keys.join(" or ")}.`,
    );
  });
  const { content, expiresAt } = adapter.login.reduced(text);
  if (content === undefined)
    throw new UsageError(`The login of ${adapter.title} at ${file} cannot be read.`, `Set ${adapter.keys.join(" or ")} instead.`);
  if (expiresAt !== undefined && expiresAt < now + MUST_LAST_MS) {
    throw new UsageError(
      `The login of ${adapter.title} expires within the run (${new Date(expiresAt).toISOString()}).`,
      `Start ${adapter.command} once: it renews its login.`,
    );
  }
  return { path: adapter.login.into, content };
}
