import type { Json } from "../../../hosts/reading/index.ts";
import type { TrialError, Usage } from "../../../model/index.ts";

export interface Protocol {
  url(base: string, model: string): string;
  /** `asBearer`: the key is a bearer token, even if the protocol has a header for keys. */
  headers(key: string | undefined, asBearer?: boolean): Record<string, string>;
  /** Undefined if the stream broke off before the turn ended. */
  fold(events: Json[]): Move | TrialError | undefined;
}

export interface Move {
  text: string;
  calls: ProposedCall[];
  /** The provider's own items, for hosts whose session files contain the same. */
  items: Json[];
  model?: string;
  usage?: Usage;
}

export interface ProposedCall {
  id: string;
  tool: string;
  input: Json;
}

/** Environment variables may name the host (`http://gateway`) or the versioned path. */
export function withPath(base: string, version: string): string {
  return /\/v\d+(beta)?$/.test(base) ? base : `${base}${version}`;
}

export function bearer(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
