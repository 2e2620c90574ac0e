import type { StoredTrials } from "../../api/index.ts";
import { relativePosix } from "../../base/index.ts";
import { trialText } from "../../reports/index.ts";
import { hasColor } from "./has-color.ts";
import { print } from "./print.ts";
import { terminalWidth } from "./terminal-width.ts";

/** Trials that are shown unless all are wanted. */
export const MOST_TRIALS = 10;

export async function printTrials({ record, damaged, total, trials }: StoredTrials, verbose: boolean): Promise<void> {
  const { createColors } = await import("picocolors");
  const options = { colors: createColors(hasColor(process.stdout)), width: terminalWidth(160), verbose };
  if (damaged > 0) print(`${damaged} lines of the record are damaged or missing; the rest is shown.\n\n`);
  let shown = 0;
  for await (const trial of trials) {
    print(`${trialText(trial, options)}\n\n`);
    shown++;
  }
  if (shown < total) print(`… and ${total - shown} more trials: --verbose shows all\n`);
  print(`record ${relativePosix(process.cwd(), record.dir) || "."}\n`);
}
