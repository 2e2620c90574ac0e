import type { Cause, ErrorReason } from "../../model/index.ts";

const causes: Record<Cause, string> = {
  not_shown: "not shown to the model",
  sibling: "a sibling won",
  unused: "no skill was used",
  refused: "the load was refused",
  asked_back: "asked a question back",
  not_as_expected: "fired, but not as expected",
  error: "error",
  misfire: "fired, but should not",
  check: "a check failed",
};

const errors: Record<ErrorReason, string> = {
  auth: "not logged in",
  rate_limit: "rate limit",
  overloaded: "overloaded",
  api: "API error",
  timeout: "time-out",
  crash: "crash",
  cut_stream: "cut stream",
  unparseable: "unreadable reply",
  flood: "too much output",
  blocked: "blocked by the sandbox",
  invalid_cell: "the instrument does not work here",
  interrupted: "interrupted",
  unknown: "unknown error",
  no_worker: "no worker for it",
  lost_workers: "its workers ended",
  filtered: "stopped by a content filter",
  denied: "permissions kept it from a skill",
  not_asked: "the CLI treated it as a command",
  cut_answer: "answer cut short",
};

export function causeLabel(cause: Cause): string {
  return causes[cause];
}

export function errorLabel(reason: ErrorReason): string {
  return errors[reason];
}
