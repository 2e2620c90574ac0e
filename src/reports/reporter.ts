import type { Since } from "../runs/index.ts";
import type { Scores } from "../scores/index.ts";

export interface RenderOptions {
  /** ANSI colours; false for files, pipes and NO_COLOR. */
  color?: boolean;
  /** Columns, 40 to 200. */
  width?: number;
  /** Every failure, every row. */
  verbose?: boolean;
  /** Only what a person must act on. */
  quiet?: boolean;
  /** Where the record is, to be named in the totals. */
  record?: string;
  /** The library's root as seen from the working directory, when it lies below it: files are shown, and commands offered, as they work from there. */
  base?: string;
  /** What the run was given to choose questions, as seen from the working directory; absent when it asked about all of the library. */
  paths?: string[];
  /** The configuration that was named, for the commands that are offered. */
  config?: string;
  /** How the run compares with earlier ones that are kept. */
  since?: readonly Since[];
}

/** One way to show scores: a file in this folder and a line in `reporters`. */
export interface Reporter {
  name: string;
  /** One sentence for --help. */
  about: string;
  render(scores: Scores, options: RenderOptions): string;
}
