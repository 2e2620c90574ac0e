import { type LoopbackRequest, type Scenario, startLoopback } from "../../src/loopback/index.ts";
import type { TrialEvent } from "../../src/model/index.ts";
import { type OpenTarget, resolveTarget } from "../../src/targets/index.ts";
import type { Check } from "./checks.ts";
import { leakOf } from "./cli-judge.ts";
import type { Dialect } from "./dialects.ts";
import { type Bench, environment } from "./harness.ts";

const only = ({ id }: Dialect) =>
  id === "claude" || id === "codex" ? undefined : "only claude and codex are asked to speak";
const NO_LEAK = "no shell, no web, no bodies";

const QUERIES = ["Please make an alpha chart.", "What is the time?"];

const routes: Record<string, { scenario: Scenario; wanted: string }> = {
  both: { scenario: says("1: SKILLS=alpha\n2: SKILLS=none"), wanted: "alpha predicted / none" },
  "one line": { scenario: says("2: SKILLS=beta"), wanted: "error: unparseable / beta predicted" },
  "an unknown skill": { scenario: says("1: SKILLS=nobody\n2: SKILLS=none"), wanted: "error: unparseable / none" },
  "no line": { scenario: says("Perhaps."), wanted: "error: unparseable / error: unparseable" },
  "a cut list": {
    scenario: {
      steps: Array.from({ length: 8 }, () => ({ text: "1: SKILLS=none\n2: SKILLS=beta", ends: "length" as const })),
    },
    wanted: "error: cut_answer / error: cut_answer",
  },
  "401": { scenario: { steps: [{ fault: "status", status: 401 }] }, wanted: "error: auth / error: auth" },
};

/** All cards in one call, for two queries at once. */
export const cliRouter: Check = {
  name: "as a router of all cards",
  not: only,
  run: (dialect, bench) =>
    examine(routes, {
      async ask(scenario, url) {
        const answers = await inSitting(dialect, bench, `router:cli/${dialect.id}:${dialect.model}`, url, (sitting) =>
          Promise.all(QUERIES.map((prompt) => answerTo(sitting, { kind: "trigger", prompt }))),
        );
        return { scenario, said: answers.map(predicted).join(" / ") };
      },
      leak: (requests) =>
        leakOf(requests, {
          needs: [...QUERIES, "Draws alpha charts from CSV files", "Formats beta invoices"],
          lacks: /BODY-OF|skills_instructions/,
        }),
    }),
};

const answers: Record<string, { scenario: Scenario; wanted: string }> = {
  text: { scenario: says("The answer is 42."), wanted: "said: The answer is 42." },
  "an empty answer": { scenario: { steps: Array.from({ length: 8 }, () => ({})) }, wanted: "error: unparseable" },
  "a cut answer": {
    scenario: { steps: Array.from({ length: 8 }, () => ({ text: "I was", ends: "length" as const })) },
    wanted: "error: cut_answer",
  },
  "401": { scenario: { steps: [{ fault: "status", status: 401 }] }, wanted: "error: auth" },
};

const CASE = "How many are six times seven?";

/** A case's prompt in one plain turn. */
export const cliModel: Check = {
  name: "as a model without tools",
  not: only,
  run: (dialect, bench) =>
    examine(answers, {
      async ask(scenario, url) {
        const events = await inSitting(dialect, bench, `model:cli/${dialect.id}:${dialect.model}`, url, (sitting) =>
          answerTo(sitting, { kind: "case", skill: "alpha", prompt: CASE }),
        );
        const text = events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
        return { scenario, said: text === "" ? predicted(events) : `said: ${text}` };
      },
      leak: (requests) =>
        leakOf(requests, {
          needs: [CASE],
          lacks: /BODY-OF|Formats beta invoices|skills_instructions|skills are available/,
        }),
    }),
};

function says(text: string): Scenario {
  return { steps: [{ text }, { text }] };
}

async function examine(
  table: Record<string, { scenario: Scenario; wanted: string }>,
  how: {
    ask(scenario: string, url: string): Promise<{ scenario: string; said: string }>;
    leak(requests: readonly LoopbackRequest[]): string | undefined;
  },
): ReturnType<Check["run"]> {
  const server = await startLoopback(
    Object.fromEntries(Object.entries(table).map(([name, { scenario }]) => [name.replaceAll(" ", "-"), scenario])),
  );
  try {
    const parts: string[] = [];
    for (const name of Object.keys(table)) {
      const { said } = await how.ask(name, `${server.url}/${name.replaceAll(" ", "-")}/1`);
      parts.push(`${name}: ${said}`);
    }
    const said = [...parts, how.leak(server.requests) ?? NO_LEAK].join("; ");
    const wanted = [...Object.entries(table).map(([name, { wanted }]) => `${name}: ${wanted}`), NO_LEAK].join("; ");
    return { right: said === wanted, said, wanted };
  } finally {
    await server.close();
  }
}

async function inSitting<T>(
  dialect: Dialect,
  bench: Bench,
  target: string,
  url: string,
  use: (sitting: OpenTarget) => Promise<T>,
): Promise<T> {
  const settings = { endpoint: `${url}${dialect.base}` };
  const opened = await resolveTarget(target, { cwd: bench.cacheDir, env: environment(dialect, bench), settings });
  const sitting = await opened.open(bench.library);
  try {
    return await use(sitting);
  } finally {
    await sitting.close();
  }
}

async function answerTo(
  sitting: OpenTarget,
  asked: { kind: "trigger" | "case"; skill?: string; prompt: string },
): Promise<TrialEvent[]> {
  const ask = { key: asked.prompt, files: [], messages: [], library: "", limits: {}, ...asked };
  const answer = await sitting.ask(ask, { run: 1, signal: AbortSignal.timeout(60_000), decided: () => false });
  const events: TrialEvent[] = [];
  for await (const event of answer.events) events.push(event);
  return events;
}

export function predicted(events: readonly TrialEvent[]): string {
  const end = events.at(-1);
  if (end?.type === "end" && end.error !== undefined) return `error: ${end.error.reason}`;
  const fired = events.flatMap((event) => (event.type === "activation" ? [`${event.skill} ${event.evidence}`] : []));
  return fired.length === 0 ? "none" : fired.join(", ");
}
