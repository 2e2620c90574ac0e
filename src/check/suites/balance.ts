import { count, type Problem, problemsBy, type Rule } from "../../base/index.ts";
import type { Library, Suite, Trigger } from "../../model/index.ts";
import type { Siblings } from "./siblings.ts";
import { contentWords } from "./words.ts";

export const balanceRules = {
  "suite/unbalanced": { severity: "warning", title: "Positives and negatives are out of balance" },
  "suite/no-sibling-negatives": { severity: "warning", title: "No negative belongs to a sibling" },
  "suite/no-wrong-domain": { severity: "info", title: "No negative is the same task in another domain" },
  "suite/one-form": { severity: "info", title: "All positives have the same form" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(balanceRules);

export function checkBalance(suite: Suite, library: Library, siblings: Siblings): Problem[] {
  const { skill } = suite;
  if (skill === undefined) return checkPositivesOnly(suite);
  if (suite.triggers.length < 3) return [];
  const positives = suite.triggers.filter((trigger) => trigger.expect.required_skills.includes(skill));
  const negatives = suite.triggers.filter((trigger) => !trigger.expect.required_skills.includes(skill));
  // Scenarios test the skill at work. Checking its activation as well does not make them a trigger suite.
  if (negatives.length === 0 && suite.cases.length >= suite.triggers.length) return [];
  const report = (code: Parameters<typeof problem>[0], message: string, fix: string): Problem =>
    problem(code, { message, fix, location: { file: suite.file } });
  const problems: Problem[] = [];
  const sizes = `${count(positives.length, "positive")} and ${negatives.length === 0 ? "no negative" : count(negatives.length, "negative")}`;
  if (negatives.length === 0 || negatives.length * 4 < positives.length) {
    problems.push(
      report(
        "suite/unbalanced",
        `${sizes}: a skill that fires on everything would score ${percent(positives.length, suite.triggers.length)}.`,
        "Add negatives until there are about as many as positives; siblings' positives are the best ones.",
      ),
    );
  } else if (positives.length * 4 < negatives.length) {
    problems.push(
      report(
        "suite/unbalanced",
        `${sizes}: a skill that never fires would score ${percent(negatives.length, suite.triggers.length)}.`,
        "Add positives, in a user's words.",
      ),
    );
  }
  if (
    negatives.length >= 3 &&
    library.skills.length > 1 &&
    !negatives.some((trigger) => siblings.own(trigger, skill))
  ) {
    problems.push(
      report(
        "suite/no-sibling-negatives",
        `None of the ${negatives.length} negatives is labelled as a sibling's or sounds like one. Mistakes happen between neighbours.`,
        `proctor init ${skill} drafts some.`,
      ),
    );
  }
  if (positives.length >= 4 && negatives.length >= 4 && !negatives.some((trigger) => isNearMiss(trigger, positives))) {
    problems.push(
      report(
        "suite/no-wrong-domain",
        "No negative is one of the positives moved to another domain (the same task, another language or product), so a skill that goes by the verb only is not caught.",
        "Take a positive and change what it is about.",
      ),
    );
  }
  const form = oneForm(positives);
  if (form !== undefined)
    problems.push(
      report(
        "suite/one-form",
        `All ${positives.length} positives are ${form}.`,
        "Vary them: an instruction, a question, a request to review.",
      ),
    );
  return problems;
}

function checkPositivesOnly(suite: Suite): Problem[] {
  const tells = ({ expect }: Trigger) =>
    expect.required_skills.length === 0 || expect.forbidden_skills.length > 0 || !expect.allow_extra;
  if (suite.triggers.length < 6 || suite.triggers.some(tells)) return [];
  const message = `${count(suite.triggers.length, "positive")} and no negative: a library that loads everything would score 100 %.`;
  const fix =
    "proctor run --cross makes every positive a negative of the siblings; `exclusive: true` does the same in the suite.";
  return [problem("suite/unbalanced", { severity: "info", message, fix, location: { file: suite.file } })];
}

function isNearMiss(negative: Trigger, positives: Trigger[]): boolean {
  const words = contentWords(negative.query);
  const [verb] = words;
  return positives.some((positive) => {
    const own = [...contentWords(positive.query)];
    return own[0] === verb || own.filter((word) => words.has(word)).length >= 2;
  });
}

function oneForm(positives: Trigger[]): string | undefined {
  // Word order says nothing about form in a language we cannot recognise.
  if (positives.length < 6 || positives.some(({ query }) => !/[a-z]{3}/i.test(query))) return undefined;
  const forms = new Set(positives.map(({ query }) => formOf(query.trim())));
  return forms.size === 1 ? [...forms][0] : undefined;
}

function formOf(query: string): string {
  if (/\b(?:review|audit|check|critique|look over|feedback|is this|are these)\b/i.test(query))
    return "requests to review";
  if (
    /\?\s*$/.test(query) ||
    /^(?:how|what|why|when|where|which|who|can|could|should|is|are|do|does|did|will|would)\b/i.test(query)
  )
    return "questions";
  return /^(?:i|i'm|i've|we|we're|my|our|the|there|it|this|after|before|before|every)\b/i.test(query)
    ? "statements"
    : "instructions";
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}
