export interface Check {
  /** null means no verdict; the message says why. */
  passed: boolean | null;
  score: number | null;
  message: string;
  evidence?: string;
  /**
   * Set if the check was required but could not be made, so its question has no verdict either. Without it, a check
   * that has no verdict does not apply here.
   */
  error?: true;
}

export interface GraderSpec {
  type: string;
  name?: string;
  weight?: number;
  /** If it fails, no judge is asked. */
  gate?: boolean;
  /** The grader passes from this score up, whichever of its checks failed. */
  threshold?: number;
  config: unknown;
}

/** Which skills a trial may and may not activate. Triggers of every format are translated to this. */
export interface SkillInvocation {
  required_skills: string[];
  forbidden_skills: string[];
  also_fine: string[];
  mode: "exact_match" | "in_order" | "any_order";
  allow_extra: boolean;
}
