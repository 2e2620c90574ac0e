import type { TrialError } from "../../model/index.ts";
import type { SessionFile } from "../adapter.ts";
import { cutShort, filtered } from "./errors.ts";

export const LISTING = "listing";
export const FAILURE = "failure";
export const ENDING = "ending";

const FACTS = new Set([LISTING, FAILURE, ENDING]);

export function isFact({ path }: SessionFile): boolean {
  return FACTS.has(path);
}

/** The error behind a finish reason, if the model did not stop by itself. Providers use many words for it. */
export function spoiltBy(reason: string | undefined): TrialError | undefined {
  if (reason === undefined) return undefined;
  if (/^(length|max_?(output_)?tokens)$/i.test(reason)) return cutShort();
  return /filter|safety|blocklist|prohibited|recitation|spii|refusal/i.test(reason) ? filtered("") : undefined;
}

export function keptEnding(files: readonly SessionFile[]): { spoilt?: TrialError } {
  const spoilt = spoiltBy(files.find(({ path }) => path === ENDING)?.text);
  return spoilt === undefined ? {} : { spoilt };
}
