import type { Check } from "../../model/index.ts";
import { notMade, skipped } from "../checks.ts";
import type { GradingContext } from "../grader.ts";
import type { Programs } from "./programs.ts";

/** The programs of a trial, or the check that says why none can be started. */
export function programsOf({ programs }: GradingContext): Programs | Check {
  if (programs === undefined) return skipped("this target has no workspace that a program could be started in");
  return typeof programs === "string" ? notMade(programs) : programs;
}

export function isCheck(value: Programs | Check): value is Check {
  return "passed" in value;
}

/** The end of what a program printed: what it complains about comes last. */
export function lastLines(stdout: string, stderr: string): string {
  const text = [stdout, stderr]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n");
  return text.length <= 600 ? text : `…${text.slice(-600)}`;
}
