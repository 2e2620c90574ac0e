import picocolors from "picocolors";
import type { Scores } from "../scores/index.ts";
import type { RenderOptions, Reporter } from "./reporter.ts";
import { causeLines } from "./terminal/causes.ts";
import { failureLines } from "./terminal/failures.ts";
import { gateLines } from "./terminal/gates.ts";
import { headLines } from "./terminal/head.ts";
import { matrixLines } from "./terminal/matrix.ts";
import { nextLines } from "./terminal/next.ts";
import { noVerdictLines } from "./terminal/no-verdict.ts";
import type { Screen } from "./terminal/screen.ts";
import { skillLines } from "./terminal/skills.ts";
import { targetLines } from "./terminal/targets.ts";
import { totalLines } from "./terminal/totals.ts";

/** The screen of `proctor run`: what is wrong, why, what to do next. */
export const terminal: Reporter = {
  name: "terminal",
  about: "for people: failures and why, scores, who is confused with whom",
  render: renderTerminal,
};

export function renderTerminal(scores: Scores, options: RenderOptions = {}): string {
  const screen: Screen = {
    colors: picocolors.createColors(options.color ?? false),
    width: Math.min(200, Math.max(80, options.width ?? 100)),
    verbose: options.verbose ?? false,
    record: options.record,
  };
  const wrong = [failureLines(scores, screen), noVerdictLines(scores, screen), gateLines(scores, screen)];
  const parts = options.quiet
    ? wrong
    : [
        headLines(scores, screen),
        ...wrong,
        targetLines(scores, screen),
        skillLines(scores, screen),
        ...scores.targets.map((target) => matrixLines(target, scores, screen)),
        causeLines(scores, screen),
        [...totalLines(scores, screen), ...nextLines(scores, screen)],
      ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}
