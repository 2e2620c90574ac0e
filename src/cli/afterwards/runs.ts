import { Command } from "commander";
import { count, printable } from "../../base/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions, wholeNumber } from "../flags/options.ts";
import { print } from "../printing/print.ts";

interface PruneFlags {
  keep?: number;
  olderThan?: number;
  dryRun?: boolean;
  json?: boolean;
  config?: string;
}

type Runs = Awaited<ReturnType<typeof import("../../verbs/index.ts").runs>>;

export function runsCommand(): Command {
  const list = new Command("runs").description(
    "List the runs kept here, with their size; `runs prune` removes old ones.",
  );
  return addOptions(list, "runs")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor runs", "every run kept here"],
          ["proctor runs prune --keep 20", "remove all but the newest twenty"],
          ["proctor runs prune --older-than 30 --dry-run", "what that would remove"],
        ],
        "run.md",
      ),
    )
    .action(async ({ json, config }: { json?: boolean; config?: string }) => {
      const { runs } = await import("../../verbs/index.ts");
      const found = await runs({ config });
      print(json ? jsonText(found) : table(found));
    })
    .addCommand(pruneCommand());
}

function pruneCommand(): Command {
  const command = new Command("prune")
    .description("Remove old runs. Scores and reports of the others are not touched.")
    .option("--keep <n>", "keep at least this many of the newest", wholeNumber(0))
    .option("--older-than <days>", "only runs that are older than this many days", wholeNumber(0))
    .option("--dry-run", "show what would be removed, and remove nothing");
  return addOptions(command, "runs").action(async (_flags: PruneFlags, self: Command) => {
    // `runs` has --json and --config too, and takes them if they stand before `prune`.
    const { keep, olderThan, dryRun, json, config } = self.optsWithGlobals<PruneFlags>();
    const { pruneRuns } = await import("../../verbs/index.ts");
    const removed = await pruneRuns({ keep, olderThanDays: olderThan, dryRun, config });
    print(json ? jsonText(removed) : prunedText(removed, dryRun));
  });
}

function prunedText(removed: Runs, dryRun = false): string {
  const sum = `${dryRun ? "would remove" : "removed"} ${count(removed.length, "run")}, ${size(total(removed))}\n`;
  return removed.length === 0 ? sum : `${rowsText(removed)}${sum}`;
}

function table(runs: Runs): string {
  const last = runs.at(-1);
  if (last === undefined) return "No runs are kept here.\nnext: proctor run\n";
  const again = last.startedAt !== null && ["interrupted", "unfinished"].includes(last.state);
  const next = `proctor ${again ? "run --resume" : "report"} ${last.run}`;
  return `${rowsText(runs)}${count(runs.length, "run")}, ${size(total(runs))}\nnext: ${next}\n`;
}

function rowsText(runs: Runs): string {
  const rows = runs.map((one) => [
    one.run,
    one.startedAt === null ? "unreadable" : `${one.startedAt.slice(0, 16).replace("T", " ")} UTC`,
    size(one.bytes),
    printable(one.library ?? ""),
    `${one.targets.map(printable).join(", ")}${remarks(one)}`,
  ]);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => (column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

const STATES = {
  complete: [],
  running: ["running now"],
  interrupted: ["interrupted"],
  stopped: ["stopped early"],
  unfinished: ["unfinished"],
};

function remarks({ startedAt, state, partial }: Runs[number]): string {
  const all = startedAt === null ? [] : [...STATES[state], ...(partial ? ["part of the questions"] : [])];
  return all.length === 0 ? "" : ` (${all.join(", ")})`;
}

function total(runs: Runs): number {
  return runs.reduce((sum, { bytes }) => sum + bytes, 0);
}

function size(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function jsonText(runs: Runs): string {
  return `${JSON.stringify({ version: 1, runs }, null, 2)}\n`;
}
