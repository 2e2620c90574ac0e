import type { PageTrial } from "../../../../src/reporters/html/page-data.ts";

export function endText({ how }: PageTrial): string {
  return {
    completed: "on its own",
    max_turns: "at the turn limit",
    stopped: "stopped, because everything was decided",
    error: "in an error",
  }[how];
}

export const EVIDENCE: Record<string, string> = {
  loaded: "was loaded",
  read: "was read",
  called: "was called",
  refused: "was refused",
  mentioned: "was mentioned",
  predicted: "is predicted to fire",
};
