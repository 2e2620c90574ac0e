import type { ModelMessage } from "ai";
import type { Ask, Library } from "../../model/index.ts";
import { addUsage, type EndEvent, type TrialError, type TrialEvent, type Usage } from "../../model/index.ts";
import type { Answer, Asking, Target } from "../target.ts";
import { callModel, type Reply } from "./call.ts";
import { judgePrompt, judgeSystem, parseDecision } from "./judge.ts";
import { notRunning } from "./local-servers.ts";
import { costOf, isFree, modelPrice, PRICES_DATE, type Price, priceOf } from "./prices.ts";
import { connect } from "./providers.ts";
import { parseRoute, routerPrompt, routerReplyLine, routerSchema, routerSystem } from "./router.ts";
import { type ModelOptions, modelSettings } from "./settings.ts";
import { type ModelRole, parseModelSpec } from "./spec.ts";

/** Raise it when a prompt or parser changes, so that cached answers no longer count. */
export const PROMPT_VERSION = 3;

const notes: Record<ModelRole, string> = {
  judge: "a model read one skill's card and said yes or no; no agent ran",
  router: "a model read the cards of the whole library and chose; no agent ran",
  model: "a model answered the prompt; no tools, no agent",
};

const answers: Record<ModelRole, Target["answers"]> = {
  judge: { trigger: true, case: "a judge decides only triggers" },
  router: { trigger: true, case: "a router decides only triggers" },
  model: { trigger: "it sees no skills; use judge: or router: for triggers", case: true },
};

export function modelTarget(role: ModelRole, name: string, options: ModelOptions): Target {
  const spec = parseModelSpec(name);
  const settings = modelSettings(`${role}:${name}`, options.options);
  const connection = connect(spec, options);
  const price = modelPrice(spec, options);
  const maxOutputTokens = settings.maxTokens ?? (role === "model" ? 16_000 : 1_000);

  return {
    id: `${role}:${name}`,
    kind: role,
    predicted: false,
    perSkill: role === "judge",
    answers: answers[role],
    expectedCostUsd: expectedCost(price),
    mostCostUsd: price && mostCost(price, 1_500, maxOutputTokens),
    ...(role === "router" &&
      price !== undefined && {
        costFor: (skills: number) => ({
          expectedUsd: expectedCost(price, cardTokens(skills)) ?? 0,
          mostUsd: mostCost(price, cardTokens(skills, LONG_CARD), maxOutputTokens),
        }),
      }),
    concurrency: 16,
    note: [notes[role], ...priceNote(price)].join("; "),
    identify: async () => ({
      provider: spec.provider,
      model: spec.model,
      endpoint: connection.endpoint,
      options: { role, promptVersion: PROMPT_VERSION, ...settings.written },
      deterministic: false,
    }),
    missing: () => notRunning(connection.endpoint),
    async open(library) {
      const model = await connection.model();
      return {
        ask: async (ask, asking) => {
          const request = requestOf({ role, ask, asking, library, structured: connection.structured });
          const send = () =>
            callModel({
              model,
              system: request.system,
              messages: [...earlier(ask), { role: "user", content: request.prompt }],
              maxOutputTokens,
              sampling: settings.sampling,
              signal: asking.signal,
              schema: request.schema,
            });
          return answer(await twiceIfUnreadable(send, request), price);
        },
        close: async () => {},
      };
    },
  };
}

function priceNote(price: Price | undefined): string[] {
  if (price === undefined) return [];
  return [isFree(price) ? "it costs nothing" : `dollars are estimates from list prices of ${PRICES_DATE}`];
}

export function costPerQuestion(name: string, skills: number): number | null {
  const { provider, model } = parseModelSpec(name);
  return expectedCost(priceOf(provider, model), cardTokens(skills));
}

function expectedCost(price: Price | undefined, tokens = 1_500): number | null {
  return price === undefined ? null : (tokens * price.input + 60 * price.output) / 1_000_000;
}

/** Doubled, since an unreadable reply is asked for once more. */
function mostCost({ input, output }: Price, tokens: number, maxOutputTokens: number): number {
  return (2 * (tokens * input + maxOutputTokens * output)) / 1_000_000;
}

/** Tokens of a card of sixty words, and of one with the longest description allowed. */
const USUAL_CARD = 85;
const LONG_CARD = 270;

function cardTokens(skills: number, each = USUAL_CARD): number {
  return Math.max(1_500, 500 + each * skills);
}

interface ModelRequest {
  system: string;
  prompt: string;
  schema?: typeof routerSchema;
  read(text: string, cut: boolean): TrialEvent[] | null;
}

interface RoleAsk {
  role: ModelRole;
  ask: Ask;
  asking: Asking;
  library: Library;
  structured: boolean;
}

function requestOf({ role, ask, asking, library, structured }: RoleAsk): ModelRequest {
  switch (role) {
    case "judge":
      return judgeConversation(ask, library);
    case "router":
      return {
        system: structured ? routerSystem : `${routerSystem}\n${routerReplyLine}`,
        prompt: routerPrompt(library, ask.prompt, { ask: ask.key, run: asking.run }),
        schema: structured ? routerSchema : undefined,
        read(text, cut) {
          const ids = parseRoute(text, library, cut);
          return ids && [{ type: "text", turn: 1, text }, ...ids.map(predicted)];
        },
      };
    case "model":
      return {
        system: "",
        prompt: ask.prompt,
        read: (text, cut) => (text === "" || cut ? null : [{ type: "text", turn: 1, text }]),
      };
  }
}

export function judgeConversation(ask: Ask, library: Library): ModelRequest {
  const skill = library.skills.find(({ id }) => id === ask.skill);
  if (skill === undefined)
    throw new Error(`the judge was asked about a skill that is not in the library: ${ask.skill}`);
  return {
    system: judgeSystem,
    prompt: judgePrompt(skill.card, ask.prompt),
    read(text, cut) {
      const decision = parseDecision(text, cut);
      return decision && [{ type: "text", turn: 1, text }, ...(decision.fires ? [predicted(skill.id)] : [])];
    },
  };
}

function predicted(skill: string): TrialEvent {
  return { type: "activation", skill, turn: 1, evidence: "predicted" };
}

function earlier(ask: Ask): ModelMessage[] {
  return ask.messages.map(({ role, content }) => ({ role, content }));
}

interface ReadReply {
  events: TrialEvent[];
  error?: TrialError;
  usage: Usage[];
}

/** Asks once more for an unreadable reply. The second time it is an error that shows the reply, never a "no". */
export async function twiceIfUnreadable(send: () => Promise<Reply>, { read }: ModelRequest): Promise<ReadReply> {
  const usage: Usage[] = [];
  let unread = "";
  for (let attempt = 0; attempt < 2; attempt++) {
    const reply = await send();
    if (reply.usage !== undefined) usage.push(reply.usage);
    if (reply.status === "error") return { events: [], error: reply.error, usage };
    const cut = reply.cut === true;
    const events = read(reply.text, cut);
    if (events !== null) return { events, usage };
    if (cut)
      return {
        events: [{ type: "text", turn: 1, text: reply.text.slice(0, 20_000) }],
        error: cutOff(reply.usage),
        usage,
      };
    unread = reply.text;
  }
  const shown = unread.length > 200 ? `${unread.slice(0, 200)}…` : unread;
  return {
    events: [{ type: "text", turn: 1, text: unread.slice(0, 20_000) }],
    error: {
      reason: "unparseable",
      message: `the reply could not be read, twice: ${JSON.stringify(shown)}`,
      retryable: false,
    },
    usage,
  };
}

/** Not retried: it would be as long again. */
function cutOff(usage: Usage | undefined): TrialError {
  const length = usage?.outputTokens === undefined ? "" : ` (${usage.outputTokens} tokens)`;
  return {
    reason: "cut_answer",
    message: `the reply was cut off at its token limit${length}, before it was complete`,
    retryable: false,
  };
}

/** `reported` is the host's own cost; without it, the price table decides. */
export function answer(
  { events, error, usage }: ReadReply,
  price: Price | undefined,
  reported?: { usd: number; estimated: boolean },
): Answer {
  const total = usage.reduce<Usage | undefined>(addUsage, undefined);
  const costUsd = reported?.usd ?? costOf(total, price);
  const end: EndEvent = {
    type: "end",
    how: error === undefined ? "completed" : "error",
    error,
    usage: total,
    costUsd,
    // Nothing is no estimate.
    costEstimated: costUsd === undefined ? undefined : (reported?.estimated ?? costUsd > 0),
  };
  return { events: [...events, end], dispose: async () => {} };
}
