import { UsageError } from "../base/index.ts";
import type { ComparedRuns, Note, RecordSource, Since } from "../history/index.ts";
import type { Scores } from "../model/index.ts";
import type { Checked } from "./checked.ts";

/** How a report is rendered; a reporter takes what concerns it. */
export interface RenderOptions {
  /** ANSI colours; false for files, pipes and NO_COLOR. */
  color?: boolean;
  /** Columns, 40 to 200. */
  width?: number;
  /** Lines of the terminal; undefined where the text does not go to one. */
  height?: number | undefined;
  /** Every failure, every row. */
  verbose?: boolean;
  /** Only what a person must act on. */
  quiet?: boolean;
  /** Where the record is, as shown in the totals. */
  record?: string;
  /** The library's root as seen from the working directory, when it lies below it: files are shown, and commands suggested, as they work from there. */
  base?: string;
  /** The paths that chose the questions, as seen from the working directory; absent when the run covered the whole library. */
  paths?: string[];
  /** The configuration that was named, for the suggested commands. */
  config?: string;
  /** Where workers make the trials, as it was named: for the suggested commands, too. */
  workers?: string;
  /** How the run compares with earlier ones. */
  since?: readonly Since[];
  /** Who could be asked what a predicting target cannot tell; looked for only where it is of use. */
  better?: BetterTarget | "nobody";
  /** The library's root as seen from the root of the checkout, where a CI system looks for files; "" or absent where that is the root itself. */
  workspace?: string;
  /** Where the descriptions of skills are, relative to the library's root; only for reporters that want `skills`. */
  skills?: ReadonlyMap<string, { file: string; line?: number }>;
  /** What people think of its verdicts. */
  notes?: readonly Note[];
  /** The record itself; absent where only its scores are at hand. */
  source?: RecordSource;
}

/** How the problems of `proctor check` are rendered. */
export interface CheckRenderOptions extends Pick<RenderOptions, "color" | "width" | "verbose" | "quiet"> {
  /** The words a suggested command needs to check the same again, with a leading space. */
  again?: string;
  /** The root of the checkout, where a CI system looks for files; absent where that is `checked.cwd`. */
  workspace?: string;
  /** The text of a file for its code frame; undefined where it cannot be read. */
  read?(file: string): string | undefined;
  /** The text of a rule's page (`docs/rules/x.md`); undefined where it cannot be read. */
  page?(rulePage: string): string | undefined;
}

/** Text, or its pieces one after the other where it may be long. */
export type Rendered = string | AsyncIterable<string>;

/** One file of a report that is a folder of them. */
export interface ReportFile {
  /** Relative to the folder, with forward slashes; each part is a name that every system can hold. */
  path: string;
  text: string;
}

/** Who on this machine knows more than a target that only predicts. */
export interface BetterTarget {
  /** As it is given to `-t`. */
  target: string;
  /** Flags it needs besides. */
  flags: readonly string[];
  /** What it is, for a person. */
  what: string;
  /** What its answers would cost: 0 = nothing, null = not known. */
  costUsd: number | null;
  /** A subscription pays, not a key. */
  onPlan?: true;
}

/** One format of a report. A new one is a file in this folder and a line in `list.ts`; a configuration defines its own with
 * `defineReporter`. */
export interface Reporter {
  name: string;
  /** One sentence for --help. */
  about: string;
  /** A run. */
  render(scores: Scores, options: RenderOptions): Rendered;
  /** Two runs side by side; absent where the format has no use for them. */
  compare?(compared: ComparedRuns, options: RenderOptions): Rendered;
  /** What `proctor check` found; absent where the format has no use for it. */
  check?(checked: Checked, options: CheckRenderOptions): string;
  /** What is added to the summary of a GitHub job. */
  summary?(scores: Scores, options: RenderOptions): string;
  compareSummary?(compared: ComparedRuns, options: RenderOptions): string;
  /** Of a format that is a folder: its files, written below what is given in place of a file. `render` has them as one document. */
  files?(scores: Scores, options: RenderOptions): AsyncIterable<ReportFile>;
  /** What the format has a place for and a record has not; said when the files have been written. */
  missing?: string;
  /** Its pieces are posted, each as a document of this type, where a URL is given in place of a file. */
  posts?: string;
}

/** The record, for a reporter that cannot do without it. */
export function requireSource(name: string, { source }: RenderOptions): RecordSource {
  if (source !== undefined) return source;
  throw new UsageError(
    `The reporter ${name} needs the record, not just its scores.`,
    "Pass it as `source`: recordSource(place).",
  );
}
