/** What a scripted model does. The base URL of a scenario is `<server>/<scenario>/<run>`; `run` may be left out. */
export interface Scenario {
  /** One step per model turn; a conversation that goes on after the last one is told "Done." */
  steps: readonly Step[];
  /** Other steps for a conversation whose first user message contains a text: sub-agents, canaries. The first rule that matches wins. */
  rules?: readonly { when: string; steps: readonly Step[] }[];
}

type Step = Move | Fault | ((request: LoopbackRequest) => Move | Fault);

/** An answer: text, tool calls, or both. */
export interface Move {
  text?: string;
  calls?: readonly ScriptedCall[];
  /** Wait so long before the first byte, and between the pieces of a stream. */
  delayMs?: number;
  pieceMs?: number;
}

export interface ScriptedCall {
  tool: string;
  /** An object, or the bare text of a free-form ("custom") tool of the Responses protocol. */
  input: Record<string, unknown> | string;
  /** Of the tool, where the Responses protocol groups tools. */
  namespace?: string;
}

/** Something that goes wrong. With `times`, it happens to so many requests of a run's turn, and `after` answers the next. */
export type Fault = (
  | { fault: "status"; status: number; message?: string; retryAfterSeconds?: number }
  | { fault: "hang" }
  | { fault: "cut"; move?: Move }
  | { fault: "garbage" }
) & { times?: number; after?: Move };

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
  /** The first user message, as JSON text. */
  opening: string;
  /** Of the headers, those that say which version of the protocol is spoken. */
  headers: Record<string, string>;
  body: unknown;
}
