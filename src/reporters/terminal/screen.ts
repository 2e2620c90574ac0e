import type { createColors } from "picocolors";
import type { Since } from "../../history/index.ts";
import type { Scores } from "../../model/index.ts";
import type { BetterTarget } from "../reporter.ts";
import { shellWord, workersWord } from "../text/shell.ts";

/** What a screen that is not whole may take. Skills without a failure share a row in it. */
export interface Room {
  /** Lines for the failures that are told; two failures are told in any case. */
  failureLines: number;
  /** Lines for the prompt of one failure. */
  promptLines: number;
  /** Rows for skills that fail something. */
  skills: number;
  /** Counts without what is behind them: --verbose has that. */
  brief?: boolean;
}

/** What every part of the screen needs to draw itself. */
export interface ReportScreen {
  colors: ReturnType<typeof createColors>;
  width: number;
  verbose: boolean;
  /** How much of it is shown, where not everything fits on one screen. */
  room?: Room | undefined;
  record: string | undefined;
  /** The path that commands need to mean this library; undefined when they need none. */
  base: string | undefined;
  /** The paths that chose the questions, as seen from here; undefined when the run covered the whole library. */
  paths: string[] | undefined;
  /** The configuration that commands must name, if any. */
  config: string | undefined;
  /** Where workers made the trials, if it was named. */
  workers?: string | undefined;
  /** Who could be asked what a predicting target cannot tell; undefined where nobody has looked. */
  better?: BetterTarget | "nobody" | undefined;
  /** How the run compares with earlier ones. */
  since: readonly Since[];
}

/** Commands about this library and this run, to be typed in the folder where the report is read. */
export interface Commands {
  /** The same questions to the same targets, unless others are named, with further flags. */
  run(more: string[], targets?: string[]): string;
  resume(more?: string[]): string;
  /** This run, shown another way. */
  report(...more: string[]): string;
  /** Another command about the same library: `check`, `init NAME`, `route "…"`. */
  about(command: string): string;
}

/** The commands to suggest for a run. */
export function commandsFor(
  { run, targets }: Scores,
  { base, paths, config, workers }: Pick<ReportScreen, "base" | "paths" | "config" | "workers">,
): Commands {
  const library = base === undefined ? [] : [shellWord(base)];
  const configuration = config === undefined ? [] : ["--config", shellWord(config)];
  const elsewhere = workers === undefined ? [] : ["--workers", workersWord(workers)];
  const asked = paths === undefined ? library : paths.map((path) => shellWord(path));
  const all = run.ownTargets ? [] : targets.map(({ id }) => id);
  return {
    run: (more, of = all) =>
      [
        "proctor run",
        ...asked,
        ...of.flatMap((id) => ["-t", shellWord(id)]),
        ...run.said.map((word) => shellWord(word)),
        ...configuration,
        // Another target was found on this machine.
        ...(of === all ? elsewhere : []),
        ...more,
      ].join(" "),
    resume: (more = []) =>
      ["proctor run --resume", shellWord(run.id), ...configuration, ...elsewhere, ...more].join(" "),
    report: (...more) => ["proctor report", shellWord(run.id), ...more, ...configuration].join(" "),
    about: (command) => ["proctor", command, ...library, ...configuration].join(" "),
  };
}
