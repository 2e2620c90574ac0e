import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename } from "node:path";
import { UsageError } from "../../base/index.ts";
import type { TrialError } from "../../transcripts/index.ts";
import type { AgentAdapter } from "../../hosts/adapter.ts";

/** The user's own login: where it is, and what of it a trial may have. */
export interface LoginSource {
  file(env: NodeJS.ProcessEnv, home: string): string;
  /** Files of the same folder that tell more about it, by name. */
  beside?: readonly string[];
  /** `model`: an empty one asks about the login as a whole. */
  reduced(text: string, about: LoginQuery): Login | RefusedLogin;
  /** What to do where there is no such file, when that is more than to log in. */
  otherwise?(platform: NodeJS.Platform): string | undefined;
}

export interface LoginQuery {
  model: string;
  endpoint?: string | undefined;
  env: NodeJS.ProcessEnv;
  /** What is in the files beside it. */
  beside: Readonly<Record<string, string>>;
}

/** A login reduced to what a trial needs: nothing in it can renew it. */
export interface Login {
  /** With whom: a subscription may be answered elsewhere than a key. It is part of the target's identity; the account is not. */
  kind: "subscription" | "key";
  /** Written into the HOME of every trial. */
  files: { path: string; content: string }[];
  env?: Record<string, string>;
  /** Never to be seen in a record. */
  secrets: string[];
  /** Milliseconds since 1970; absent = not known, or never. */
  expiresAt?: number;
  /** Where one file holds the logins of several providers. */
  providers?: string[];
}

export interface RefusedLogin {
  refused: string;
  hint?: string;
}

/** The CLIs renew a login, or give it up, when it has less than this to last. */
const EARLY_MS = 5 * 60_000;

/** The user's own login, as a trial may have it. Only when the user asks for it; what is not possible is a UsageError. */
export async function borrowLogin(
  adapter: AgentAdapter,
  { env, ...about }: { env: NodeJS.ProcessEnv; model?: string; endpoint?: string | undefined },
  now = Date.now(),
): Promise<Login> {
  const keys = `Set ${adapter.keys.join(" or ")}`;
  const source = adapter.login;
  if (source === undefined) throw new UsageError(`--use-login is not possible with ${adapter.title}.`, `${keys}.`);
  if ("refused" in source)
    throw new UsageError(`--use-login is not possible with ${adapter.title}: ${source.refused}.`, source.hint ?? `${keys}.`);
  const found = await readLogin(source, { model: adapter.defaultModel, ...about, env });
  const { file } = found;
  if (found.login === undefined) {
    const otherwise = source.otherwise?.(process.platform) ?? `Log in with ${adapter.command} first, or set ${adapter.keys.join(" or ")}.`;
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
    throw new UsageError(`The login of ${adapter.title} expires too soon, or has expired (${when}).`, renewing(adapter));
  }
  return found.login;
}

/** Undefined: there is none. */
export async function readLogin(
  source: LoginSource,
  about: Omit<LoginQuery, "beside">,
): Promise<{ file: string; login?: Login | RefusedLogin }> {
  const file = source.file(about.env, about.env["HOME"] || homedir());
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return { file };
  const beside: Record<string, string> = {};
  for (const name of source.beside ?? []) {
    const more = await readFile(file.slice(0, -basename(file).length) + name, "utf8").catch(() => undefined);
    if (more !== undefined) beside[name] = more;
  }
  try {
    return { file, login: source.reduced(text, { ...about, beside }) };
  } catch {
    return { file, login: { refused: "it is not in a form that is known" } };
  }
}

/** Until when trials may start and what to do then; undefined where that is not known. */
export function loginLasts(adapter: AgentAdapter, login: Login | undefined): { until: number; advice: string } | undefined {
  return login?.expiresAt === undefined ? undefined : { until: login.expiresAt - EARLY_MS, advice: renewing(adapter) };
}

/** Why a trial of this length is not even started: asked all the same, every one of them would end in a 401. */
export function loginOver(adapter: AgentAdapter, login: Login | undefined, trialMs: number, now = Date.now()): TrialError | undefined {
  const lasts = loginLasts(adapter, login);
  if (lasts === undefined || now + trialMs <= lasts.until) return undefined;
  const when = new Date(login!.expiresAt!).toISOString().slice(11, 16);
  return {
    reason: "auth",
    message: `the login of ${adapter.title} lasts until ${when} UTC, too short for another trial. ${lasts.advice} Then go on with --resume`,
    retryable: false,
  };
}

function renewing({ command }: AgentAdapter): string {
  return `Start ${command} once: it renews its login.`;
}

/** The `exp` of a JSON Web Token, in milliseconds. */
export function expiryOfJwt(token: string): number | undefined {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) as { exp?: unknown };
    return typeof exp === "number" ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
