import { checkActivations } from "../../../graders/index.ts";
import {
  type Activation,
  aboutOneSkill,
  type Cause,
  type CheckResult,
  type Evidence,
  type EvidenceRule,
  type QuestionLine,
  type QuestionRole,
  roleOf,
  type SkillInvocation,
  type TrialLine,
} from "../../../model/index.ts";
import { type ArmTally, addToArm, startArm } from "./arm-tally.ts";
import { atFault, causeOf, type Sample, sampleOf } from "./failed-trial.ts";
import { type Unsure, unsureOf } from "./unsure.ts";

/** A question's results on one target: a number per run, and the evidence of one failed trial. */
export interface QuestionTally extends QuestionRole {
  /** As this target is asked. A target that decides about one skill at a time expects or forbids only that skill. */
  line: QuestionLine;
  /** Indexed by run − 1, with holes where nothing was measured. */
  runs: Run[];
  causes?: Partial<Record<Cause, number>>;
  fired?: Fired[];
  firedRightly?: Fired[];
  sample?: Sample;
  /** Why the first trial of a case without a verdict has none. */
  open?: string;
  arm?: ArmTally;
  /** Graders that could be applied to none of a case's decided trials, and why not. */
  unchecked?: ReadonlyMap<string, string>;
  judged?: true;
  unsure?: Unsure;
}

/** Outcome of a measured run, as bits of `RUN`. An object per run would take 10 % more memory at 200,000 trials. */
export type Run = number;

export const RUN = { passed: 1, misfired: 2, firstPassed: 4, firstMisfired: 8, compared: 16, comparedPassed: 32 };

export function has(run: Run, bit: number): boolean {
  return (run & bit) !== 0;
}

interface Fired {
  skill: string;
  trials: number;
  turn: number;
  evidence: Evidence;
}

export function startQuestion(line: QuestionLine, ofOneSkill: boolean): QuestionTally {
  const role = roleOf(line);
  const about = ofOneSkill ? aboutOneSkill(line) : undefined;
  return {
    skill: role.skill,
    role: role.role,
    expectsSibling: role.expectsSibling,
    line: about === undefined ? line : { ...line, positive: role.role === "positive", expect: about.expect },
    // All tallies have one shape: there is one per question, and every trial updates it.
    runs: [],
    causes: undefined,
    fired: undefined,
    firedRightly: undefined,
    sample: undefined,
  };
}

/**
 * Measured runs in order of their numbers. Runs beyond this question's own plan, made for another question on the ask,
 * are ignored; otherwise the count would depend on when the other question stops.
 */
export function measuredRuns({ runs, line }: QuestionTally, target: string): Run[] {
  const planned = line.runs[target] ?? 0;
  return Object.values(planned === 0 ? runs : runs.slice(0, planned));
}

/** `regrade`: the rule differs from the one the trial was graded by. */
export interface EvidenceReading {
  rule: EvidenceRule;
  regrade: boolean;
}

interface Shown {
  checks: (question: string) => readonly CheckResult[];
  counted: Activation[];
  evidence: EvidenceReading;
}

/** Counts a measured trial. Returns whether it passed, or null if nothing could be checked. */
export function addTrial(tally: QuestionTally, trial: TrialLine, { checks, counted, evidence }: Shown): boolean | null {
  const { line } = tally;
  const check = regraded(line, trial, evidence) ?? together(checks(line.id));
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
  const firstPassed =
    line.expect !== undefined && (onFirst === counted ? check.passed : holds(line.expect, onFirst, evidence.rule));
  let run: Run = (check.passed ? RUN.passed : 0) | (misfires(tally, check.passed, counted) ? RUN.misfired : 0);
  if (line.expect !== undefined)
    run |= (firstPassed ? RUN.firstPassed : 0) | (misfires(tally, firstPassed, onFirst) ? RUN.firstMisfired : 0);
  const compared = line.kind === "case" ? comparedIn(checks(line.id), check.passed) : null;
  if (compared !== null) run |= RUN.compared | (compared ? RUN.comparedPassed : 0);
  tally.runs[trial.run - 1] = run;
  if (!check.passed) noteFailure(tally, trial, { counted, message: check.message });
  else if (counted.length > 0) tally.firedRightly = withFired(tally.firedRightly, counted);
  return check.passed;
}

/** Graders without a check in this trial and in all before it. */
function stillUnchecked(
  before: QuestionTally["unchecked"],
  checks: readonly CheckResult[],
): QuestionTally["unchecked"] {
  if (before?.size === 0) return before;
  const open = new Map<string, string>();
  const parts = checks.flatMap((check) => check.parts ?? []);
  for (const { grader, passed: holds, message } of parts)
    if (holds === null && (before?.has(grader) ?? true) && !open.has(grader)) open.set(grader, message);
  for (const { grader, passed: holds } of parts) if (holds !== null) open.delete(grader);
  return open;
}

function comparedIn(checks: readonly CheckResult[], passes: boolean): boolean | null {
  const last = checks.findLast(({ compared }) => compared !== undefined);
  return last?.compared === undefined ? passes : last.compared;
}

/** Returns the same array if there was no later move. */
function firstMoves(counted: Activation[]): Activation[] {
  for (const { turn } of counted) if (turn !== 1) return counted.filter((activation) => activation.turn === 1);
  return counted;
}

function regraded({ expect }: QuestionLine, trial: TrialLine, { rule, regrade }: EvidenceReading) {
  return regrade && expect !== undefined
    ? together(checkActivations(expect as SkillInvocation, trial, rule))
    : undefined;
}

function together(checks: readonly Pick<CheckResult, "passed" | "message">[]): {
  passed: boolean | null;
  message: string;
} {
  let open = checks.length === 0 ? "" : undefined;
  for (const { passed: holds, message } of checks) {
    if (holds === false) return { passed: false, message };
    if (holds === null) open ??= message;
  }
  return { passed: open === undefined ? true : null, message: open ?? "" };
}

function holds(expect: NonNullable<QuestionLine["expect"]>, activations: Activation[], rule: EvidenceRule): boolean {
  return checkActivations(expect as SkillInvocation, { activations }, rule).every((check) => check.passed);
}

/** A question that expects a sibling also fails if nothing fires, but that is not a false positive of its own skill. */
function misfires({ line, skill, role }: QuestionTally, hasPassed: boolean, activations: Activation[]): boolean {
  if (role === "positive") return false;
  return line.positive ? activations.some((activation) => activation.skill === skill) : !hasPassed;
}

function noteFailure(
  tally: QuestionTally,
  trial: TrialLine,
  { counted, message }: { counted: Activation[]; message: string },
): void {
  const cause = causeOf(tally.line, trial, counted);
  tally.causes ??= {};
  tally.causes[cause] = (tally.causes[cause] ?? 0) + 1;
  tally.fired = withFired(tally.fired, atFault(tally.line, counted));
  if (tally.sample === undefined || trial.run < tally.sample.run)
    tally.sample = sampleOf({ line: tally.line, skill: tally.skill, trial, counted, cause, message });
}

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

function firstOfEach(counted: Activation[]): Activation[] {
  if (counted.length < 2) return counted;
  return counted.filter(
    (activation, index) => counted.findIndex((other) => other.skill === activation.skill) === index,
  );
}
