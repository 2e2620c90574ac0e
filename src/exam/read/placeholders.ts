import { count } from "../../base/index.ts";
import { suiteProblem } from "../../formats/index.ts";
import type { Question, Suite } from "../../model/index.ts";

export function withoutPlaceholders(suite: Suite): Suite {
  const all = [...suite.triggers, ...suite.cases];
  const open = all.filter(
    (question) => (question.skip === undefined || question.draft) && isPlaceholder(textOf(question)),
  );
  const [first] = open;
  if (first === undefined) return suite;
  const isReal = (question: Question) => !open.includes(question);
  const told = suiteProblem("suite/placeholder", {
    message:
      all.length === 1
        ? `This prompt is still a placeholder and is not asked: ${textOf(first).trim()}`
        : `${count(open.length, "prompt")} of ${all.length} ${open.length === 1 ? "is still a placeholder and is" : "are still placeholders and are"} not asked; the first: ${textOf(first).trim()}`,
    fix: "Write what somebody would really say, or delete it.",
    location: first.source,
  });
  return {
    ...suite,
    triggers: suite.triggers.filter(isReal),
    cases: suite.cases.filter(isReal),
    problems: [...suite.problems, told],
  };
}

function textOf(question: Question): string {
  return question.kind === "trigger" ? question.query : (question.prompt ?? "a template");
}

const whole = new RegExp(
  `^(?:${[
    "<[^<>]{2,200}>",
    "\\{\\{?[^{}]{1,200}\\}?\\}",
    "\\$\\{[^{}]{1,200}\\}",
    "\\[[^[\\]]{2,200}\\]",
    "\\.{2,}|…",
    "(?:to be written|todo|tbd|fixme|xxx|placeholder|replace me)(?:\\s*[:–—-].*)?",
    "(?:your|an?|the) (?:\\w+ )?(?:query|prompt|question|request|phrase)(?: (?:goes|here)){1,2}",
    // From skill-creator's schema, and what people make of it.
    "user[’']s task prompt|(?:an? )?(?:example|sample) (?:user )?(?:query|prompt|question|request|phrase)(?: \\d+)?",
  ]
    .map((one) => `(?:${one})`)
    .join("|")})$`,
  "isu",
);

/** Only a whole text counts: real prompts may contain tags and variables. */
function isPlaceholder(prompt: string): boolean {
  return whole.test(prompt.trim().replace(/^["'`]+|["'`]+$/g, ""));
}
