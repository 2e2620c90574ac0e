import type { EndEvent, ErrorReason, TrialError } from "../../transcripts/index.ts";
import type { Exit, StopReason } from "./runner/run.ts";

/** Who reports an error, as far as advice needs it. */
export interface Asked {
  id: string;
  keys: readonly string[];
  /** It can use the login of the user. */
  login?: unknown;
}

/** What a provider's status means for a trial, with what to do about it. */
export function apiError(adapter: Asked, status: number | undefined, message: string): TrialError {
  const said = message.trim() === "" ? "" : `: ${firstLine(message)}`;
  const found = status ?? statusIn(message) ?? (/invalid_request_error/.test(message) ? 400 : undefined);
  if (found === 401 || found === 403 || /not logged in|invalid api key|authentication|unauthori[sz]ed|please run \/login/i.test(message)) {
    return error(
      "auth",
      `${adapter.id} is not logged in${said}. Set ${adapter.keys.join(" or ")}${canBorrow(adapter) ? ", or pass --use-login" : ""}.`,
      false,
    );
  }
  if (/usage limit|quota|credit balance|billing/i.test(message)) {
    return error("rate_limit", `the usage limit of this login is reached${said}. Wait for it to reset, or use another key.`, false);
  }
  if (found === 429)
    return error("rate_limit", `the provider limits the rate${said}. Fewer trials at once (--jobs) may help.`, true, retryAfter(message));
  if (found === 529 || found === 503 || /overloaded/i.test(message)) return error("overloaded", `the provider is overloaded${said}`, true);
  if (
    /stream (disconnected|closed|ended)|terminated|socket hang up|premature|unexpected EOF|ECONNRESET|connection (closed|error|reset|lost)|cut off|incomplete/i.test(
      message,
    )
  ) {
    return error("cut_stream", `the connection to the provider broke${said}`, true);
  }
  if (/not valid JSON|JSON Parse error|Unexpected token|invalid (response|json)|could not parse|empty or malformed/i.test(message)) {
    return error("unparseable", `the endpoint answered with something that is no answer${said}. Is it the right address?`, true);
  }
  if (found !== undefined && found >= 500) return error("api", `the provider failed with ${found}${said}`, true);
  if (found !== undefined)
    return error("api", `the provider refused the request with ${found}${said}. Check the model's name and the endpoint.`, false);
  return error("unknown", `${adapter.id} reported an error${said}`, true);
}

/** A CLI that ended without telling how. */
export function crashed(adapter: Pick<Asked, "id">, exit: Exit): TrialError {
  if (exit.failed !== undefined) return error("crash", `${adapter.id} could not be started: ${exit.failed.message}`, false);
  const how = exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
  const said = lastLines(exit.stderr);
  return error("crash", `${adapter.id} ended without a result (${how})${said === "" ? "" : `: ${said}`}`, true);
}

/** What it means that we ended it, when its questions were not decided. */
export function stoppedError(
  adapter: Pick<Asked, "id">,
  reason: Exclude<StopReason, "decided" | "max_turns">,
  exit: Exit,
  last?: TrialError,
): TrialError {
  const after = `${Math.round(exit.ms / 1000)} s`;
  const note = last === undefined ? "" : ` Before that: ${last.message}`;
  switch (reason) {
    case "abort":
      return error("interrupted", "the trial was interrupted", true);
    case "flood":
      return error("flood", `${adapter.id} wrote more output than any trial should; it was stopped.`, false);
    case "first_event":
      return (
        last ??
        error("timeout", `${adapter.id} said nothing for ${after}; is the endpoint reachable? ${lastLines(exit.stderr)}`.trim(), true)
      );
    case "timeout":
      // A CLI that retries until the time is up has told us the real reason.
      if (last !== undefined && last.reason !== "unknown") return { ...last, message: `${last.message} (after ${after} of retries)` };
      return error("timeout", `no end after ${after}; raise --timeout if this model is slow.${note}`, true);
  }
}

export function failedEnd(failure: TrialError): EndEvent {
  return { type: "end", how: "error", error: failure };
}

function canBorrow({ login }: Asked): boolean {
  return typeof login === "object" && login !== null && !("refused" in login);
}

function error(reason: ErrorReason, message: string, retryable: boolean, retryAfterMs?: number): TrialError {
  return { reason, message, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function statusIn(message: string): number | undefined {
  const found =
    /\b(?:status(?:\s*code)?|http|error|code)\b[^\d\n]{0,12}\b([45]\d\d)\b/i.exec(message)?.[1] ?? /^\W*([45]\d\d)\b/.exec(message)?.[1];
  return found === undefined ? undefined : Number(found);
}

function retryAfter(message: string): number | undefined {
  const seconds = /(?:retry|try again)(?: again)? (?:after|in) (\d+(?:\.\d+)?) ?s/i.exec(message)?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

function firstLine(message: string): string {
  const line = message.trim().split("\n")[0]!;
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function lastLines(stderr: string): string {
  return stderr.trim().split("\n").slice(-3).join(" ").slice(-400);
}
