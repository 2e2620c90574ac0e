import { type LoopbackRequest, type Scenario, type ScriptedMove, startLoopback } from "../../src/loopback/index.ts";
import type { Activation, EndEvent, TrialEvent } from "../../src/model/index.ts";
import { rereadTrial } from "../../src/targets/agents/index.ts";
import type { Check } from "./checks.ts";
import type { Dialect } from "./dialects.ts";
import { type Bench, targetOf } from "./harness.ts";

const SECOND = "SECOND-MESSAGE: and now go on.";

export interface Talk {
  name: string;
  /** Of both messages, one after the other. */
  script(d: Dialect): Scenario;
  maxTurns?: number;
  expect(d: Dialect): string;
}

const subAgent = (d: Dialect, after: ScriptedMove[]): Scenario => ({
  steps: [
    ...("call" in d.subAgent ? [{ calls: [d.subAgent.call("SUBTASK: do the part about charts.")] }] : []),
    ...(d.afterSubAgent ?? []),
    ...after,
  ],
  rules: [{ when: "SUBTASK", steps: [{ calls: [d.load("alpha")] }] }],
});

/** What the second message does is told once, on the turns that follow those of the first. */
export const talks: Talk[] = [
  {
    name: "a skill after the second message",
    script: (d) => ({ steps: [{ text: "Which one?" }, { calls: [d.load("alpha")] }, { text: "There it is." }] }),
    expect: () => "alpha on 2; 2 texts; completed",
  },
  {
    name: "a skill before it",
    script: (d) => ({ steps: [{ calls: [d.load("alpha")] }, { text: "Which one?" }, { text: "There it is." }] }),
    expect: () => "alpha on 1; 2 texts; completed",
  },
  {
    name: "a sub-agent before it, a skill after it",
    script: (d) => subAgent(d, [{ text: "Which one?" }, { calls: [d.load("beta")] }, { text: "There it is." }]),
    // A sub-agent of Qwen Code works in the background: its agent goes on meanwhile, and speaks once more when it is told of the end.
    expect: (d) =>
      `alpha on 1 in a sub-agent, beta on ${3 + (d.afterSubAgent ?? []).length}; ${d.id === "qwen" ? 3 : 2} texts; completed`,
  },
  {
    name: "the limit of turns is that of both",
    script: (d) => ({
      steps: [
        { calls: [d.shell("ls")] },
        { text: "Which one?" },
        { calls: [d.load("alpha")] },
        { calls: [d.load("beta")] },
        { calls: [d.shell("ls")] },
      ],
    }),
    maxTurns: 4,
    expect: () => "alpha on 3, beta on 4; 1 texts; max_turns",
  },
  {
    name: "an error after it",
    script: () => ({ steps: [{ text: "Which one?" }, { fault: "status", status: 401 }] }),
    expect: () => "error: auth",
  },
];

/** A case of two messages: the second goes on with the session of the first. */
export const followUps: Check = {
  name: "a case of two messages",
  async run(dialect, bench) {
    const wrong: string[] = [];
    const prices = new Set<string>();
    for (const talk of talks) {
      const { said, price } = await hold(talk, dialect, bench);
      if (price !== undefined) prices.add(price.toFixed(6));
      if (said !== talk.expect(dialect)) wrong.push(`${talk.name}: ${said}, not ${talk.expect(dialect)}`);
    }
    // All answers have as many tokens.
    if (prices.size > 1) wrong.push(`an answer costs ${[...prices].join(" or ")} dollars`);
    const wanted = `${talks.length} told right`;
    return { right: wrong.length === 0, said: wrong.length === 0 ? wanted : wrong.join("; "), wanted };
  },
};

async function hold(talk: Talk, dialect: Dialect, bench: Bench): Promise<{ said: string; price?: number | undefined }> {
  const server = await startLoopback({ it: talk.script(dialect) });
  try {
    const target = await targetOf(dialect, bench, `${server.url}/it/1${dialect.base}`, {
      canary: false,
      sandbox: "off",
    });
    const sitting = await target.open(bench.library);
    const limits = talk.maxTurns === undefined ? {} : { maxTurns: talk.maxTurns };
    const ask = {
      key: "talk",
      kind: "case" as const,
      skill: "alpha",
      prompt: "Please help me.",
      files: [],
      messages: [],
      library: "",
      limits,
      followUps: [SECOND],
    };
    const next = async (_said: string, answers: number) => (answers === 1 ? SECOND : undefined);
    const answer = await sitting.ask(ask, { run: 1, signal: AbortSignal.timeout(90_000), decided: () => false, next });
    const events: TrialEvent[] = [];
    for await (const event of answer.events) events.push(event);
    const raw = answer.raw?.() ?? "";
    await sitting.close();
    const again = await rereadTrial(raw, { skills: bench.library.skills, decided: () => false });
    const end = events.at(-1) as EndEvent;
    const { requests } = server;
    if (told(events) === talk.expect(dialect)) bench.record?.(recordingOf(talk), raw, summary(events));
    const said = [told(events), ...differences(events, again.status === "read" ? again.events : [], requests)].join(
      "; ",
    );
    return {
      said,
      price: end.error === undefined && end.costUsd !== undefined ? end.costUsd / requests.length : undefined,
    };
  } finally {
    await server.close();
  }
}

export function recordingOf({ name }: Talk): string {
  return `two messages, ${name}`;
}

/** With what was spent. */
export function summary(events: TrialEvent[]): string {
  const { usage, costUsd } = events.at(-1) as EndEvent;
  return `${told(events)}; ${usage?.inputTokens ?? "?"} and ${usage?.outputTokens ?? "?"} tokens; ${costUsd?.toFixed(4) ?? "?"} dollars`;
}

function told(events: TrialEvent[]): string {
  const end = events.at(-1) as EndEvent;
  if (end.error !== undefined) return `error: ${end.error.reason}`;
  const fired = events
    .filter((event) => event.type === "activation")
    .map(
      (activation: Activation) =>
        `${activation.skill} on ${activation.turn}${activation.agent === undefined ? "" : " in a sub-agent"}`,
    );
  return `${fired.join(", ") || "none"}; ${events.filter((event) => event.type === "text" && event.agent === undefined && event.text.trim() !== "").length} texts; ${end.how}`;
}

/** What is kept must tell the same again, calls be told once, and tokens be those that the server counted. */
function differences(events: TrialEvent[], again: TrialEvent[], requests: readonly LoopbackRequest[]): string[] {
  const calls = events.flatMap((event) => (event.type === "call" ? [event.id] : []));
  const end = events.at(-1) as EndEvent;
  const tokens = tokensOf(end, requests.length);
  return [
    ...(new Set(calls).size === calls.length ? [] : ["a call is told twice"]),
    ...(told(again) === told(events) ? [] : [`read again: ${told(again)}`]),
    ...(requests.some(({ body }) => JSON.stringify(body).includes("SECOND-MESSAGE"))
      ? []
      : ["the second message was not delivered"]),
    // A CLI that was ended may have told nothing of them.
    ...(end.error !== undefined || tokens === "all" || (end.how === "max_turns" && end.usage === undefined)
      ? []
      : [tokens]),
  ];
}

/** Whether the tokens that were told are those of so many answers of the scripted model. */
function tokensOf({ usage }: EndEvent, answers: number): string {
  const wanted = { input: 1000 * answers, output: 20 * answers };
  const [input, output] = [usage?.inputTokens, usage?.outputTokens];
  return input === wanted.input && output === wanted.output
    ? "all"
    : `${input} and ${output} tokens, not ${wanted.input} and ${wanted.output}`;
}

/** What a sub-agent spends is spent. */
export const subAgentTokens: Check = {
  name: "the tokens of an agent and its sub-agent",
  not: (d) => ("why" in d.subAgent ? d.subAgent.why : undefined),
  async run(dialect, bench) {
    const server = await startLoopback({ it: subAgent(dialect, [{ text: "Done." }]) });
    try {
      const target = await targetOf(dialect, bench, `${server.url}/it/1${dialect.base}`);
      const sitting = await target.open(bench.library);
      const ask = {
        key: "tokens",
        kind: "trigger" as const,
        prompt: "Please help me.",
        files: [],
        messages: [],
        library: "",
        limits: {},
      };
      const answer = await sitting.ask(ask, { run: 1, signal: AbortSignal.timeout(90_000), decided: () => false });
      let end: EndEvent | undefined;
      for await (const event of answer.events) if (event.type === "end") end = event;
      await sitting.close();
      const said =
        end === undefined || end.error !== undefined
          ? `error: ${end?.error?.message}`
          : tokensOf(end, server.requests.length);
      return { right: said === "all", said, wanted: "all" };
    } finally {
      await server.close();
    }
  },
};
