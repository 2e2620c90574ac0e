import type { Check } from "../../model/index.ts";
import { notMade, skipped } from "../checks.ts";

export interface ProgramRequest {
  file: string;
  args: readonly string[];
  cwd?: string;
  stdin?: string;
  env?: Record<string, string>;
  timeoutMs: number;
  reads?: readonly string[];
}

export type ProgramResult =
  | { status: "exited"; code: number; stdout: string; stderr: string }
  /** The program did not start, or was stopped because it was too slow or printed too much. */
  | { status: "failed"; why: string };

/** Starts programs in a trial's workspace, with the trial's rights. */
export interface Programs {
  run(request: ProgramRequest): Promise<ProgramResult>;
  has(command: string): boolean;
}

export function programsOf({ programs }: { programs?: Programs | string }): Programs | Check {
  if (programs === undefined) return skipped("this target has no workspace that a program could be started in");
  return typeof programs === "string" ? notMade(programs) : programs;
}

export function isCheck(value: Programs | Check): value is Check {
  return "passed" in value;
}

export function lastLines(stdout: string, stderr: string): string {
  const text = [stdout, stderr]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n");
  return text.length <= 600 ? text : `…${text.slice(-600)}`;
}
