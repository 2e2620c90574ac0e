import { Command } from "commander";
import { UsageError } from "../../base/index.ts";
import type { ComparedRuns } from "../../history/index.ts";
import type { CompareOptions } from "../../verbs/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions, settingsFrom } from "../flags/options.ts";
import { sayBroken } from "../printing/broken-files.ts";
import { printError } from "../printing/print.ts";
import type { ReportFlags } from "../printing/print-report.ts";

interface CompareFlags extends ReportFlags {
  gate: string[];
  base?: string;
  cache?: boolean;
}

export function compareCommand(): Command {
  const command = new Command("compare")
    .description(
      "Put two runs side by side: what differed, which questions changed, and whether that is more than noise.",
    )
    .argument("[runs...]", "the earlier and the later run (default: the two newest); with --base: paths, as for run");
  return addOptions(command, "compare", { headings: true })
    .addHelpText(
      "after",
      examples(
        [
          ["proctor compare", "the newest run against the one before it"],
          ["proctor compare --base main", "what your edit does to routing, offline, in a second"],
          ["proctor compare --base main -t claude:haiku --budget 5", "the same on the real agent"],
          ["proctor compare 2026-11-15-a 2026-11-16-b --gate no-regression", "two runs; fail if anything got worse"],
        ],
        "compare.md",
      ),
    )
    .action(async (given: string[], flags: CompareFlags) => {
      process.exitCode = await compare(given, flags);
    });
}

async function compare(given: string[], flags: CompareFlags): Promise<number> {
  const [api, { jsonOfLibraries, printComparison, readReporters }] = await Promise.all([
    import("../../verbs/index.ts"),
    import("../printing/print-report.ts"),
  ]);
  const reporters = await readReporters(flags);
  const options: CompareOptions = {
    ...settingsFrom(flags),
    gates: flags.gate.length > 0 ? flags.gate : undefined,
    config: flags.config,
    ...(flags.base === undefined ? runsOf(given) : { paths: given }),
  };
  const { compared, isInterrupted } =
    flags.base === undefined
      ? { compared: await api.compare(options), isInterrupted: false }
      : await askedOn(options, flags);
  const together = jsonOfLibraries(reporters);
  for (const one of compared) {
    if (compared.length > 1) together.next();
    await printComparison(one, reporters, flags, { several: compared.length > 1 });
  }
  together.end();
  for (const { broken = [] } of compared) sayBroken(broken);
  if (isInterrupted) {
    const kept = flags.cache === false ? "" : " The answers so far are in the cache.";
    printError(
      `Interrupted${compared.length === 0 ? " before there was anything to compare" : ""}. Run the same command again to ask the rest.${kept}\n`,
    );
    return 130;
  }
  const { firstExitCode } = await import("../../exam/score/index.ts");
  return firstExitCode(
    compared.map(({ exitCode }) => exitCode),
    0,
  );
}

function runsOf(given: readonly string[]): Pick<CompareOptions, "before" | "now"> {
  const [before, now, ...more] = given;
  if (more.length > 0)
    throw new UsageError(`proctor compare takes two runs, not ${given.length}.`, "With --base REV it takes paths.");
  return { before, now };
}

async function askedOn(
  options: CompareOptions,
  flags: CompareFlags,
): Promise<{ compared: ComparedRuns[]; isInterrupted: boolean }> {
  const [api, { startScreen }, { interruptsOfRun }] = await Promise.all([
    import("../../verbs/index.ts"),
    import("../asking/screen.ts"),
    import("../asking/signals.ts"),
  ]);
  const signals = interruptsOfRun();
  const screen = startScreen({ quiet: flags.quiet === true, verbose: flags.verbose === true });
  signals.onFirst = () =>
    screen.say("Finishing the trials in progress. Press Ctrl-C again to stop now; either way nothing is lost.");
  signals.listen();
  try {
    const compared = await api.compare({
      ...options,
      signal: signals.finish,
      stop: signals.stop,
      on: (event) =>
        event.type === "prepared" || event.type === "result" || event.type === "changed"
          ? undefined
          : screen.show(event),
    });
    // A Ctrl-C after everything has been asked cuts nothing short.
    const isCut =
      compared.length === 0 ||
      compared.some(({ before, now }) => [before, now].some(({ scores }) => scores.run.how === "interrupted"));
    return { compared, isInterrupted: signals.finish.aborted && isCut };
  } finally {
    screen.stop();
    signals.forget();
  }
}
