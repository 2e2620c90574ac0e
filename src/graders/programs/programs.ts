import type { Check } from "../../model/index.ts";
import { notMade, skipped } from "../checks.ts";

/** A program to be started where the examinee worked. */
export interface ProgramRequest {
  file: string;
  args: readonly string[];
  /** Relative to the workspace. */
  cwd?: string;
  stdin?: string;
  /** In addition to the variables every trial's process gets. */
  env?: Record<string, string>;
  timeoutMs: number;
  /** Folders outside the workspace that it may read. */
  reads?: readonly string[];
}

/** How a program ended. Its output is kept up to a length. */
export type ProgramResult =
  | { status: "exited"; code: number; stdout: string; stderr: string }
  /** It never ran, or was stopped because it was too slow or printed too much. */
  | { status: "failed"; why: string };

/** Starts programs in a trial's workspace, with no more rights than the trial had. */
export interface Programs {
  run(request: ProgramRequest): Promise<ProgramResult>;
  /** Whether there is such a command on PATH. */
  has(command: string): boolean;
}

/** The programs of a trial, or the check that says why none can be started. */
export function programsOf({ programs }: { programs?: Programs | string }): Programs | Check {
  if (programs === undefined) return skipped("this target has no workspace that a program could be started in");
  return typeof programs === "string" ? notMade(programs) : programs;
}

export function isCheck(value: Programs | Check): value is Check {
  return "passed" in value;
}

/** The end of a program's output, where it says what is wrong. */
export function lastLines(stdout: string, stderr: string): string {
  const text = [stdout, stderr]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n");
  return text.length <= 600 ? text : `…${text.slice(-600)}`;
}
