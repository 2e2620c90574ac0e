import { type ProblemMaker, problemsBy, type Rule } from "../base/index.ts";

/** Every code this room can emit. Each has a page, docs/rules/<slug>.md. */
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
  "suite/ambiguous-skill": { severity: "error", title: "A suite names a skill that the library has twice" },
  "suite/grader": { severity: "error", title: "A grader's configuration cannot work" },
  "suite/forbidden-tools-skill": { severity: "warning", title: "forbidden_tools: [skill] forbids every skill" },
  "suite/nothing-to-check": { severity: "error", title: "A question has nothing to check" },
  "suite/template-missing": { severity: "error", title: "A template's variable has no value" },
  "suite/template-unused": { severity: "warning", title: "An input has no place in the template" },
  "suite/duplicate": { severity: "warning", title: "The same question is asked twice" },
  "suite/contradiction": { severity: "error", title: "Two questions contradict each other" },
  "suite/unbalanced": { severity: "warning", title: "Positives and negatives are out of balance" },
  "suite/no-sibling-negatives": { severity: "warning", title: "No negative belongs to a sibling" },
  "suite/no-wrong-domain": { severity: "info", title: "No negative is the same task in another domain" },
  "suite/quotes-description": { severity: "warning", title: "A query repeats the description" },
  "suite/names-skill": { severity: "warning", title: "A query names the skill" },
  "suite/command": { severity: "info", title: "A query is a command, not a request" },
  "suite/not-triggerable": { severity: "warning", title: "A positive for a skill that no model may activate" },
  "suite/one-form": { severity: "info", title: "All positives have the same form" },
  "suite/draft": { severity: "warning", title: "A draft has not been reviewed" },
} as const satisfies Record<string, Rule>;

export type SuiteRule = keyof typeof suiteRules;

export const suiteProblem: ProblemMaker<SuiteRule> = problemsBy(suiteRules);
