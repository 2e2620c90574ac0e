/** What a scripted model does. Its base URL is `<server>/<scenario>/<run>`; `<run>` is optional. */
export interface Scenario {
  /** One step per model turn. After the last one, every answer is "Done." */
  steps: readonly Step[];
  /**
   * Replace the steps of a conversation whose `opening` contains `when`, such as a sub-agent's. The first match wins.
   */
  rules?: readonly { when: string; steps: readonly Step[] }[];
}

type Step = ScriptedMove | ScriptedFault | ((request: LoopbackRequest) => ScriptedMove | ScriptedFault);

export interface ScriptedMove {
  text?: string;
  calls?: readonly ScriptedCall[];
  ends?: "length" | "filter";
  delayMs?: number;
  pieceMs?: number;
}

export interface ScriptedCall {
  tool: string;
  /** A string is the input of a free-form ("custom") tool of the Responses protocol. */
  input: Record<string, unknown> | string;
  namespace?: string;
  id?: string;
}

/** A failure. With `times` it happens to that many requests for the same turn, and then `after` is the answer. */
export type ScriptedFault = (
  | { fault: "status"; status: number; message?: string; retryAfterSeconds?: number }
  | { fault: "hang" }
  | { fault: "cut"; move?: ScriptedMove }
  | { fault: "garbage" }
) & { times?: number; after?: ScriptedMove };

export interface LoopbackRequest {
  scenario: string;
  run: string;
  protocol: string;
  path: string;
  stream: boolean;
  model: string;
  /** Number of model turns already in the conversation. */
  turn: number;
  /** The first user message as JSON; all user messages for Gemini and Responses. */
  opening: string;
  /** Only the protocol's version headers, never one that could hold a key. */
  headers: Record<string, string>;
  body: unknown;
}
