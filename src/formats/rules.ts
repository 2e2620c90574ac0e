import { type ProblemMaker, problemsBy, type Rule } from "../base/index.ts";

export const suiteRules = {
  "suite/unreadable": { severity: "error", title: "A suite file cannot be read" },
  "suite/too-large": { severity: "error", title: "A suite file is too large" },
  "suite/empty": { severity: "warning", title: "A suite has no questions" },
  "suite/invalid": { severity: "error", title: "A suite does not follow its format" },
  "suite/unknown-field": { severity: "warning", title: "A suite has an unknown field" },
  "suite/not-understood": { severity: "warning", title: "A question is recognised but not understood" },
  "suite/not-read": { severity: "warning", title: "A file looks like a suite and is not understood" },
  "suite/placeholder": { severity: "warning", title: "A prompt is still a placeholder" },
  "suite/unlabelled": { severity: "info", title: "Prompts without a label" },
  "suite/ignored-setting": { severity: "info", title: "Another tool's setting has no effect here" },
  "suite/missing-file": { severity: "error", title: "A file that a question needs is missing" },
  "suite/file-escapes": { severity: "error", title: "A path points outside the suite's folder" },
  "suite/host-file": { severity: "error", title: "A file would be a host's own" },
  "suite/skill-name": { severity: "warning", title: "skill_name does not match the folder" },
  "suite/unknown-skill": { severity: "error", title: "A suite names a skill that is not in the library" },
  "suite/grader": { severity: "error", title: "A grader's configuration cannot work" },
  "suite/template-missing": { severity: "error", title: "A template's variable has no value" },
} as const satisfies Record<string, Rule>;

export type SuiteRule = keyof typeof suiteRules;

export const suiteProblem: ProblemMaker<SuiteRule> = problemsBy(suiteRules);
