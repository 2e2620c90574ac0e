import type {
  Activation,
  HeaderLine,
  QuestionLine,
  Ranked,
  RecordLine,
  ScoreOptions,
  Scores,
  TrialLine,
} from "../../src/model/index.ts";
import {
  claude,
  embedded,
  failedTrial,
  fired,
  footer,
  header,
  negative,
  positive,
  score,
  target,
  trial,
  trigger,
} from "../score/build.ts";

const note = "predicted from text, not an agent run; right for 8 of 10 questions on libraries it had never seen";
const router = { ...embedded, note };
export const haiku = target(claude.id, {
  identity: { host: "Claude Code", version: "2.1.325", model: "haiku-4-5", options: {}, deterministic: false },
});

const skills = ["faq", "gift-cards", "order-status", "refund-policy", "returns", "shipping-address"];
const queries = [
  "Where is my parcel right now?",
  "Can I send this back after 40 days?",
  "I need to change where you deliver my parcel",
  "Do you sell vouchers for a birthday?",
  "My order has not moved for a week, is it lost?",
  "What are your opening hours on Sundays?",
  "Der Karton war beschädigt, was nun? 📦",
  "返品の期限を教えてください",
];

interface Scene {
  targets?: HeaderLine["targets"];
  skills?: string[];
  /** How many of the questions go wrong on each target. */
  wrong?: number;
  runs?: number;
  perSkill?: number;
  head?: Partial<HeaderLine>;
  ended?: boolean;
  trials?: (lines: TrialLine[]) => TrialLine[];
  options?: ScoreOptions;
}

/** A run over a made-up shop, wrong where the scene says. */
export function scene(parts: Scene = {}): Scores {
  const {
    targets = [router],
    wrong = 0,
    runs = 1,
    perSkill = 8,
    head = {},
    ended = true,
    options = {},
    trials = (lines) => lines,
  } = parts;
  const names = parts.skills ?? skills;
  const questions = names.flatMap((skill, index) => questionsOf(skill, names, index, perSkill, targets, runs));
  const step = wrong === 0 ? Number.POSITIVE_INFINITY : Math.floor(questions.length / wrong);
  const answers = targets.flatMap(({ id, predicted, identity }, t) =>
    questions.flatMap((question, q) =>
      Array.from({ length: identity.deterministic ? 1 : runs }, (_, run) => {
        const isWrong = wrong > 0 && (q + t) % step === step - 1 && Math.floor((q + t) / step) < wrong;
        return answer(question, run + 1, isWrong, names, {
          id,
          predicted,
          flaky: runs > 1 && run === runs - 1 && q % 7 === 0,
        });
      }),
    ),
  );
  const lines: RecordLine[] = [header({ skills: names, targets, ...head }), ...questions, ...trials(answers)];
  if (ended) lines.push(footer);
  return score(lines, options);
}

function questionsOf(
  skill: string,
  names: string[],
  index: number,
  perSkill: number,
  targets: HeaderLine["targets"],
  runs: number,
): QuestionLine[] {
  const counts = Object.fromEntries(targets.map(({ id, identity }) => [id, identity.deterministic ? 1 : runs]));
  return Array.from({ length: perSkill }, (_, q) => {
    const sibling = names[(index + 1) % names.length]!;
    const parts = {
      prompt: queries[(index + q) % queries.length]!,
      runs: counts,
      source: { file: `evals/${skill}/triggers.yaml`, line: 4 + q * 3 },
    };
    const id = `${skill}-${q}`;
    if (q % 2 === 0) return positive(id, skill, parts);
    return q % 4 === 1
      ? trigger(id, { skill, required: [sibling], forbidden: [skill], ...parts })
      : negative(id, skill, parts);
  });
}

function answer(
  question: QuestionLine,
  run: number,
  wrong: boolean,
  names: string[],
  { id, predicted, flaky }: { id: string; predicted: boolean; flaky: boolean },
): TrialLine {
  const expect = question.expect!;
  const right = expect.required_skills;
  const bad =
    expect.forbidden_skills.length > 0
      ? expect.forbidden_skills
      : question.id.length % 2 === 0
        ? [names[(names.indexOf(right[0]!) + 2) % names.length]!]
        : [];
  const chosen = wrong !== flaky ? bad : right;
  const activations: Activation[] = fired(...chosen).map((activation) => ({
    ...activation,
    evidence: predicted ? "predicted" : "loaded",
  }));
  const ranked = (skill: string, points: number, words: string[]): Ranked => ({
    skill,
    score: points,
    probability: points,
    verdict: "fires",
    words,
  });
  const ranking = [
    ...chosen.map((skill) => ranked(skill, 0.91, ["deliver", "parcel"])),
    ...right.filter((skill) => !chosen.includes(skill)).map((skill) => ranked(skill, 0.41, [])),
  ];
  return trial(question, run, activations, {
    target: id,
    ...(predicted ? { ms: 1, prediction: { needs: 0.68, ranking } } : { ms: 8000, costUsd: 0.013 }),
  });
}

export const scenes: Record<string, () => Scores> = {
  "all pass": () => scene(),
  "five of 48 fail": () => scene({ wrong: 5 }),
  "an agent, three runs": () =>
    scene({
      targets: [haiku],
      runs: 3,
      wrong: 6,
      options: { gates: ["recall>=0.8", "cases>=0.9", "lower(recall)>=0.9"] },
    }),
  "a library of 120 skills": () =>
    scene({
      skills: Array.from(
        { length: 120 },
        (_, i) => `team-${["billing", "search", "auth", "infra"][i % 4]}-helper-${i}`,
      ),
      wrong: 150,
      perSkill: 6,
    }),
  "all errors": () => scene({ targets: [haiku], runs: 3, trials: (lines) => lines.map((line) => errorLine(line)) }),
  "two targets": () => scene({ targets: [router, haiku], runs: 3, wrong: 4 }),
  "some errors": () =>
    scene({
      targets: [haiku],
      runs: 3,
      wrong: 2,
      trials: (lines) =>
        lines.map((line, i) => (i < 20 ? errorLine(line, "rate_limit", "429 too many requests") : line)),
    }),
  "partial and unfinished": () =>
    scene({
      head: { partial: ["--skill refund-policy"] },
      ended: false,
      wrong: 3,
      trials: (lines) => lines.slice(0, 40),
    }),
  "nothing asked": () => scene({ skills: [] }),
};

export function errorLine(
  line: TrialLine,
  reason: "auth" | "rate_limit" | "overloaded" = "auth",
  message = "the CLI is not logged in; it reports that as success",
): TrialLine {
  const error = failedTrial(trigger("x"), line.run, reason, { target: line.target, ask: line.ask });
  return { ...error, error: { reason, message, retryable: false } };
}
