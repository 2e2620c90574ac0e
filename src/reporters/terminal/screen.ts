import type { createColors } from "picocolors";
import type { Since } from "../../history/index.ts";
import type { Scores } from "../../model/index.ts";
import type { BetterTarget } from "../reporter.ts";
import { shellWord, workersWord } from "../text/shell.ts";

/** Space limits of a shortened screen, in which skills without a failure share a row. */
export interface Room {
  failureLines: number;
  promptLines: number;
  skills: number;
  brief?: boolean;
}

export interface ReportScreen {
  colors: ReturnType<typeof createColors>;
  width: number;
  verbose: boolean;
  room?: Room | undefined;
  record: string | undefined;
  /** The path that commands need for this library; undefined if they need none. */
  base: string | undefined;
  /**
   * The paths that selected the questions, relative to the working directory; undefined if the run covered the whole
   * library.
   */
  paths: string[] | undefined;
  config: string | undefined;
  workers?: string | undefined;
  better?: BetterTarget | "nobody" | undefined;
  since: readonly Since[];
}

/** Commands about this library and run, to be typed in the folder where the report is read. */
export interface Commands {
  run(more: string[], targets?: string[]): string;
  resume(more?: string[]): string;
  report(...more: string[]): string;
  about(command: string): string;
}

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
        // Named targets were found on this machine, so they need no workers.
        ...(of === all ? elsewhere : []),
        ...more,
      ].join(" "),
    resume: (more = []) =>
      ["proctor run --resume", shellWord(run.id), ...configuration, ...elsewhere, ...more].join(" "),
    report: (...more) => ["proctor report", shellWord(run.id), ...more, ...configuration].join(" "),
    about: (command) => ["proctor", command, ...library, ...configuration].join(" "),
  };
}
