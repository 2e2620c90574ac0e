/** A program to be started where the examinee worked. */
export interface ProgramRequest {
  file: string;
  args: readonly string[];
  /** Relative to the workspace. */
  cwd?: string;
  stdin?: string;
  /** Beside what every trial's process may know. */
  env?: Record<string, string>;
  timeoutMs: number;
  /** Folders outside the workspace that it may read. */
  reads?: readonly string[];
}

/** How a program ended. What it printed is kept up to a length. */
export type ProgramResult =
  | { status: "exited"; code: number; stdout: string; stderr: string }
  /** It never ran, or was ended: too slow, or by too much output. */
  | { status: "failed"; why: string };

/** Starts programs in a trial's workspace, with no more rights than the trial had. */
export interface Programs {
  run(request: ProgramRequest): Promise<ProgramResult>;
  /** Is there such a command on PATH? */
  has(command: string): boolean;
}
