import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { canonicalJson, fingerprint, type Problem, relativePosix } from "../../base/index.ts";
import type { ExamOptions, Shard } from "../../base/options/index.ts";
import { inlineSchemas, isPositive, makeAsk, nameOf } from "../../formats/index.ts";
import { needsJudge } from "../../graders/index.ts";
import {
  type Ask,
  aboutOneSkill,
  type Case,
  type GraderSpec,
  type Library,
  type QuestionLine,
  type SkillInvocation,
  type Suite,
} from "../../model/index.ts";
import { type Baseline, comparedId, variantOf } from "./gather/baseline.ts";
import {
  type PlannedAsk,
  type PlannedQuestion,
  type PlannedTarget,
  plannedAsk,
  type QuestionCheck,
} from "./planned-ask.ts";
import { resolveQuestion } from "./questions/resolve-question.ts";
import { type SuiteQuestion, select } from "./questions/select.ts";
import { comparedGraders, crossQuestions } from "./questions/variants.ts";
import { lacksJudge, lacksResponder, notIts, runsOf, whySkipped } from "./questions/who-answers.ts";

export interface Plan {
  /** Questions of this run or shard, including invalid and skipped ones. */
  questions: QuestionLine[];
  asks: PlannedAsk[];
  checks: ReadonlyMap<string, QuestionCheck>;
  faults: Problem[];
  /** Covers all chosen questions, not only this shard's. */
  suite: { fingerprint: string; files: string[] };
}

export interface PlanRequest {
  library: Library;
  suites: readonly Suite[];
  targets: readonly PlannedTarget[];
  options: ExamOptions;
  own?: boolean;
  baseline?: Baseline;
  failed?: ReadonlySet<string>;
}

export function planExam(request: PlanRequest): Plan {
  const { library, options, targets } = request;
  const chosen = select(allQuestions(request.suites, library), options.filters, library).filter(
    ({ id }) => request.failed?.has(id) ?? true,
  );
  const isReviewed = chosen.some(({ question }) => !question.draft && question.skip === undefined);
  const drafts = chosen.map((one) => draft(one, request, isReviewed));
  if (options.cross) drafts.push(...crossed(drafts, library));
  const { baseline } = request;
  const all = baseline === undefined ? drafts : drafts.flatMap((one) => [...compared(one, baseline, request), one]);
  for (const one of all) askAboutSkill(one, targets);
  const mine = all.filter(
    ({ line, shardedBy }) => options.shard === undefined || inShard(shardedBy ?? line.ask, options.shard),
  );
  return {
    questions: mine.map(({ line }) => line),
    asks: asksOf(mine, targets),
    checks: new Map(mine.map(({ line, check }) => [line.id, check])),
    faults: mine.flatMap(({ line, faults = [] }) => (Object.keys(line.runs).length > 0 ? faults : [])),
    suite: { fingerprint: suiteFingerprint(all), files: suiteFiles(chosen, library) },
  };
}

function allQuestions(suites: readonly Suite[], library: Library): SuiteQuestion[] {
  return suites.flatMap((suite) =>
    [...suite.triggers, ...suite.cases].map((question) => ({
      suite,
      question,
      id: `${relativePosix(library.root, suite.file)}#${question.id}`,
    })),
  );
}

/** Unreviewed drafts are skipped if any chosen question `isReviewed`. */
function draft(
  { suite, question, id }: SuiteQuestion,
  { library, targets, options, own }: PlanRequest,
  isReviewed: boolean,
): PlannedQuestion {
  const resolved = resolveQuestion(question, library);
  // Limits are part of the key of an ask, so an absent limit must not be a member.
  const limits = {
    ...timeLimit(suite),
    ...(options.maxTurns !== undefined && { maxTurns: options.maxTurns }),
    ...question.limits,
  };
  const ask = makeAsk({ ...question, limits, skill: resolved.skill ?? question.skill }, library);
  const { file, line, column } = question.source;
  const graders =
    question.kind === "case" ? inlineSchemas(judgedBy(question.graders, suite), suite.file, library.root) : [];
  const unjudged = lacksJudge(graders, options.judge) ?? lacksResponder(question, options.judge);
  const unreviewed =
    question.draft && isReviewed ? "a draft that nobody has reviewed: correct it and delete its `draft`" : undefined;
  const skipped: Record<string, string> = {};
  const runs: Record<string, number> = {};
  for (const planned of targets) {
    const why =
      (own ? notIts(suite, question, planned) : undefined) ?? whySkipped(question, planned) ?? unreviewed ?? unjudged;
    if (why !== undefined) skipped[planned.target.id] = why;
    else runs[planned.target.id] = runsOf(question, { suite, identity: planned.identity, options });
  }
  return {
    line: {
      type: "question",
      id,
      kind: question.kind,
      skill: resolved.skill,
      positive: isPositive(question),
      ask: ask.key,
      prompt: ask.prompt,
      expect: resolved.expect,
      checks: question.kind === "case" ? fingerprint(checkedBy(graders, question.expectedOutput)) : undefined,
      source: { file: relativePosix(library.root, file), line, column },
      tags: question.tags,
      runs,
      skipped,
      draft: question.draft ? true : undefined,
      name: question.kind === "case" ? nameOf(question) : undefined,
      invalid: resolved.invalid,
    },
    check:
      question.kind === "trigger"
        ? { id, expect: resolved.expect ?? question.expect }
        : caseCheck({ id, graders, dir: dirname(suite.file) }, question),
    ask: resolved.invalid === undefined ? ask : undefined,
    faults: question.faults,
  };
}

function checkedBy(graders: GraderSpec[], expectedOutput: string | undefined): unknown {
  return expectedOutput === undefined ? graders : { graders, expectedOutput };
}

function caseCheck(check: { id: string; graders: GraderSpec[]; dir: string }, { expectedOutput }: Case): QuestionCheck {
  return expectedOutput === undefined ? check : { ...check, expectedOutput };
}

/** The suite's model judges rubrics that name no judge. */
function judgedBy(graders: GraderSpec[], { defaults }: Suite): GraderSpec[] {
  if (defaults.model === undefined) return graders;
  return graders.map((spec) => {
    if (!needsJudge(spec)) return spec;
    const config = spec.config as { model?: string };
    return { ...spec, config: { ...config, model: config.model ?? defaults.model } };
  });
}

function crossed(drafts: readonly PlannedQuestion[], library: Library): PlannedQuestion[] {
  const asks = new Map(drafts.map(({ line, ask }) => [line.ask, ask]));
  const lines = crossQuestions(
    drafts.map(({ line }) => line),
    library,
  );
  return lines.map((line) => ({
    line,
    check: { id: line.id, expect: line.expect as SkillInvocation },
    ask: asks.get(line.ask),
  }));
}

const HAVE_SKILLS = new Set(["agent", "script", "own"]);

function compared(one: PlannedQuestion, baseline: Baseline, { targets, library }: PlanRequest): PlannedQuestion[] {
  const { line, ask, check } = one;
  const { skill } = line;
  if (line.kind !== "case" || ask === undefined || skill === undefined || !("graders" in check)) return [];
  const variant = variantOf(baseline, skill);
  if (variant === undefined) return [];
  const id = comparedId(line.id);
  const skipped = { ...line.skipped };
  const runs: Record<string, number> = {};
  for (const { target } of targets) {
    if (skipped[target.id] === undefined && !HAVE_SKILLS.has(target.kind))
      skipped[target.id] = "it is given no skills that could be left out";
    if (skipped[target.id] === undefined) runs[target.id] = line.runs[target.id] ?? 0;
  }
  const other = makeAsk.compared(ask, variant);
  const twin: QuestionLine = {
    ...line,
    id,
    ask: other.key,
    runs,
    skipped,
    baseline: { of: line.id, label: variant.label },
  };
  const graders = variant.folder === undefined ? comparedGraders(check.graders, skill, library) : check.graders;
  if (graders.length === 0) return [];
  // These graders also compare the case itself. Its verdict still depends on all of its graders.
  one.check = { ...check, compared: graders };
  return [{ line: twin, check: { ...check, id, graders }, ask: other, shardedBy: line.ask }];
}

function askAboutSkill(one: PlannedQuestion, targets: readonly PlannedTarget[]): void {
  const judges = targets.filter(({ target }) => target.perSkill).map(({ target }) => target.id);
  const { line, ask } = one;
  if (judges.length === 0 || ask === undefined || line.expect === undefined) return;
  const about = line.cross ? undefined : aboutOneSkill(line);
  if (about === undefined) {
    for (const id of judges) {
      delete line.runs[id];
      line.skipped[id] ??= line.cross
        ? "it decides about one skill at a time, so a cross-check would be a new ask"
        : "it decides about one skill at a time, and the question does not say which";
    }
    return;
  }
  const ofOneSkill = { ask: makeAsk.about(ask, about.skill), check: { id: line.id, expect: about.expect } };
  one.ofOneSkill = ofOneSkill;
  line.asks = Object.fromEntries(judges.map((id) => [id, ofOneSkill.ask.key]));
}

function asksOf(drafts: readonly PlannedQuestion[], targets: readonly PlannedTarget[]): PlannedAsk[] {
  const usual = grouped(drafts, ({ ask, check }) => ask && { ask, check });
  const ofOneSkill = targets.some(({ target }) => target.perSkill) ? grouped(drafts, (one) => one.ofOneSkill) : [];
  return targets.flatMap(({ target: { id, perSkill } }) =>
    (perSkill ? ofOneSkill : usual).flatMap(({ ask, questions }) => {
      const asked = questions.filter(({ line }) => (line.runs[id] ?? 0) > 0);
      return asked.length === 0 ? [] : [plannedAsk(id, ask, asked.length === questions.length ? questions : asked)];
    }),
  );
}

function grouped(
  drafts: readonly PlannedQuestion[],
  askedAs: (one: PlannedQuestion) => { ask: Ask; check: QuestionCheck } | undefined,
): { ask: Ask; questions: PlannedQuestion[] }[] {
  const asks = new Map<string, { ask: Ask; questions: PlannedQuestion[] }>();
  for (const one of drafts) {
    const asked = askedAs(one);
    if (asked === undefined) continue;
    const { ask, check } = asked;
    const known = asks.get(ask.key);
    if (known === undefined) asks.set(ask.key, { ask, questions: [{ line: one.line, check }] });
    else known.questions.push({ line: one.line, check });
  }
  return [...asks.values()];
}

function timeLimit({ defaults }: Suite): { timeoutSeconds?: number } {
  return defaults.timeoutSeconds === undefined ? {} : { timeoutSeconds: defaults.timeoutSeconds };
}

function suiteFingerprint(drafts: readonly PlannedQuestion[]): string {
  const hash = createHash("sha256");
  for (const { line, check } of drafts) {
    const { id, ask, skill = null, invalid = null } = line;
    // An expectation's members are always in the same order; those of a grader's configuration need not be.
    const checked =
      "expect" in check ? JSON.stringify(check.expect) : canonicalJson(checkedBy(check.graders, check.expectedOutput));
    hash.update(JSON.stringify([id, ask, skill, invalid, checked]));
  }
  return hash.digest("hex");
}

function suiteFiles(chosen: readonly SuiteQuestion[], library: Library): string[] {
  return [...new Set(chosen.map(({ suite }) => relativePosix(library.root, suite.file)))].sort();
}

/** Depends on the ask alone, so that all machines split alike and no ask is in two shards. */
function inShard(askKey: string, { index, count }: Shard): boolean {
  return Number.parseInt(askKey.slice(0, 12), 16) % count === index - 1;
}
