import { statSync } from "node:fs";
import { listRuns, openRecord, type QuestionLine, readRecord, type TrialLine } from "../../records/index.ts";
import type { Library } from "../../skills/index.ts";
import { countedActivations } from "../../transcripts/index.ts";

/** What an agent did: on a prompt, did it activate a skill that a question is about? */
export interface Decisions {
  /** The agent with the most trials; undefined when there are none. */
  agent?: string;
  decisions: { query: string; skill: string; fired: boolean; wanted: boolean }[];
}

/** The newest runs are read, and no larger record than this. */
const RUNS = 20;
const LARGEST = 100_000_000;

/** From the records kept here: only trials on the very cards of this library, since an edit may change what an agent does. */
export async function agentDecisions(home: string, library: Library, queryOf: (ask: Asked) => string): Promise<Decisions> {
  const seen: DecisionCounts = new Map();
  for (const run of (await listRuns(home)).slice(-RUNS)) {
    try {
      await addRun(home, run, library, queryOf, seen);
    } catch {
      // A damaged or foreign record says nothing, and harms nothing.
    }
  }
  const [best] = [...seen].sort(([a, one], [b, other]) => other.size - one.size || (a < b ? -1 : 1));
  if (best === undefined) return { decisions: [] };
  const [agent, counts] = best;
  return {
    agent,
    decisions: [...counts.values()].map(({ query, skill, fired, trials, wanted }) => ({
      query,
      skill,
      fired: fired * 2 >= trials,
      wanted,
    })),
  };
}

type Asked = { prompt: string; messages: { role: "user" | "assistant"; content: string }[] };

interface Count {
  query: string;
  skill: string;
  fired: number;
  trials: number;
  /** A question requires it. */
  wanted: boolean;
}

/** By agent, then by query and skill. */
type DecisionCounts = Map<string, Map<string, Count>>;

async function addRun(home: string, run: string, library: Library, queryOf: (ask: Asked) => string, seen: DecisionCounts): Promise<void> {
  const { file } = await openRecord(home, run);
  if (statSync(file).size > LARGEST) return;
  const agents = new Set<string>();
  const questions = new Map<string, QuestionLine[]>();
  for await (const line of readRecord(file)) {
    if (line.type === "header") {
      for (const { id, kind } of line.targets) if (kind === "agent") agents.add(id);
      if (agents.size === 0 || line.library.fingerprint !== library.fingerprint) return;
    } else if (line.type === "question") questions.set(line.ask, [...(questions.get(line.ask) ?? []), line]);
    else if (line.type === "trial" && agents.has(line.target) && line.error === undefined) addTrial(line, questions, queryOf, seen);
  }
}

function addTrial(
  trial: TrialLine,
  questions: ReadonlyMap<string, QuestionLine[]>,
  queryOf: (ask: Asked) => string,
  seen: DecisionCounts,
): void {
  const fired = new Set(countedActivations(trial.activations).map(({ skill }) => skill));
  const about = questions.get(trial.ask) ?? [];
  const skills = new Set(about.flatMap(({ expect }) => [...(expect?.required_skills ?? []), ...(expect?.forbidden_skills ?? [])]));
  const prompt = about[0]?.prompt;
  if (prompt === undefined) return;
  const query = queryOf({ prompt, messages: [] });
  const counts = seen.get(trial.target) ?? new Map<string, Count>();
  seen.set(trial.target, counts);
  for (const skill of skills) {
    const key = `${query}\0${skill}`;
    const wanted = about.some(({ expect }) => expect?.required_skills.includes(skill));
    const count = counts.get(key) ?? { query, skill, fired: 0, trials: 0, wanted };
    counts.set(key, { ...count, fired: count.fired + Number(fired.has(skill)), trials: count.trials + 1 });
  }
}
