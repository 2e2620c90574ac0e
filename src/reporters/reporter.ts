import { UsageError } from "../base/index.ts";
import type { ComparedRuns, Note, RecordSource, Since } from "../history/index.ts";
import type { Scores } from "../model/index.ts";
import type { Checked } from "./checked.ts";

/** How to render a report. A reporter uses the options that concern it. */
export interface RenderOptions {
  /** ANSI colours; false for files, pipes and NO_COLOR. */
  color?: boolean;
  /** Columns, 40 to 200. */
  width?: number;
  /** Lines of the terminal; undefined if the output is not a terminal. */
  height?: number | undefined;
  /** Shows every failure and every row. */
  verbose?: boolean;
  /** Shows only what a person must act on. */
  quiet?: boolean;
  /** Path of the record, as shown in the totals. */
  record?: string;
  /**
   * The library's root relative to the working directory, if it lies below. Files and suggested commands are shown so
   * that they work from there.
   */
  base?: string;
  /**
   * The paths that selected the questions, relative to the working directory; absent if the run covered the whole
   * library.
   */
  paths?: string[];
  /** The configuration file named on the command line, for suggested commands. */
  config?: string;
  /** Address of the workers as given, also for suggested commands. */
  workers?: string;
  /** How the run compares with earlier ones. */
  since?: readonly Since[];
  /** A target that could answer what a prediction cannot tell; searched for only where it helps. */
  better?: BetterTarget | "nobody";
  /**
   * The library's root relative to the root of the checkout, where CI systems look for files; "" or absent if they are
   * the same.
   */
  workspace?: string;
  /** Locations of skill descriptions, relative to the library's root; only for reporters that want `skills`. */
  skills?: ReadonlyMap<string, { file: string; line?: number }>;
  /** People's notes on verdicts. */
  notes?: readonly Note[];
  /** The record itself; absent if only its scores are available. */
  source?: RecordSource;
}

/** How to render the problems of `proctor check`. */
export interface CheckRenderOptions extends Pick<RenderOptions, "color" | "width" | "verbose" | "quiet"> {
  /** Arguments for a suggested command that checks the same again, with a leading space. */
  again?: string;
  /** The root of the checkout, where CI systems look for files; `checked.cwd` if absent. */
  workspace?: string;
  /** Reads a file for its code frame; undefined if it cannot be read. */
  read?(file: string): string | undefined;
  /** Reads a rule's page (`docs/rules/x.md`); undefined if it cannot be read. */
  page?(rulePage: string): string | undefined;
}

/** Text, or its pieces in order if it may be long. */
export type Rendered = string | AsyncIterable<string>;

/** One file of a report that is a folder. */
export interface ReportFile {
  /** Relative to the folder, with forward slashes; every part is a valid file name on all systems. */
  path: string;
  text: string;
}

/** A target on this machine that knows more than a prediction. */
export interface BetterTarget {
  /** The target as given to `-t`. */
  target: string;
  /** Further flags it needs. */
  flags: readonly string[];
  /** Description for a person. */
  what: string;
  /** Estimated cost of its answers; null if unknown. */
  costUsd: number | null;
  /** Paid by a subscription, not by an API key. */
  onPlan?: true;
}

/**
 * One report format. To add one, add a file in this folder and a line in `list.ts`. A configuration defines its own
 * with `defineReporter`.
 */
export interface Reporter {
  name: string;
  /** One sentence for --help. */
  about: string;
  /** Renders a run. */
  render(scores: Scores, options: RenderOptions): Rendered;
  /** Renders a comparison of two runs; absent if the format does not support it. */
  compare?(compared: ComparedRuns, options: RenderOptions): Rendered;
  /** Renders the problems of `proctor check`; absent if the format does not support it. */
  check?(checked: Checked, options: CheckRenderOptions): string;
  /** Text to add to the summary of a GitHub job. */
  summary?(scores: Scores, options: RenderOptions): string;
  compareSummary?(compared: ComparedRuns, options: RenderOptions): string;
  /** The files of a format that is a folder; `render` returns them as one document. */
  files?(scores: Scores, options: RenderOptions): AsyncIterable<ReportFile>;
  /** What the format has a field for but a record lacks; printed after the files are written. */
  missing?: string;
  /** Content type with which each piece is posted if a URL is given instead of a file. */
  posts?: string;
}

/** The record, or a usage error if the reporter was not given one. */
export function requireSource(name: string, { source }: RenderOptions): RecordSource {
  if (source !== undefined) return source;
  throw new UsageError(
    `The reporter ${name} needs the record, not just its scores.`,
    "Pass it as `source`: recordSource(place).",
  );
}
