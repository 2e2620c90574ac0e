/** What a scripted model does. The base URL of a scenario is `<server>/<scenario>/<run>`; `<run>` is optional. */
export interface Scenario {
  /** One step per model turn; after the last one, the answer is always "Done." */
  steps: readonly Step[];
  /** Other steps for a conversation whose first user message contains `when`: sub-agents, canaries. The first match wins. */
  rules?: readonly { when: string; steps: readonly Step[] }[];
}

type Step = ScriptedMove | ScriptedFault | ((request: LoopbackRequest) => ScriptedMove | ScriptedFault);

/** An answer: text, tool calls, or both. */
export interface ScriptedMove {
  text?: string;
  calls?: readonly ScriptedCall[];
  /** Why it ends early: the model reached its limit, or a filter stopped it. */
  ends?: "length" | "filter";
  /** Milliseconds before the first byte. */
  delayMs?: number;
  /** Milliseconds between the pieces of a stream. */
  pieceMs?: number;
}

export interface ScriptedCall {
  tool: string;
  /** An object, or the bare text of a free-form ("custom") tool of the Responses protocol. */
  input: Record<string, unknown> | string;
  /** The tool's namespace, where the Responses protocol groups tools. */
  namespace?: string;
  /** Overrides the generated id. */
  id?: string;
}

/** Something that goes wrong. With `times`, it happens to that many requests for a turn of a run; `after` answers the next. */
export type ScriptedFault = (
  | { fault: "status"; status: number; message?: string; retryAfterSeconds?: number }
  | { fault: "hang" }
  | { fault: "cut"; move?: ScriptedMove }
  | { fault: "garbage" }
) & { times?: number; after?: ScriptedMove };

/** A request as the server understood it. Header values of keys are never kept. */
export interface LoopbackRequest {
  scenario: string;
  run: string;
  protocol: string;
  path: string;
  stream: boolean;
  model: string;
  /** Model turns already in the conversation: 0 for the first request. */
  turn: number;
  /** The first user message, as JSON. */
  opening: string;
  /** Only the headers that say which version of the protocol is spoken. */
  headers: Record<string, string>;
  body: unknown;
}
