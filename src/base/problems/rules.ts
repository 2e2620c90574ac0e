import type { Edit, Location, Problem, Severity } from "./problem.ts";

export interface Rule {
  severity: Severity;
  title: string;
}

interface RuleFinding {
  message: string;
  location: Location;
  fix?: string;
  edits?: Edit[];
  severity?: Severity;
}

export type ProblemMaker<Code extends string> = (code: Code, finding: RuleFinding) => Problem;

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
