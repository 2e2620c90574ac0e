import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { canonicalJson, relativePosix } from "../base/index.ts";
import { type GraderSpec, needsJudge, type SkillInvocation } from "../graders/index.ts";
import type { ExamOptions } from "../options/index.ts";
import type { Identity, QuestionLine } from "../records/index.ts";
import type { Library } from "../skills/index.ts";
import { type Ask, isPositive, makeAsk, type Suite } from "../suites/index.ts";
import type { Target } from "../targets/index.ts";
import { crossQuestions } from "./cross.ts";
import type { QuestionCheck } from "./question-check.ts";
import { resolveQuestion } from "./resolve-question.ts";
import { type Chosen, select } from "./select.ts";
import { inShard } from "./shard.ts";
import { notIts, runsOf, whySkipped } from "./who-answers.ts";

export interface PlannedTarget {
  target: Target;
  identity: Identity;
}

/** An ask with the questions that share its trials. */
export interface PlannedAsk {
  ask: Ask;
  questions: { line: QuestionLine; check: QuestionCheck }[];
}

export interface Plan {
  /** What this run, or this shard of it, is about; invalid and skipped questions included. */
  questions: QuestionLine[];
  /** Put to every target but those that decide about one skill at a time. */
  asks: PlannedAsk[];
  /** Put to those. */
  skillAsks: PlannedAsk[];
  /** Of all chosen questions, whatever the shard. */
  suite: { fingerprint: string; files: string[] };
}

export interface PlanRequest {
  library: Library;
  suites: readonly Suite[];
  targets: readonly PlannedTarget[];
  options: ExamOptions;
  /** Nobody was named: each suite is put to its own targets, and to no other's. */
  own?: boolean;
  /** With --failed: the ids of the questions that did not pass last time. */
  failed?: ReadonlySet<string>;
}

/** Questions × targets × runs, and which of them share an ask. */
export function planExam(request: PlanRequest): Plan {
  const { library, options, targets } = request;
  const chosen = select(allQuestions(request.suites, library), options.filters, library, request.failed);
  const drafts = chosen.map((one) => draft(one, request));
  if (options.cross) {
    const byAsk = new Map(drafts.map((one) => [one.line.ask, one]));
    for (const line of crossQuestions(
      drafts.map((one) => one.line),
      library,
    )) {
      drafts.push({ ...byAsk.get(line.ask)!, line, check: { id: line.id, expect: line.expect as SkillInvocation } });
    }
  }
  const judged = targets.some(({ target }) => target.perSkill);
  if (judged) for (const one of drafts) askAboutSkill(one, targets);
  const mine = drafts.filter(({ line }) => options.shard === undefined || inShard(line.ask, options.shard));
  return {
    questions: mine.map((one) => one.line),
    asks: group(
      mine,
      (one) => one.ask,
      (one) => one.check,
    ),
    skillAsks: judged
      ? group(
          mine,
          (one) => one.skillAsk,
          (one) => one.skillCheck,
        )
      : [],
    suite: { fingerprint: suiteFingerprint(drafts), files: suiteFiles(chosen, library) },
  };
}

interface Draft {
  line: QuestionLine;
  check: QuestionCheck;
  /** Absent when it cannot be asked. */
  ask?: Ask;
  skillAsk?: Ask;
  skillCheck?: QuestionCheck;
}

function allQuestions(suites: readonly Suite[], library: Library): Chosen[] {
  return suites.flatMap((suite) =>
    [...suite.triggers, ...suite.cases].map((question) => ({ suite, question, id: `${shown(library, suite.file)}#${question.id}` })),
  );
}

function draft({ suite, question, id }: Chosen, { library, targets, options, own }: PlanRequest): Draft {
  const resolved = resolveQuestion(question, library);
  const limits = { ...timeLimit(suite), ...(options.maxTurns !== undefined && { maxTurns: options.maxTurns }), ...question.limits };
  const ask = makeAsk({ ...question, limits, ...(resolved.skill !== undefined && { skill: resolved.skill }) }, library);
  const { file, line, column } = question.source;
  const skipped: Record<string, string> = {};
  const runs: Record<string, number> = {};
  for (const planned of targets) {
    const why = (own ? notIts(suite, question, planned) : undefined) ?? whySkipped(question, planned);
    if (why !== undefined) skipped[planned.target.id] = why;
    else runs[planned.target.id] = runsOf(question, suite, planned.identity, options);
  }
  return {
    line: {
      type: "question",
      id,
      kind: question.kind,
      ...(resolved.skill !== undefined && { skill: resolved.skill }),
      positive: isPositive(question),
      ask: ask.key,
      prompt: ask.prompt,
      ...(resolved.expect && { expect: resolved.expect }),
      source: { file: shown(library, file), ...(line !== undefined && { line }), ...(column !== undefined && { column }) },
      tags: question.tags,
      runs,
      skipped,
      ...(question.draft && { draft: true }),
      ...(resolved.invalid !== undefined && { invalid: resolved.invalid }),
    },
    check:
      question.kind === "trigger"
        ? { id, expect: resolved.expect ?? question.expect }
        : { id, graders: judgedBy(question.graders, suite), dir: dirname(suite.file) },
    ...(resolved.invalid === undefined && { ask }),
  };
}

/** A rubric without a judge of its own is judged by the suite's model. */
function judgedBy(graders: GraderSpec[], { defaults }: Suite): GraderSpec[] {
  if (defaults.model === undefined) return graders;
  return graders.map((spec) =>
    needsJudge(spec) ? { ...spec, config: { model: defaults.model, ...(spec.config as Record<string, unknown>) } } : spec,
  );
}

/** For targets that decide about one skill: the question's own, and what it expects of that one. */
function askAboutSkill(one: Draft, targets: readonly PlannedTarget[]): void {
  const judges = targets.filter(({ target }) => target.perSkill).map(({ target }) => target.id);
  const { line } = one;
  if (one.ask === undefined || line.expect === undefined) return;
  const { required_skills: required, forbidden_skills: forbidden } = line.expect;
  const skill = [line.skill, required.length === 1 ? required[0] : undefined, forbidden.length === 1 ? forbidden[0] : undefined].find(
    (name) => name !== undefined && (required.includes(name) || forbidden.includes(name)),
  );
  if (skill === undefined || line.cross) {
    for (const id of judges) {
      delete line.runs[id];
      line.skipped[id] ??= line.cross
        ? "it decides about one skill at a time, so a cross-check would be a new ask"
        : "it decides about one skill at a time, and the question does not say which";
    }
    return;
  }
  const only = (names: string[]) => names.filter((name) => name === skill);
  one.skillAsk = makeAsk.about(one.ask, skill);
  one.skillCheck = {
    id: line.id,
    expect: { required_skills: only(required), forbidden_skills: only(forbidden), also_fine: [], mode: "any_order", allow_extra: true },
  };
  line.asks = Object.fromEntries(judges.map((id) => [id, one.skillAsk!.key]));
}

function group(
  drafts: readonly Draft[],
  askOf: (one: Draft) => Ask | undefined,
  checkOf: (one: Draft) => QuestionCheck | undefined,
): PlannedAsk[] {
  const asks = new Map<string, PlannedAsk>();
  for (const one of drafts) {
    const ask = askOf(one);
    if (ask === undefined) continue;
    const known = asks.get(ask.key);
    const question = { line: one.line, check: checkOf(one)! };
    if (known === undefined) asks.set(ask.key, { ask, questions: [question] });
    else known.questions.push(question);
  }
  return [...asks.values()];
}

function timeLimit(suite: Suite): { timeoutSeconds?: number } {
  return suite.defaults.timeoutSeconds === undefined ? {} : { timeoutSeconds: suite.defaults.timeoutSeconds };
}

function suiteFingerprint(drafts: readonly Draft[]): string {
  const hash = createHash("sha256");
  for (const { line, check } of drafts) {
    const { id, ask, skill = null, invalid = null } = line;
    // An expectation's members are always in the same order; what a suite writes into a grader need not be.
    const checked = "expect" in check ? JSON.stringify(check.expect) : canonicalJson(check.graders);
    hash.update(JSON.stringify([id, ask, skill, invalid, checked]));
  }
  return hash.digest("hex");
}

function suiteFiles(chosen: readonly Chosen[], library: Library): string[] {
  return [...new Set(chosen.map(({ suite }) => shown(library, suite.file)))].sort();
}

function shown(library: Library, file: string): string {
  return relativePosix(library.root, file);
}
