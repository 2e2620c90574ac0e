import type { StoredTrials } from "../api/index.ts";
import { relativePosix } from "../base/index.ts";
import { trialText } from "../reports/index.ts";
import { hasColor } from "./has-color.ts";
import { terminalWidth } from "./terminal-width.ts";

/** Trials that are shown unless all are wanted. */
export const MOST_TRIALS = 10;

export async function printTrials({ record, total, trials }: StoredTrials, verbose: boolean): Promise<void> {
  const { createColors } = await import("picocolors");
  const options = { colors: createColors(hasColor(process.stdout)), width: terminalWidth(160), verbose };
  let shown = 0;
  for await (const trial of trials) {
    process.stdout.write(`${trialText(trial, options)}\n\n`);
    shown++;
  }
  if (shown < total) process.stdout.write(`… and ${total - shown} more trials: --verbose shows all\n`);
  process.stdout.write(`record ${relativePosix(process.cwd(), record.dir) || "."}\n`);
}
