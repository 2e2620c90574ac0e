import type { Scores } from "../../scores/index.ts";
import { oneLine, wrap } from "../text/fit-text.ts";
import type { ReportScreen } from "./screen.ts";

/** Every gate, met or not; a gate without a measurement is never green. */
export function gateLines({ gates, targets, options }: Scores, { colors, width }: ReportScreen): string[] {
  return gates.flatMap(({ gate, status, target, message, predicted }) => {
    const mark = { met: colors.green("✓"), breached: colors.red("✗"), unmeasured: colors.yellow("?") }[status];
    const where = targets.length > 1 && target !== "" ? ` on ${oneLine(target)}` : "";
    const advisory =
      status === "breached" && predicted && !options.allowPredicted
        ? "; predicted, so it does not fail the run without --allow-predicted"
        : "";
    const text = `gate ${oneLine(gate.text)}${where}: ${oneLine(message)}${advisory}`;
    return wrap(text, width - 2).map((line, index) => `${index === 0 ? mark : " "} ${line}`);
  });
}
