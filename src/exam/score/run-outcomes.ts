import type { AskTally } from "./tallies/ask-tally.ts";
import { passed } from "./tallies/kept-runs.ts";
import type { QuestionTally } from "./tallies/question-tally.ts";
import type { TargetTally } from "./tallies/target-tally.ts";

/**
 * How each run of a question went, a character each: `+` right, `-` wrong, `?` measured but not to be told, `!` an error, `.` not asked.
 * By the question's id, as counted for its verdict.
 */
export function runOutcomes({ asks, target }: TargetTally): Map<string, string> {
  const outcomes = new Map<string, string>();
  for (const ask of asks.values())
    for (const question of ask.questions)
      if (question.line.skipped[target.id] === undefined)
        outcomes.set(question.line.id, outcomesOf(question, ask, target.id));
  return outcomes;
}

function outcomesOf({ runs = [], line }: QuestionTally, { states = [] }: AskTally, target: string): string {
  const length = line.runs[target] ?? Math.max(runs.length, states.length);
  let text = "";
  for (let at = 0; at < length; at++) {
    const [run, state] = [runs[at], states[at]];
    text += run !== undefined ? (passed(run) ? "+" : "-") : state === undefined ? "." : state === 0 ? "?" : "!";
  }
  return text;
}
