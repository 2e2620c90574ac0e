import type { Activation, Cause, QuestionLine, Ranked, TrialLine } from "../../../model/index.ts";
import type { RankedSkill } from "./unsure.ts";

export function causeOf(question: QuestionLine, trial: TrialLine, counted: Activation[]): Cause {
  const { expect } = question;
  if (expect === undefined) return "check";
  if (!question.positive) return "misfire";
  const missing = missingSkills(expect, counted);
  if (missing.length === 0) return "not_as_expected";
  if (trial.activations.some(({ evidence, skill }) => evidence === "refused" && missing.includes(skill)))
    return "refused";
  if (missing.some((skill) => hiddenAs(trial, skill) !== undefined)) return "not_shown";
  if (counted.some(({ skill }) => !expect.required_skills.includes(skill))) return "sibling";
  return trial.askedBack === true ? "asked_back" : "unused";
}

/** How the skill's description was hidden from the model; undefined if it was shown or the host does not report it. */
function hiddenAs({ listing }: TrialLine, skill: string): "absent" | "bare" | undefined {
  if (listing === undefined || listing.length === 0) return undefined;
  const shown = listing.find((entry) => entry.skill === skill)?.shown ?? "absent";
  return shown === "absent" || shown === "bare" ? shown : undefined;
}

/**
 * Required skills that did not fire; one of `also_fine` stands in for all of them. May return `required_skills` itself.
 */
export function missingSkills(expect: QuestionLine["expect"], counted: Activation[]): readonly string[] {
  if (expect === undefined) return [];
  const fired = counted.length <= 8 ? undefined : new Set(counted.map((activation) => activation.skill));
  const hasFired = (skill: string) =>
    fired === undefined ? counted.some((activation) => activation.skill === skill) : fired.has(skill);
  if (expect.also_fine.some(hasFired)) return [];
  return expect.required_skills.some(hasFired)
    ? expect.required_skills.filter((skill) => !hasFired(skill))
    : expect.required_skills;
}

/**
 * For a negative, skills that must not fire; for a positive, those that fired instead of or beside the required ones.
 */
export function atFault({ expect, positive }: QuestionLine, counted: Activation[]): Activation[] {
  if (expect === undefined) return counted;
  const { required_skills: required, forbidden_skills: forbidden, also_fine: fine, allow_extra } = expect;
  if (positive) return counted.filter(({ skill }) => !required.includes(skill) && !fine.includes(skill));
  return counted.filter(({ skill }) => forbidden.includes(skill) || (!allow_extra && !fine.includes(skill)));
}

export interface Sample {
  run: number;
  message: string;
  missing: readonly string[];
  shown?: "absent" | "bare";
  reason?: string | undefined;
  prediction?: {
    needs: number;
    best?: RankedSkill;
    fired?: RankedSkill;
    expected?: RankedSkill;
  };
}

interface FailedTrial {
  line: QuestionLine;
  skill: string | undefined;
  trial: TrialLine;
  counted: Activation[];
  cause: Cause;
  message: string;
}

export function sampleOf({ line, skill, trial, counted, cause, message }: FailedTrial): Sample {
  const missing = missingSkills(line.expect, counted);
  const shown =
    cause === "not_shown" ? missing.map((name) => hiddenAs(trial, name)).find((how) => how !== undefined) : undefined;
  const sample: Sample = {
    run: trial.run,
    message,
    missing,
    shown,
    reason: trial.reason,
  };
  const { prediction } = trial;
  if (prediction === undefined) return sample;
  const ranked = (name: string | undefined) => prediction.ranking.find((entry) => entry.skill === name);
  const expected = missing[0] ?? line.expect?.required_skills[0];
  const fired = counted.find((activation) => activation.skill === skill)?.skill ?? counted[0]?.skill;
  // A prediction that does not rank what fired explains nothing; the activations do.
  if (fired !== undefined && ranked(fired) === undefined) return sample;
  sample.prediction = {
    needs: prediction.needs,
    best: shortened(prediction.ranking[0]),
    fired: shortened(ranked(fired)),
    expected: shortened(ranked(expected)),
  };
  return sample;
}

function shortened(entry: Ranked | undefined): RankedSkill | undefined {
  return entry && { skill: entry.skill, score: entry.score, words: entry.words.slice(0, 6), excluded: entry.excluded };
}
