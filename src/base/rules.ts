import type { Edit, Location, Problem, Severity } from "./problem.ts";

export interface Rule {
  /** What it usually is; a problem may be milder or graver when the facts are. */
  severity: Severity;
  title: string;
}

/** What was found; a severity of its own overrides the rule's. */
interface Finding {
  message: string;
  location: Location;
  fix?: string;
  edits?: Edit[];
  severity?: Severity;
}

export type ProblemMaker<Code extends string> = (code: Code, finding: Finding) => Problem;

/** Makes problems of a table of rules, by their codes. */
export function problemsBy<Code extends string>(rules: Record<Code, Rule>): ProblemMaker<Code> {
  return (code, { severity, message, fix, location, edits }) => ({
    code,
    severity: severity ?? rules[code].severity,
    message,
    ...(fix === undefined ? {} : { fix }),
    location,
    ...(edits === undefined ? {} : { edits }),
  });
}
