import type { AskTallies } from "../tallies/ask-tally.ts";
import type { QuestionTally } from "../tallies/question-tally.ts";

/** Does a negative name the sibling that should win, or is its very prompt a sibling's positive? */
export function siblingsOf(
  { line, skill, role, expectsSibling }: QuestionTally,
  shared: AskTallies,
): { expectsSibling: boolean; belongsToSibling: boolean } {
  if (role === "positive") return { expectsSibling: false, belongsToSibling: false };
  const others = shared.get(line.ask)?.questions ?? [];
  return {
    expectsSibling,
    belongsToSibling: others.some(
      (other) => other.role === "positive" && other.skill !== undefined && other.skill !== skill,
    ),
  };
}
