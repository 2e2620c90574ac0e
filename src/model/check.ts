export interface Check {
  /** null = there is no verdict; the message says why. */
  passed: boolean | null;
  score: number | null;
  message: string;
  /** What shows it: a quotation, a line of output. */
  evidence?: string;
  /** Of a check without a verdict: it had to be made and could not be, so its question has none either. Otherwise it does not apply here. */
  error?: true;
}

/** A grader as a suite writes it. */
export interface GraderSpec {
  type: string;
  name?: string;
  weight?: number;
  /** When it fails, no judge is asked. */
  gate?: boolean;
  /** It passes from this score up, whatever failed in it. */
  threshold?: number;
  config: unknown;
}

/** Which skills a trial may and may not activate. Every trigger, in whatever format, is translated into this and nothing else. */
export interface SkillInvocation {
  required_skills: string[];
  forbidden_skills: string[];
  also_fine: string[];
  mode: "exact_match" | "in_order" | "any_order";
  allow_extra: boolean;
}
