import type { createColors } from "picocolors";
import type { Since } from "../../history/index.ts";
import type { BetterTarget } from "../reporter.ts";

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
