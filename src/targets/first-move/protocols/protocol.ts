import type { Json } from "../../../hosts/reading/index.ts";
import type { TrialError, Usage } from "../../../model/index.ts";

/** How a provider is asked for a streamed answer, and how the answer is put together. */
export interface Protocol {
  /** `base` has no slash at its end. */
  url(base: string, model: string): string;
  /** `asBearer`: the key is a bearer's token, whatever header the protocol has for keys. */
  headers(key: string | undefined, asBearer?: boolean): Record<string, string>;
  /** From the events of a complete stream; undefined when it broke off before the turn ended. */
  fold(events: Json[]): Move | TrialError | undefined;
}

/** What the model did with its first turn. */
export interface Move {
  text: string;
  calls: ProposedCall[];
  /** The provider's own items, for hosts whose session files hold the same. */
  items: Json[];
  model?: string;
  usage?: Usage;
}

export interface ProposedCall {
  id: string;
  tool: string;
  input: Json;
}

/** Environment variables name the host (`http://gateway`) or the versioned path; both are understood. */
export function withPath(base: string, version: string): string {
  return /\/v\d+(beta)?$/.test(base) ? base : `${base}${version}`;
}

export function bearer(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
