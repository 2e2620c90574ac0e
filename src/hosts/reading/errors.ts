import { firstLine } from "../../base/index.ts";
import type { EndEvent, ErrorReason, TrialError } from "../../model/index.ts";
import type { Exit, StopReason } from "../adapter.ts";

export interface ErrorSource {
  id: string;
  keys: readonly string[];
  login?: unknown;
}

export function apiError(adapter: ErrorSource, status: number | undefined, message: string): TrialError {
  const words = plain(message);
  const said = words === "" ? "" : `: ${words}`;
  const found = status ?? statusIn(message) ?? statusNamed(message);
  if (found === 403)
    return error("auth", `the provider forbids this request${said}. May this key or login use this model?`, false);
  if (
    found === 401 ||
    /not logged in|api.key not valid|invalid api key|authentication|unauthori[sz]ed|please run \/login/i.test(message)
  )
    return error("auth", `${adapter.id} is not logged in${said}. ${loginAdvice(adapter, "Check")}`, false);
  // Some CLIs add to every 429 that a quota may be the cause.
  if (/usage limit|quota|credit balance|billing/i.test(words) || /insufficient_quota/.test(message))
    return error(
      "rate_limit",
      `the usage limit of this key or login is reached${said}. Wait until it resets, or use another.`,
      false,
    );
  if (found === 429 || /rate.?limit|too many requests/i.test(words))
    return {
      ...error(
        "rate_limit",
        `the provider limits the request rate${said}. Fewer trials at once (--jobs) may help.`,
        true,
      ),
      retryAfterMs: retryAfter(message),
    };
  if (found === 529 || found === 503 || /overloaded|high demand/i.test(message))
    return error("overloaded", `the provider is overloaded${said}. Try again later.`, true);
  if (found === 413 || TOO_LONG.test(message))
    return error(
      "api",
      `the request is too long for this model or endpoint${said}. Fewer skills, or a model with a larger context.`,
      false,
    );
  if (/max_output_tokens|output token maximum/i.test(message)) return cutShort(words);
  if (FILTERED.test(message)) return filtered(message);
  if (UNREACHABLE.test(message) && !BROKEN.test(message))
    return error("api", `${UNREACHED}${said}. Is a server listening there? Is a proxy in the way?`, true);
  if (GARBAGE.test(message))
    return error(
      "unparseable",
      `the endpoint answered with something that is not an answer${said}. Is it the right address?`,
      true,
    );
  if (CUT.test(message))
    return error("cut_stream", `the connection to the provider broke${said}. Is the endpoint stable?`, true);
  if (found === 404 || /\bmodel\b.{0,60}(does not exist|not found|not supported)/i.test(message))
    return error(
      "api",
      `the provider has no such model or address${said}. Check the model's name and the endpoint.`,
      false,
    );
  if (found !== undefined && found >= 500)
    return error("api", `the provider failed with ${found}${said}. Try again later.`, true);
  if (found !== undefined)
    return error(
      "api",
      `the provider refused the request with ${found}${said}. Check the model's name and the endpoint.`,
      false,
    );
  return error("unknown", `${adapter.id} reported an error${said}`, true);
}

const TOO_LONG =
  /context.{0,3}length|maximum context|(prompt is|prompt as) too long|input token count|(exceeds|larger than) the maximum (size|number of tokens|allowed)|exceeds the model's prompt budget/i;
const UNREACHABLE =
  /unable to connect|cannot connect|could not connect|failed to connect|connection ?refused|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|fetch failed|bad port|error sending request|dns error|^\W*(API Error: )?connection error\b/i;
const BROKEN = /ECONNRESET|connection (was )?(closed|reset)/i;
const UNREACHED = "the endpoint cannot be reached";
const FILTERED =
  /content.?filter|safeguards flagged|blocked (by|due to) .{0,20}(safety|filter|policy)|prohibited.content|usage policy/i;
const CUT =
  /stream (disconnected|closed|ended)|terminated|socket (hang up|connection was closed)|premature|unexpected EOF|ECONNRESET|connection (closed|error|reset|lost)|cut off|incomplete|without a finish reason/i;
const GARBAGE =
  /not valid JSON|JSON Parse error|Unexpected token|invalid (response|json)|could not parse|empty (or malformed|response)|without sending any chunks|no response was returned/i;

export function withAddress(failure: TrialError, endpoint: string | undefined): TrialError {
  if (endpoint === undefined || !failure.message.startsWith(UNREACHED) || !URL.canParse(endpoint)) return failure;
  // Omits credentials in the URL.
  const { origin, pathname } = new URL(endpoint);
  return {
    ...failure,
    message: failure.message.replace(UNREACHED, `the endpoint ${origin}${pathname} cannot be reached`),
  };
}

export function notLoggedIn(adapter: ErrorSource): TrialError {
  return error(
    "auth",
    `${adapter.id} is not logged in: there is no key in the environment, so nothing was asked. ${loginAdvice(adapter, "Set")}`,
    false,
  );
}

/** The provider, not the model, had the last word, so this is no answer. */
export function filtered(message: string): TrialError {
  return error(
    "filtered",
    `the provider's content filter stopped the answer${message === "" ? "" : `: ${plain(message)}`}. Other words in the question may help.`,
    false,
  );
}

/** A model that chose no skill would have said something, so an empty answer is an error. */
export function nothingSaid(adapter: Pick<ErrorSource, "id">): TrialError {
  return error(
    "unparseable",
    `the model's answer to ${adapter.id} was empty. If this happens again, check the model and the endpoint.`,
    true,
  );
}

/** The model fell silent after a tool's result: whether it would have used a skill is unknown. */
export function nothingMoreSaid(adapter: Pick<ErrorSource, "id">): TrialError {
  return error(
    "unparseable",
    `the model's answer to ${adapter.id} after its last tool call was empty. If this happens again, check the model and the endpoint.`,
    true,
  );
}

export function cutShort(words = ""): TrialError {
  const said = words === "" ? "" : `: ${words}`;
  return error(
    "cut_answer",
    `the answer grew longer than the model can write${said}. Ask for less, or use another model.`,
    true,
  );
}

export function loopDetected(adapter: Pick<ErrorSource, "id">): TrialError {
  return error(
    "cut_answer",
    `${adapter.id} ended the session because the model was repeating itself. Another model may not.`,
    true,
  );
}

/** The CLI handles a prompt such as `/init` itself, so no model was asked. */
export function notAsked(adapter: Pick<ErrorSource, "id">, said: string): TrialError {
  const words = said.trim() === "" ? "" : `: ${firstLine(said.trim()).slice(0, 200)}`;
  const message = `${adapter.id} treated the prompt as one of its own commands, so the question was not asked${words}. Begin it with a character other than a slash.`;
  return error("not_asked", message, false);
}

/** The model was kept from a skill: what it would have done with it is unknown. */
export function denied(adapter: Pick<ErrorSource, "id">, skill: string | undefined, words: string): TrialError {
  const said = plain(words);
  const whom = skill ?? "a command that may have opened a skill";
  return error(
    "denied",
    `${adapter.id}'s own permissions kept the model from ${whom}${said === "" ? "" : `: ${said}`}. What it would have done with it is unknown. If a rule among the question's files forbids it, take that out.`,
    false,
  );
}

export function crashed(adapter: Pick<ErrorSource, "id">, exit: Exit): TrialError {
  if (exit.failed !== undefined)
    return error(
      "crash",
      `${adapter.id} could not be started: ${exit.failed.message}. proctor doctor shows what is installed.`,
      false,
    );
  const how = exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
  const said = lastLines(exit.stderr);
  return error("crash", `${adapter.id} ended without a result (${how})${said === "" ? "" : `: ${said}`}`, true);
}

export function stoppedError(
  adapter: Pick<ErrorSource, "id">,
  {
    reason,
    exit,
    last,
  }: { reason: Exclude<StopReason, "decided" | "max_turns">; exit: Exit; last?: TrialError | undefined },
): TrialError {
  const after = `${Math.round(exit.ms / 1000)} s`;
  const note = last === undefined ? "" : ` Before that: ${last.message}`;
  switch (reason) {
    case "abort":
      return error("interrupted", "the trial was interrupted", true);
    case "flood":
      return error("flood", `${adapter.id} wrote more output than any trial should; it was stopped.`, false);
    case "disk":
      return error("flood", `${adapter.id} wrote more files than any trial should (4 GB); it was stopped.`, false);
    case "processes":
      return error("flood", `${adapter.id} had more processes than any trial should (4,096); it was stopped.`, false);
    case "failing":
      return (
        last ?? error("unknown", `${adapter.id} failed again and again, for ${after}, and does not say why.`, true)
      );
    case "first_event":
      return (
        last ??
        error(
          "timeout",
          `${adapter.id} said nothing for ${after}; is the endpoint reachable? ${lastLines(exit.stderr)}`.trim(),
          true,
        )
      );
    case "timeout":
      // A CLI that retried until the timeout has reported the real reason.
      if (last !== undefined && last.reason !== "unknown")
        return { ...last, message: `${last.message} (It tried for ${after}.)` };
      return error("timeout", `no end after ${after}; raise --timeout if this model is slow.${note}`, true);
  }
}

export function failedEnd(failure: TrialError): EndEvent {
  return { type: "end", how: "error", error: failure };
}

function error(reason: ErrorReason, message: string, retryable: boolean): TrialError {
  return { reason, message, retryable };
}

function loginAdvice({ keys, login }: ErrorSource, verb: "Set" | "Check"): string {
  const [first, ...others] = keys;
  const key =
    first === undefined ? "its key" : others.length === 0 ? first : `${first} (proctor doctor names the others)`;
  const usable = login !== undefined && !(typeof login === "object" && login !== null && "refused" in login);
  return `${verb} ${key}${usable ? ", or pass --use-login" : ""}.`;
}

function plain(message: string): string {
  const inner = [...message.matchAll(/"message"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].at(-1)?.[1];
  const words = firstLine((inner === undefined ? message : inner.replace(/\\n/g, "\n").replace(/\\(.)/g, "$1")).trim())
    .replace(/^\[?API Error:?\s*/i, "")
    .replace(/^[45]\d\d\s+/, "")
    .replace(/^"|(?<![\]."\s])[\]."\s]+$/g, "");
  return words.length > 300 ? `${words.slice(0, 300)}…` : words;
}

function statusIn(message: string): number | undefined {
  const found =
    /\b(?:status(?:\s*code)?|http|error|code)\b[^\d\n]{0,12}\b([45]\d\d)\b/i.exec(message)?.[1] ??
    /^\W*([45]\d\d)\b/.exec(message)?.[1];
  return found === undefined ? undefined : Number(found);
}

function statusNamed(message: string): number | undefined {
  if (/invalid_request_error/.test(message)) return 400;
  return /internal server error/i.test(message) ? 500 : undefined;
}

function retryAfter(message: string): number | undefined {
  const seconds = /(?:retry|try again)(?: again)? (?:after|in) (\d+(?:\.\d+)?) ?s/i.exec(message)?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

function lastLines(stderr: string): string {
  return stderr.trim().split("\n").slice(-3).join(" ").slice(-400);
}
