/** One target of a run that goes on. */
export interface TargetProgress {
  id: string;
  done: number;
  total: number;
  running: number;
  /** Trials that ended in an error, or attempts that did and are tried again, by reason. */
  errors: Record<string, number>;
  /** Attempts beyond the first. */
  retries: number;
  /** null = not known. */
  spentUsd: number | null;
}

export interface ProgressSnapshot {
  targets: TargetProgress[];
  budgetUsd?: number;
  cached: number;
  saved: { trials: number; usd?: number };
}

export interface ProgressOptions {
  /** Where it is drawn; a terminal is redrawn in place, anything else gets a plain line every few seconds. */
  stream: { write(text: string): unknown; isTTY?: boolean; columns?: number };
  color?: boolean;
  /** The clock, in milliseconds. */
  now?: () => number;
}

export interface Progress {
  /** Cheap: call it after every trial; it draws only as often as an eye can follow. */
  update(snapshot: ProgressSnapshot): void;
  /** Draws the last state for a pipe, or clears the display on a terminal, so that the report can follow. */
  stop(): void;
}

export function createProgress(_options: ProgressOptions): Progress {
  throw new Error("not yet");
}
