import type { Library, TrialError, TrialEvent, Usage } from "../../../model/index.ts";
import { type Speaker, unsaid } from "../../agents/agent-as-judge.ts";
import { withEarlier } from "../../agents/ask-cell.ts";
import type { AgentSettings } from "../../agents/cell.ts";
import type { Answer, Asking, Target } from "../../target.ts";
import { Batches } from "../batches.ts";
import { cardLines, parseRoutes, routerSystem } from "../router.ts";
import { answer, PROMPT_VERSION } from "../target.ts";
import { cliTarget } from "./cli-target.ts";

const BATCH = 25;
/** Runs of a query are in separate calls; with fewer calls at once, each would carry only part of the queries. */
const CALLS = 4;

/**
 * `router:cli/claude:haiku`: reads the cards once and chooses for many queries, so that fifty questions are two calls.
 */
export function cliRouter(name: string, settings: AgentSettings): Promise<Target> {
  return cliTarget(name, settings, {
    kind: "router",
    perSkill: false,
    answers: { trigger: true, case: "a router decides only triggers" },
    concurrency: CALLS * BATCH,
    batch: BATCH,
    did: `read the cards of the whole library and chose for up to ${BATCH} queries at a time`,
    options: { promptVersion: PROMPT_VERSION, batch: BATCH },
    asker: (speaker, library) => {
      const batches = new Batches<Query, Chosen>(BATCH, (queries, signal) => choose(speaker, library, queries, signal));
      return async (ask, asking): Promise<Answer> => {
        const query = { text: withEarlier(ask), asking };
        // Runs of one query are independent only in different calls.
        const { ids, error, usage, usd, estimated } = await batches.add(query, `run ${asking.run}`, asking.signal);
        const events: TrialEvent[] = ids.map((skill) => ({
          type: "activation",
          skill,
          turn: 1,
          evidence: "predicted",
        }));
        return answer(
          { events, error, usage: usage === undefined ? [] : [usage] },
          undefined,
          usd === undefined ? undefined : { usd, estimated },
        );
      };
    },
  });
}

interface Query {
  text: string;
  asking: Asking;
}

interface Chosen {
  ids: string[];
  error?: TrialError;
  usage?: Usage;
  usd?: number;
  estimated: boolean;
}

const SYSTEM = `${routerSystem}\nThere are several queries, one per line as a JSON string; decide about each as if it were the only one.`;
const REPLY = "Reply with one line per query and nothing else: <number>: SKILLS=<names separated by commas, or none>";

async function choose(
  speaker: Speaker,
  library: Library,
  queries: readonly Query[],
  signal: AbortSignal,
): Promise<Chosen[]> {
  const lines = queries.map(({ text }, at) => `${at + 1}: ${JSON.stringify(text)}`);
  const cards = cardLines(library, { ask: lines.join("\n"), run: queries[0]?.asking.run ?? 1 });
  const prompt = `SKILLS:\n${cards.join("\n")}\n\nUSER QUERIES:\n${lines.join("\n")}\n\n${REPLY}`;
  const timeoutMs = queries[0]?.asking.timeoutMs;
  const said = await speaker.say({ system: SYSTEM, prompt, signal, timeoutMs });
  const { finalText, usage, costUsd, costEstimated = false } = said;
  const error = unsaid(said);
  const part = {
    usd: costUsd === undefined ? undefined : costUsd / queries.length,
    usage: usage && shareOf(usage, queries.length),
    estimated: costEstimated,
  };
  if (error !== undefined) return queries.map(() => ({ ids: [], error, ...part }));
  const routes = parseRoutes(finalText, library, queries.length);
  return routes.map((ids) => (ids === null ? { ids: [], error: unreadable(finalText), ...part } : { ids, ...part }));
}

function shareOf(usage: Usage, queries: number): Usage {
  return Object.fromEntries(Object.entries(usage).map(([key, tokens]) => [key, Math.round((tokens ?? 0) / queries)]));
}

function unreadable(reply: string): TrialError {
  const shown = reply.length > 200 ? `${reply.slice(0, 200)}…` : reply;
  return {
    reason: "unparseable",
    message: `the reply has no readable line for this query: ${JSON.stringify(shown)}`,
    retryable: true,
  };
}
