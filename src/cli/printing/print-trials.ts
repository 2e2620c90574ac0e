import { relativePosix } from "../../base/index.ts";
import { trialText } from "../../reporters/index.ts";
import type { StoredTrials } from "../../verbs/index.ts";
import { print } from "./print.ts";
import { hasColor, terminalWidth } from "./terminal.ts";

export const MOST_TRIALS = 10;

export async function printTrialsJson({ record, damaged, total, trials }: StoredTrials): Promise<void> {
  const head = { version: 1, run: record.run, damaged, total };
  print(`${JSON.stringify(head, null, 2).slice(0, -2)},\n  "trials": [`);
  let between = "\n";
  for await (const { line, ...asked } of trials) {
    print(`${between}${JSON.stringify({ ...asked, ...line }, null, 2)}`);
    between = ",\n";
  }
  print("\n  ]\n}\n");
}

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
