import { setTimeout as sleep } from "node:timers/promises";
import { fingerprint } from "../../src/base/index.ts";
import { loadConfig, type RunSettings } from "../../src/base/options/index.ts";
import type { RunRequest } from "../../src/exam/ask/index.ts";
import { askExam, planExams } from "../../src/exam/index.ts";
import type { Exam } from "../../src/exam/plan/index.ts";
import type { RecordPlace } from "../../src/exam/record/index.ts";
import type { QuestionLine, TrialEvent } from "../../src/model/index.ts";

/** How well an agent that is made up does, from 0 to 1. */
export interface Agent {
  id: string;
  model: string;
  /** How often it finds the right skill, how often a rival takes the prompt, how often it fails altogether. */
  skill: number;
  theft: number;
  errors: number;
  /** Skills whose prompts always go to this one. */
  thieves?: Record<string, string>;
  /** Of its library, how many skills it is shown whole, and how many by name. */
  shown?: { whole: number; cut: number };
  seed?: number;
  /** Prompts that it takes its time for, step by step: the others it answers at once. */
  slowly?: string[];
}

/** Sits an exam with agents that are made up: the whole way from the plan to the record is the real one. */
export async function sitDemo(
  dir: string,
  agents: Agent[],
  flags: RunSettings = {},
  request: RunRequest = {},
  before: () => Promise<void> = async () => {},
): Promise<RecordPlace> {
  const config = await loadConfig({ cwd: dir, env: {} });
  const [exam] = await planExams({
    cwd: dir,
    config,
    env: {},
    defined: agents.map(({ id }) => ({ id, predicted: false, ask: () => ({}) })),
    flags: { cache: false, ...flags, targets: [...(flags.targets ?? []), ...agents.map(({ id }) => id)] },
  });
  if (exam === undefined) throw new Error("There is nothing to ask");
  for (const agent of agents) play(exam, agent, before);
  return (await askExam(exam, request)).place;
}

function play(exam: Exam, agent: Agent, before: () => Promise<void>): void {
  const planned = exam.targets.find(({ target }) => target.id === agent.id);
  if (planned === undefined) return;
  const wanted = new Map<string, QuestionLine[]>();
  for (const question of exam.plan.questions)
    wanted.set(question.prompt, [...(wanted.get(question.prompt) ?? []), question]);
  const ids = exam.library.skills.map(({ id }) => id);
  planned.target.identify = async () => ({
    host: "demo",
    version: "2.1",
    model: agent.model,
    options: { seed: agent.seed ?? 1 },
    deterministic: false,
  });
  planned.identity = {
    host: "demo",
    version: "2.1",
    model: agent.model,
    options: { seed: agent.seed ?? 1 },
    deterministic: false,
  };
  planned.target.open = async () => ({
    async ask({ prompt }, { run }) {
      const dice = (salt: string) =>
        Number.parseInt(fingerprint([agent.id, agent.seed ?? 1, prompt, run, salt]).slice(0, 8), 16) / 2 ** 32;
      await before();
      const questions = wanted.get(prompt) ?? [];
      const expected = questions.flatMap(({ expect }) => expect?.required_skills ?? [])[0];
      const events = eventsOf({ prompt, expected, ids, agent, dice });
      const pace = agent.slowly?.includes(prompt) ? (step: number) => 20 + 90 * dice(`pace ${step}`) : undefined;
      return {
        events: told(events, pace),
        raw: () => events.map((event) => `${JSON.stringify(event)}\n`).join(""),
        dispose: async () => {},
      };
    },
    close: async () => {},
  });
}

/** As a host tells: each step when it is taken. */
async function* told(
  events: readonly TrialEvent[],
  pace: ((step: number) => number) | undefined,
): AsyncGenerator<TrialEvent> {
  for (const [step, event] of events.entries()) {
    if (pace !== undefined) await sleep(pace(step));
    yield event.type === "text" || event.type === "call" || event.type === "result"
      ? { ...event, at: Date.now() }
      : event;
  }
}

interface Scene {
  prompt: string;
  expected: string | undefined;
  ids: string[];
  agent: Agent;
  dice(salt: string): number;
}

function eventsOf({ prompt, expected, ids, agent, dice }: Scene): TrialEvent[] {
  const listing =
    agent.shown &&
    ids.map((skill, at) => ({
      skill,
      shown:
        at < agent.shown!.whole
          ? ("whole" as const)
          : at < agent.shown!.whole + agent.shown!.cut
            ? ("cut" as const)
            : ("bare" as const),
    }));
  const usage = {
    inputTokens: 1800 + Math.round(dice("in") * 4000),
    outputTokens: 90 + Math.round(dice("out") * 600),
    cacheReadTokens: 9000,
  };
  const cost = { usage, costUsd: 0.002 + dice("cost") * 0.004, listing, model: agent.model };
  if (dice("error") < agent.errors)
    return [
      {
        type: "end",
        how: "error",
        error: {
          reason: dice("kind") < 0.6 ? "rate_limit" : "timeout",
          message: dice("kind") < 0.6 ? "429: too many requests, try again in 20 s" : "No answer within 120 s",
          retryable: false,
        },
        listing,
      },
    ];
  const fired = firedIn({ prompt, expected, ids, agent, dice });
  if (fired === undefined)
    return [
      {
        type: "text",
        turn: 1,
        text:
          dice("back") < 0.3
            ? "Could you tell me a little more about what you need?"
            : `Here is what I would do about “${prompt}”: open it, look at the parts that matter, and go from there.`,
      },
      { type: "end", how: "completed", ...cost },
    ];
  const events: TrialEvent[] = [
    { type: "text", turn: 1, text: `I will use the ${fired} skill for this.` },
    { type: "call", turn: 1, id: "a", tool: "Skill", input: { command: fired } },
    { type: "result", id: "a", ok: true, text: `Launching skill: ${fired}` },
    { type: "activation", skill: fired, turn: 1, evidence: "loaded" },
  ];
  if (dice("more") < 0.7)
    events.push(
      {
        type: "call",
        turn: 2,
        id: "b",
        tool: "Bash",
        input: { command: "ls -la inbox && head -40 inbox/README.md", description: "Look at what is there" },
      },
      {
        type: "result",
        id: "b",
        ok: true,
        text: Array.from(
          { length: 30 },
          (_, at) => `-rw-r--r-- 1 demo demo ${1200 + at * 37} Nov 1${at % 7} 09:${10 + at} inbox/file-${at + 1}.txt`,
        ).join("\n"),
      },
      {
        type: "call",
        turn: 3,
        id: "c",
        tool: "Task",
        input: { description: "Read the long one", prompt: "Read inbox/file-7.txt and tell me what matters" },
      },
      {
        type: "text",
        turn: 3,
        agent: "reader",
        text: "It is a list of twelve entries; the fourth is the one that matters.",
      },
      { type: "call", turn: 3, id: "d", agent: "reader", tool: "Read", input: { file_path: "inbox/file-7.txt" } },
      {
        type: "result",
        id: "d",
        ok: dice("read") > 0.2,
        text:
          dice("read") > 0.2
            ? "1  The first entry\n2  The second entry\n4  The one that matters"
            : "File does not exist",
      },
      { type: "result", id: "c", ok: true, text: "The fourth entry is the one that matters." },
      { type: "text", turn: 4, text: "Done. The fourth entry was the one that mattered; I changed nothing else." },
    );
  return [...events, { type: "end", how: dice("end") < 0.1 ? "max_turns" : "completed", ...cost }];
}

function firedIn({ prompt, expected, ids, agent, dice }: Scene): string | undefined {
  if (expected === undefined) return dice("false") < 0.04 ? ids[Math.floor(dice("which") * ids.length)] : undefined;
  const thief = agent.thieves?.[expected];
  if (thief !== undefined && dice("thief") < 0.8) return thief;
  // Some prompts are hard, whoever is asked, and some of those go either way.
  const hard = Number.parseInt(fingerprint(["hard", prompt]).slice(0, 8), 16) / 2 ** 32;
  const chance = hard < 1 - agent.skill ? 0.35 : 0.99;
  if (dice("hit") < chance) return expected;
  const family = ids.filter((id) => id !== expected && id.split("-")[0] === expected.split("-")[0]);
  return dice("theft") < agent.theft ? family[Math.floor(hard * 997) % Math.max(1, family.length)] : undefined;
}
