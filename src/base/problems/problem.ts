/** A place in a file. Lines and columns count from 1; `file` is an absolute path. */
export interface Location {
  file: string;
  line?: number;
  column?: number;
}

export type Severity = "error" | "warning" | "info";

/** Replaces the UTF-16 range [start, end) of a file's text, including a leading BOM. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Something a person should know about a file they wrote: what, where, and what to do. */
export interface Problem {
  /** Stable, `room/slug`; the slug is also the name of its page in docs/rules. */
  code: string;
  severity: Severity;
  message: string;
  /** One sentence on what to do. */
  fix?: string;
  location: Location;
  /** Safe edits that fix it, for `--fix`. */
  edits?: Edit[];
}
