import type { TrialError } from "../../model/index.ts";
import type { SessionFile } from "../adapter.ts";
import { cutShort, filtered } from "./errors.ts";

/** The names under which facts from the requests of a CLI are kept: its own files with them are too large to keep. */
export const LISTING = "listing";
export const FAILURE = "failure";
export const ENDING = "ending";

const FACTS = new Set([LISTING, FAILURE, ENDING]);

export function isFact({ path }: SessionFile): boolean {
  return FACTS.has(path);
}

/** What the end of the model's last answer makes of it, where that was not its own will. Providers and CLIs have many words for it. */
export function spoiltBy(reason: string | undefined): TrialError | undefined {
  if (reason === undefined) return undefined;
  if (/^(length|max_?(output_)?tokens)$/i.test(reason)) return cutShort();
  return /filter|safety|blocklist|prohibited|recitation|spii|refusal/i.test(reason) ? filtered("") : undefined;
}

/** The same, from what was kept of the requests. */
export function keptEnding(files: readonly SessionFile[]): { spoilt?: TrialError } {
  const spoilt = spoiltBy(files.find(({ path }) => path === ENDING)?.text);
  return spoilt === undefined ? {} : { spoilt };
}
