import type { Scores } from "../../model/index.ts";
import { shellWord, workersWord } from "../text/shell.ts";
import type { ReportScreen } from "./screen.ts";

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
