import { checkActivations, type SkillInvocation } from "../../graders/index.ts";
import type { CheckResult, QuestionLine, TrialLine } from "../../records/index.ts";
import type { Activation, Evidence, EvidenceRule, Ranked } from "../../transcripts/index.ts";
import { createPool } from "../pool.ts";
import { aboutOneSkill, type QuestionRole, roleOf } from "../question-role.ts";
import type { Cause } from "../scores.ts";
import { type ArmTally, addToArm, startArm } from "./arm-tally.ts";
import { type RankedSkill, type Unsure, unsureOf } from "./unsure.ts";

/** A question and how it stands on one target: a number per run, and one trial's evidence once something went wrong. */
export interface QuestionTally extends QuestionRole {
  /** As this target is asked: for one that decides about one skill at a time, only that skill is expected or forbidden. */
  line: QuestionLine;
  /** Bits by run − 1; holes where nothing was measured. Absent until something was. */
  runs?: number[];
  causes?: Partial<Record<Cause, number>>;
  fired?: Fired[];
  /** What fired in the trials that passed. */
  firedRightly?: Fired[];
  sample?: Sample;
  /** Of a case: why the first trial without a verdict has none. */
  open?: string;
  /** Of a case: what its trials took. */
  arm?: ArmTally;
  /** Of a case: graders that could be applied to none of its trials that have a verdict, and why not. */
  unchecked?: ReadonlyMap<string, string>;
  /** A judge was asked about one of its trials. */
  judged?: true;
  /** Why the target could not tell, where it predicts and knows that it does not know. */
  unsure?: Unsure;
}

interface Fired {
  skill: string;
  trials: number;
  turn: number;
  evidence: Evidence;
}

/** Of the first run that went wrong. */
export interface Sample {
  run: number;
  message: string;
  missing: readonly string[];
  shown?: "absent" | "bare";
  /** What a judge gave as its reason. */
  reason?: string | undefined;
  prediction?: {
    needs: number;
    best?: RankedSkill;
    fired?: RankedSkill;
    /** The one that should have fired, or should win. */
    expected?: RankedSkill;
  };
}

const PASSED = 1;
const MISFIRED = 2;
const FIRST_PASSED = 4;
const FIRST_MISFIRED = 8;
const COMPARED_PASSED = 16;
const COMPARED = 32;

/** What a measured run's bits say. */
export const passed = (run: number): boolean => (run & PASSED) !== 0;
export const misfired = (run: number): boolean => (run & MISFIRED) !== 0;
/** Of a case, by the graders that it is compared by; null where they could not be made. */
export const passedCompared = (run: number): boolean | null => ((run & COMPARED) === 0 ? null : (run & COMPARED_PASSED) !== 0);
/** The same, had only the first move counted. */
export const firstMovePassed = (run: number): boolean => (run & FIRST_PASSED) !== 0;
export const firstMoveMisfired = (run: number): boolean => (run & FIRST_MISFIRED) !== 0;

export function startQuestion(line: QuestionLine, ofOneSkill: boolean): QuestionTally {
  const role = roleOf(line);
  const about = ofOneSkill ? aboutOneSkill(line) : undefined;
  return {
    skill: role.skill,
    role: role.role,
    expectsSibling: role.expectsSibling,
    line: about === undefined ? line : { ...line, positive: role.role === "positive", expect: about.expect },
    // All of one shape: there are as many as questions, and every trial comes by here.
    runs: undefined,
    causes: undefined,
    fired: undefined,
    firedRightly: undefined,
    sample: undefined,
  };
}

/**
 * The measured runs, by number, whatever the order they ended in. Another question on the ask may plan more runs: those are not this one's, or how often
 * it counts would depend on when the other stops.
 */
export function measuredRuns({ runs = [], line }: QuestionTally, target: string): number[] {
  const planned = line.runs[target] ?? 0;
  const measured: number[] = [];
  eachRun(runs, (bits, index) => {
    if (planned === 0 || index < planned) measured.push(bits);
  });
  return measured;
}

/** What is kept of every run that was made. The others are holes in the list, of which a damaged record may claim any number: `in` passes over them. */
export function eachRun(runs: readonly number[], look: (kept: number, index: number) => void): void {
  if (runs.length <= FEW) {
    for (let index = 0; index < runs.length; index++) {
      const kept = runs[index];
      if (kept !== undefined) look(kept, index);
    }
    return;
  }
  for (const key in runs) {
    const kept = runs[Number(key)];
    if (kept !== undefined) look(kept, Number(key));
  }
}

/** Keeps something of a run, by its number from 1. */
export function keepRun(runs: number[], run: number, kept: number): void {
  // What is beyond any list's length is a member of it by name, which only `in` comes by.
  if (run > 2 ** 32 - 1 && runs.length <= FEW) runs.length = FEW + 1;
  runs[run - 1] = kept;
}

/** Lists up to this length are gone through by number. */
const FEW = 1_000;

/** How evidence is counted; `regrade` when not as it was when the trial was graded. */
export interface EvidenceReading {
  rule: EvidenceRule;
  regrade: boolean;
}

/** What a trial shows, for all questions on its ask. */
interface Shown {
  /** Of a question, by its id. */
  checks: (question: string) => readonly CheckResult[];
  counted: Activation[];
  evidence: EvidenceReading;
}

/** Counts a measured trial of the question's ask. Returns whether it passed; null when nothing could be checked. */
export function addTrial(tally: QuestionTally, trial: TrialLine, { checks, counted, evidence }: Shown): boolean | null {
  const { line } = tally;
  const check = checkOf(line, trial, checks(line.id), evidence);
  if (line.kind === "case") {
    tally.arm ??= startArm();
    addToArm(tally.arm, trial, line.skill);
    if ((trial.judged?.asked ?? 0) > 0 && check.passed !== null) tally.judged = true;
  }
  if (check.passed === null) {
    if (trial.prediction?.silentBelow !== undefined) tally.unsure ??= unsureOf(line, trial.prediction, counted);
    if (line.kind === "case" && check.message !== "") tally.open ??= check.message;
    return null;
  }
  if (line.kind === "case") tally.unchecked = stillUnchecked(tally.unchecked, checks(line.id));
  const onFirst = firstMoves(counted);
  const firstHolds = line.expect !== undefined && (onFirst === counted ? check.passed : holds(line.expect, onFirst, evidence.rule));
  const first =
    line.expect === undefined ? 0 : (firstHolds ? FIRST_PASSED : 0) | (misfires(tally, firstHolds, onFirst) ? FIRST_MISFIRED : 0);
  tally.runs ??= sized(line.runs[trial.target] ?? 1);
  const bits = (check.passed ? PASSED : 0) | (misfires(tally, check.passed, counted) ? MISFIRED : 0) | first;
  keepRun(tally.runs, trial.run, line.kind === "case" ? bits | comparedBits(checks(line.id), check.passed) : bits);
  if (!check.passed) noteFailure(tally, trial, counted, check.message);
  else if (counted.length > 0) tally.firedRightly = withFired(tally.firedRightly, counted);
  return check.passed;
}

/** Graders of which no check was made: in this trial, nor in those before it. */
function stillUnchecked(before: QuestionTally["unchecked"], checks: readonly CheckResult[]): QuestionTally["unchecked"] {
  if (before?.size === 0) return before;
  const open = new Map<string, string>();
  const parts = checks.flatMap((check) => check.parts ?? []);
  for (const { grader, passed: holds, message } of parts)
    if (holds === null && (before?.has(grader) ?? true) && !open.has(grader)) open.set(grader, message);
  for (const { grader, passed: holds } of parts) if (holds !== null) open.delete(grader);
  return open;
}

function comparedBits(checks: readonly CheckResult[], passes: boolean): number {
  let holds: boolean | null = passes;
  for (const { compared } of checks) if (compared !== undefined) holds = compared;
  return holds === null ? 0 : COMPARED | (holds ? COMPARED_PASSED : 0);
}

/** The very list, where there was no later move. */
function firstMoves(counted: Activation[]): Activation[] {
  for (const { turn } of counted) if (turn !== 1) return counted.filter((activation) => activation.turn === 1);
  return counted;
}

/** Required skills that did not fire, which may be the very list of those that are required; one of `also_fine` stands for all of them. */
export function missingSkills(expect: QuestionLine["expect"], counted: Activation[]): readonly string[] {
  if (expect === undefined) return [];
  const fired = counted.length <= 8 ? undefined : new Set(counted.map((activation) => activation.skill));
  const hasFired = (skill: string) => (fired === undefined ? counted.some((activation) => activation.skill === skill) : fired.has(skill));
  if (expect.also_fine.some(hasFired)) return [];
  return expect.required_skills.some(hasFired) ? expect.required_skills.filter((skill) => !hasFired(skill)) : expect.required_skills;
}

/** An array that grows by pushing reserves room for 17; there are as many arrays as questions and asks. */
export function sized(runs: number): number[] {
  return new Array<number>(Math.min(runs, 100));
}

function checkOf(
  question: QuestionLine,
  trial: TrialLine,
  checks: readonly CheckResult[],
  { rule, regrade }: EvidenceReading,
): { passed: boolean | null; message: string } {
  if (regrade && question.expect !== undefined) {
    return together(checkActivations(question.expect as SkillInvocation, trial.activations, rule, trial.prediction));
  }
  return together(checks);
}

function together(checks: readonly Pick<CheckResult, "passed" | "message">[]): { passed: boolean | null; message: string } {
  let open = checks.length === 0 ? "" : undefined;
  for (const { passed: holds, message } of checks) {
    if (holds === false) return { passed: false, message };
    if (holds === null) open ??= message;
  }
  return { passed: open === undefined ? true : null, message: open ?? "" };
}

function holds(expect: NonNullable<QuestionLine["expect"]>, activations: Activation[], rule: EvidenceRule): boolean {
  return checkActivations(expect as SkillInvocation, activations, rule).every((check) => check.passed);
}

/** A question that expects a sibling fails also when nobody fires; that is no false positive of its own skill. */
function misfires({ line, skill, role }: QuestionTally, hasPassed: boolean, activations: Activation[]): boolean {
  if (role === "positive") return false;
  return line.positive ? activations.some((activation) => activation.skill === skill) : !hasPassed;
}

function noteFailure(tally: QuestionTally, trial: TrialLine, counted: Activation[], message: string): void {
  const cause = causeOf(tally.line, trial, counted);
  tally.causes ??= {};
  tally.causes[cause] = (tally.causes[cause] ?? 0) + 1;
  tally.fired = withFired(tally.fired, atFault(tally.line, counted));
  if (tally.sample === undefined || trial.run < tally.sample.run) tally.sample = sampleOf(tally, trial, counted, cause, message);
}

/** What fired so far, and in one trial more. */
function withFired(before: Fired[] | undefined, activations: Activation[]): Fired[] | undefined {
  let fired = before;
  for (const { skill, turn, evidence } of firstOfEach(activations)) {
    const known = fired?.find((seen) => seen.skill === skill);
    if (known === undefined) fired = (fired ?? []).concat([{ skill, trials: 1, turn, evidence }]);
    else {
      known.trials++;
      if (turn < known.turn) Object.assign(known, { turn, evidence });
    }
  }
  return fired;
}

function causeOf(question: QuestionLine, trial: TrialLine, counted: Activation[]): Cause {
  const { expect } = question;
  if (expect === undefined) return "check";
  if (!question.positive) return "misfire";
  const missing = missingSkills(expect, counted);
  if (missing.length === 0) return "not_as_expected";
  if (trial.activations.some(({ evidence, skill }) => evidence === "refused" && missing.includes(skill))) return "refused";
  if (missing.some((skill) => hiddenAs(trial, skill) !== undefined)) return "not_shown";
  if (counted.some(({ skill }) => !expect.required_skills.includes(skill))) return "sibling";
  return trial.askedBack === true ? "asked_back" : "unused";
}

/** The model was not shown the skill's description; undefined when it was, or the host does not say. */
function hiddenAs({ listing }: TrialLine, skill: string): "absent" | "bare" | undefined {
  if (listing === undefined || listing.length === 0) return undefined;
  const shown = listing.find((entry) => entry.skill === skill)?.shown ?? "absent";
  return shown === "absent" || shown === "bare" ? shown : undefined;
}

/** Of a negative, the skills that must not fire; of a positive, those that fired instead of the required ones, or beside them. */
function atFault({ expect, positive }: QuestionLine, counted: Activation[]): Activation[] {
  if (expect === undefined) return counted;
  const { required_skills: required, forbidden_skills: forbidden, also_fine: fine, allow_extra } = expect;
  if (positive) return counted.filter(({ skill }) => !required.includes(skill) && !fine.includes(skill));
  return counted.filter(({ skill }) => forbidden.includes(skill) || (!allow_extra && !fine.includes(skill)));
}

function firstOfEach(counted: Activation[]): Activation[] {
  if (counted.length < 2) return counted;
  return counted.filter((activation, index) => counted.findIndex((other) => other.skill === activation.skill) === index);
}

function sampleOf({ line, skill }: QuestionTally, trial: TrialLine, counted: Activation[], cause: Cause, message: string): Sample {
  const missing = missingSkills(line.expect, counted);
  const shown = cause === "not_shown" ? missing.map((name) => hiddenAs(trial, name)).find((how) => how !== undefined) : undefined;
  const sample: Sample = { run: trial.run, message: known(message, () => message), missing, shown, reason: trial.reason };
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

/** Of the trials that go wrong, most do so in the same words. */
const known = createPool<string>();

function shortened(entry: Ranked | undefined): RankedSkill | undefined {
  return entry && { skill: entry.skill, score: entry.score, words: entry.words.slice(0, 6) };
}
