import { Command } from "commander";
import { examples } from "./help.ts";
import { addOptions, settingsFrom } from "./options.ts";
import type { ReportFlags } from "./print-report.ts";

interface CompareFlags extends ReportFlags {
  gate: string[];
}

export function compareCommand(): Command {
  const command = new Command("compare")
    .description("Put two runs side by side: what differed, which questions changed, and whether that is more than noise.")
    .argument("[before]", "the earlier run: its id, its folder or its record.jsonl (default: the one before)")
    .argument("[now]", "the later run (default: the newest)");
  return addOptions(command, "compare", { headings: true })
    .addHelpText(
      "after",
      examples(
        [
          ["proctor compare", "the newest run with the one before"],
          ["proctor compare 2026-11-15-a 2026-11-16-b", "two runs"],
          ["proctor compare --gate no-regression --gate 'new-thefts<=0'", "fail where something got worse"],
        ],
        "compare.md",
      ),
    )
    .action(async (before: string | undefined, now: string | undefined, flags: CompareFlags) => {
      process.exitCode = await compare(before, now, flags);
    });
}

async function compare(before: string | undefined, now: string | undefined, flags: CompareFlags): Promise<number> {
  const [api, { printComparison, readReporters }] = await Promise.all([import("../api/index.ts"), import("./print-report.ts")]);
  const reporters = await readReporters(flags);
  const { allowPredicted, minCoverage } = settingsFrom(flags);
  const gates = flags.gate.length > 0 ? flags.gate : undefined;
  const compared = await api.compare({ before, now, gates, allowPredicted, minCoverage, config: flags.config });
  await printComparison(compared, reporters, flags);
  return compared.exitCode;
}
