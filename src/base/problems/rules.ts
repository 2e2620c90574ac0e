import type { Edit, Location, Problem, Severity } from "./problem.ts";

export interface Rule {
  /** The usual one; a problem may be milder or more serious when the facts are. */
  severity: Severity;
  title: string;
}

/** What was found; its own severity, if it has one, overrides the rule's. */
interface RuleFinding {
  message: string;
  location: Location;
  fix?: string;
  edits?: Edit[];
  severity?: Severity;
}

export type ProblemMaker<Code extends string> = (code: Code, finding: RuleFinding) => Problem;

/** Makes problems from a table of rules, by code. */
export function problemsBy<Code extends string>(rules: Record<Code, Rule>): ProblemMaker<Code> {
  return (code, { severity = rules[code].severity, message, fix, location, edits }) => ({
    code,
    severity,
    message,
    fix,
    location,
    edits,
  });
}
