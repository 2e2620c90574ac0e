import { statSync } from "node:fs";
import type { Library, QuestionLine, SkillInvocation, TrialLine } from "../../../model/index.ts";
import { countedActivations } from "../../../model/index.ts";
import { listRuns, openRecord, readRecord } from "../../record/index.ts";
import { roleOf } from "../../score/index.ts";

/** What an agent did: on a prompt, did it activate a skill that a question is about? */
export interface Decisions {
  /** The agent with the most trials; undefined when there are none. */
  agent?: string;
  decisions: { query: string; skill: string; fired: boolean }[];
  /** What became of each trigger that it was asked. */
  triggers: { query: string; expect: SkillInvocation; fails: boolean }[];
  /** Trials of agents on other cards of a library of this name, which say nothing about these. */
  elsewhere: number;
}

/** The newest runs are read, and no larger record than this. */
const RUNS = 20;
const LARGEST = 100_000_000;

/** From the records kept here: only trials on the very cards of this library, since an edit may change what an agent does. */
export async function agentDecisions(
  home: string,
  library: Library,
  queryOf: (ask: Asked) => string,
): Promise<Decisions> {
  const seen: SeenTrials = { byAgent: new Map(), elsewhere: 0 };
  for (const run of (await listRuns(home)).slice(-RUNS)) {
    try {
      await addRun(home, run, library, queryOf, seen);
    } catch {
      // A damaged or foreign record says nothing, and harms nothing.
    }
  }
  const { byAgent, elsewhere } = seen;
  const [best] = [...byAgent].sort(([a, one], [b, other]) => other.skills.size - one.skills.size || (a < b ? -1 : 1));
  if (best === undefined) return { decisions: [], triggers: [], elsewhere };
  const [agent, { skills, triggers }] = best;
  return {
    agent,
    decisions: [...skills.values()].map(({ query, skill, fired, trials }) => ({
      query,
      skill,
      fired: fired * 2 >= trials,
    })),
    // As a verdict with the usual thresholds: of as many hits as misses, a positive passes and a negative fails.
    triggers: [...triggers.values()].map(({ query, expect, positive, passed, trials }) => ({
      query,
      expect,
      fails: positive ? passed * 2 < trials : passed * 2 <= trials,
    })),
    elsewhere,
  };
}

type Asked = { prompt: string; messages: { role: "user" | "assistant"; content: string }[] };

interface Count {
  query: string;
  skill: string;
  fired: number;
  trials: number;
}

interface TriggerCount {
  query: string;
  expect: SkillInvocation;
  positive: boolean;
  passed: number;
  trials: number;
}

interface SeenTrials {
  /** Of each agent: by query and skill, and by question. */
  byAgent: Map<string, { skills: Map<string, Count>; triggers: Map<string, TriggerCount> }>;
  elsewhere: number;
}

async function addRun(
  home: string,
  run: string,
  library: Library,
  queryOf: (ask: Asked) => string,
  seen: SeenTrials,
): Promise<void> {
  const { file } = await openRecord(home, run);
  if (statSync(file).size > LARGEST) return;
  const agents = new Set<string>();
  const questions = new Map<string, QuestionLine[]>();
  let isThis = true;
  for await (const line of readRecord(file)) {
    if (line.type === "header") {
      for (const { id, kind } of line.targets) if (kind === "agent") agents.add(id);
      isThis = line.library.fingerprint === library.fingerprint;
      if (agents.size === 0 || (!isThis && line.library.name !== library.name)) return;
    } else if (line.type === "question") questions.set(line.ask, [...(questions.get(line.ask) ?? []), line]);
    else if (line.type === "trial" && agents.has(line.target) && line.error === undefined) {
      if (isThis) addTrial(line, questions, queryOf, seen);
      else seen.elsewhere++;
    }
  }
}

function addTrial(
  trial: TrialLine,
  questions: ReadonlyMap<string, QuestionLine[]>,
  queryOf: (ask: Asked) => string,
  { byAgent }: SeenTrials,
): void {
  const fired = new Set(countedActivations(trial.activations).map(({ skill }) => skill));
  const about = questions.get(trial.ask) ?? [];
  const skills = new Set(
    about.flatMap(({ expect }) => [...(expect?.required_skills ?? []), ...(expect?.forbidden_skills ?? [])]),
  );
  const prompt = about[0]?.prompt;
  if (prompt === undefined) return;
  const query = queryOf({ prompt, messages: [] });
  const counts = byAgent.get(trial.target) ?? {
    skills: new Map<string, Count>(),
    triggers: new Map<string, TriggerCount>(),
  };
  byAgent.set(trial.target, counts);
  for (const skill of skills) {
    const key = `${query}\0${skill}`;
    const count = counts.skills.get(key) ?? { query, skill, fired: 0, trials: 0 };
    counts.skills.set(key, { ...count, fired: count.fired + Number(fired.has(skill)), trials: count.trials + 1 });
  }
  for (const question of about) {
    const expect = question.expect as SkillInvocation | undefined;
    const check = trial.checks.find((one) => one.question === question.id);
    if (question.kind !== "trigger" || expect === undefined || typeof check?.passed !== "boolean") continue;
    const key = `${question.id}\0${trial.ask}\0${JSON.stringify(expect)}`;
    const count = counts.triggers.get(key) ?? {
      query,
      expect,
      positive: roleOf(question).role === "positive",
      passed: 0,
      trials: 0,
    };
    counts.triggers.set(key, { ...count, passed: count.passed + Number(check.passed), trials: count.trials + 1 });
  }
}
