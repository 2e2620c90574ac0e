import type { Scores } from "../../model/index.ts";
import { oneLine, wrap } from "../text/fit-text.ts";
import { intervalText, questionsText } from "../text/numbers.ts";
import type { ReportScreen } from "./screen.ts";

/** pass@k and pass^k, for those who ask for all there is. */
export function attemptLines({ targets }: Scores, { verbose, width }: ReportScreen): string[] {
  if (!verbose) return [];
  return targets.flatMap(({ id, attempts }) => {
    const shown = attempts.map(
      ({ k, passAt, passAtInterval, passAll, passAllInterval, ...over }) =>
        `pass@${k} ${passAt.toFixed(2)}${intervalText(passAtInterval)} pass^${k} ${passAll.toFixed(2)}${intervalText(passAllInterval)} over ${questionsText(over)}`,
    );
    return shown.length === 0 ? [] : wrap(`${targets.length > 1 ? `${oneLine(id)}: ` : ""}${shown.join(" · ")}`, width);
  });
}
