import { ERROR_REASONS, EVIDENCE, type TrialEvent } from "./events.ts";

/** The event a target sent, or what is wrong with it. A target may be a plug-in or a script, so its events are not trusted. */
export function parseEvent(value: unknown): TrialEvent | string {
  if (typeof value === "string") return `Sent a line that is not an event: ${excerpt(value)}`;
  if (typeof value !== "object" || value === null) return "Sent something that is not an event";
  const wrong = fault(value as Record<string, unknown>);
  return wrong ?? (value as TrialEvent);
}

function fault(event: Record<string, unknown>): string | undefined {
  switch (event["type"]) {
    case "text":
      if (!isTurn(event["turn"]) || typeof event["text"] !== "string")
        return "Sent a text event without a turn or text";
      // A lone half of a surrogate pair is what is left of bytes that were not UTF-8, or were cut in the middle.
      return event["text"].isWellFormed() ? undefined : "Sent text that is not valid Unicode";
    case "call":
      return isTurn(event["turn"]) && typeof event["id"] === "string" && typeof event["tool"] === "string"
        ? undefined
        : "Sent a call without a turn, id or tool";
    case "result":
      if (typeof event["id"] !== "string" || typeof event["ok"] !== "boolean")
        return "Sent a result without an id or `ok`";
      return event["text"] === undefined || typeof event["text"] === "string"
        ? undefined
        : "Sent a result whose text is not a string";
    case "activation":
      if (!isTurn(event["turn"]) || typeof event["skill"] !== "string")
        return "Sent an activation without a turn or skill";
      return EVIDENCE.some((evidence) => evidence === event["evidence"])
        ? undefined
        : `Sent an activation with unknown evidence (${String(event["evidence"])})`;
    case "prediction":
      return Array.isArray((event["prediction"] as { ranking?: unknown } | undefined)?.ranking)
        ? undefined
        : "Sent a prediction without a ranking";
    case "end":
      return endFault(event);
    default:
      return `Sent an event of unknown type (${excerpt(String(event["type"]))})`;
  }
}

const ENDS: unknown[] = ["completed", "max_turns", "stopped", "error"];

function endFault({ how, error, costUsd, resources }: Record<string, unknown>): string | undefined {
  if (!ENDS.includes(how)) return `Ended in an unknown way (${excerpt(String(how))})`;
  if (costUsd !== undefined && !isAmount(costUsd)) return "Ended with a cost that is not an amount";
  const { peakMemoryBytes, cpuMs } = (resources ?? {}) as Record<string, unknown>;
  if (resources !== undefined && !(isAmount(peakMemoryBytes) && isAmount(cpuMs)))
    return "Ended with resources that are not amounts";
  if (error === undefined) return undefined;
  const { reason, message, retryable } = (error ?? {}) as Record<string, unknown>;
  const known =
    ERROR_REASONS.some((one) => one === reason) && typeof message === "string" && typeof retryable === "boolean";
  return known ? undefined : "Ended with an error without a reason, message or `retryable`";
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isTurn(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1;
}

function excerpt(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
