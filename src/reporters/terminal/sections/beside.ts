import type { Scores } from "../../../model/index.ts";
import { oneLine, wrap } from "../../text/fit-text.ts";
import type { ReportScreen } from "../screen.ts";
import { commandsFor } from "../suggested-commands.ts";

/** Questions that pass although another skill fires as well: the suite allows it, and whoever reads that they pass may not expect it. */
export function besideLines(scores: Scores, screen: ReportScreen): string[] {
  const { targets } = scores;
  // Where there is little room, it gives way to what fails.
  if (screen.room?.brief && targets.some(({ questions }) => questions.some(({ verdict }) => verdict === "fail")))
    return [];
  const commands = commandsFor(scores, screen);
  return targets.flatMap(({ id, questions, predicted }) => {
    const passing = questions.filter(({ verdict }) => verdict === "pass");
    const beside = passing.filter(({ beside: others }) => others !== undefined);
    if (beside.length === 0) return [];
    const where = targets.length > 1 ? `${oneLine(id)}: ` : "";
    const which = passing.length === 1 ? "the one that passes" : `${beside.length} of the ${passing.length} that pass`;
    // What an agent did is not in what the cards predict.
    const more = predicted ? commands.about("collisions") : "--cross counts it";
    return wrap(`${where}on ${which} another skill fires too: ${more}`, screen.width);
  });
}
