import type { Scores } from "../../scores/index.ts";
import { oneLine, truncate } from "../text/width.ts";
import type { Screen } from "./screen.ts";

/** Every gate, met or not; one without a measurement is never green. */
export function gateLines({ gates, targets, options }: Scores, { colors, width }: Screen): string[] {
  return gates.map(({ gate, status, target, message, predicted }) => {
    const mark = { met: colors.green("✓"), breached: colors.red("✗"), unmeasured: colors.yellow("?") }[status];
    const where = targets.length > 1 && target !== "" ? ` on ${oneLine(target)}` : "";
    const advisory =
      status === "breached" && predicted && !options.allowPredicted ? "; predicted, so it decides nothing without --allow-predicted" : "";
    return `${mark} ${truncate(`gate ${oneLine(gate.text)}${where}: ${oneLine(message)}${advisory}`, width - 2)}`;
  });
}
