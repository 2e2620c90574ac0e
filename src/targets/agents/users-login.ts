import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename } from "node:path";
import { UsageError } from "../../base/index.ts";
import type { AgentAdapter, Login, LoginQuery, LoginSource, RefusedLogin } from "../../hosts/index.ts";
import type { TrialError } from "../../model/index.ts";

/** The CLIs renew or drop a login that expires sooner than this. */
const EARLY_MS = 5 * 60_000;

/** The user's own login, reduced to what a trial needs. Only used on request; throws a UsageError if it cannot be. */
export async function borrowLogin(
  adapter: AgentAdapter,
  { env, ...about }: { env: NodeJS.ProcessEnv; model?: string; endpoint?: string | undefined },
  now = Date.now(),
): Promise<Login> {
  const keys = `Set ${adapter.keys.join(" or ")}`;
  const source = adapter.login;
  if (source === undefined) throw new UsageError(`--use-login is not possible with ${adapter.title}.`, `${keys}.`);
  if ("refused" in source)
    throw new UsageError(
      `--use-login is not possible with ${adapter.title}: ${source.refused}.`,
      source.hint ?? `${keys}.`,
    );
  const found = await readLogin(source, { model: adapter.defaultModel, ...about, env });
  const { file } = found;
  if (found.login === undefined) {
    const otherwise =
      source.otherwise?.(process.platform) ??
      `Log in with ${adapter.command} first, or set ${adapter.keys.join(" or ")}.`;
    throw new UsageError(`There is no login of ${adapter.title} at ${file}.`, otherwise);
  }
  if ("refused" in found.login)
    throw new UsageError(
      `The login of ${adapter.title} at ${file} cannot be used: ${found.login.refused}.`,
      found.login.hint ?? `${keys} instead.`,
    );
  const { expiresAt } = found.login;
  if (expiresAt !== undefined && expiresAt - EARLY_MS < now) {
    const when = new Date(expiresAt).toISOString();
    throw new UsageError(
      `The login of ${adapter.title} expires too soon, or has expired (${when}).`,
      renewing(adapter),
    );
  }
  return found.login;
}

export async function readLogin(
  source: LoginSource,
  about: Omit<LoginQuery, "siblings">,
): Promise<{ file: string; login?: Login | RefusedLogin }> {
  const file = source.file(about.env, about.env["HOME"] || homedir());
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return { file };
  const siblings: Record<string, string> = {};
  for (const name of source.siblings ?? []) {
    const more = await readFile(file.slice(0, -basename(file).length) + name, "utf8").catch(() => undefined);
    if (more !== undefined) siblings[name] = more;
  }
  try {
    return { file, login: source.reduced(text, { ...about, siblings }) };
  } catch {
    return { file, login: { refused: "it is not in a known form" } };
  }
}

export function loginLasts(
  adapter: AgentAdapter,
  login: Login | undefined,
): { until: number; expiresAt: number; advice: string } | undefined {
  const { expiresAt } = login ?? {};
  return expiresAt === undefined ? undefined : { until: expiresAt - EARLY_MS, expiresAt, advice: renewing(adapter) };
}

/** Why a trial of this length is not started: it would end in a 401. */
export function loginOver(
  adapter: AgentAdapter,
  login: Login | undefined,
  trialMs: number,
  now = Date.now(),
): TrialError | undefined {
  const lasts = loginLasts(adapter, login);
  if (lasts === undefined || now + trialMs <= lasts.until) return undefined;
  const when = new Date(lasts.expiresAt).toISOString().slice(11, 16);
  return {
    reason: "auth",
    message: `the login of ${adapter.title} lasts until ${when} UTC, too short for another trial. ${lasts.advice} Then continue with --resume`,
    retryable: false,
  };
}

function renewing({ command }: AgentAdapter): string {
  return `Start ${command} once: it renews its login.`;
}
