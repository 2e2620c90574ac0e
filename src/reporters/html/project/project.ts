import picocolors from "picocolors";
import { VERSION } from "../../../base/index.ts";
import { agreement, causeLabel, errorLabel, exitCode } from "../../../exam/score/index.ts";
import { agreementOf, type Note, type Since } from "../../../history/index.ts";
import {
  ERROR_REASONS,
  type HeaderSkill,
  type QuestionScore,
  type Scores,
  type TargetScores,
} from "../../../model/index.ts";
import type { RenderOptions } from "../../reporter.ts";
import { sinceLines } from "../../terminal/changes-since.ts";
import { nextLines } from "../../terminal/next-step.ts";
import type { ReportScreen } from "../../terminal/screen.ts";
import { sightText } from "../../text/comparison.ts";
import {
  ALL_CAUSES,
  type PageData,
  type PageExam,
  type PageQuestion,
  type PageResult,
  type PageRun,
  type PageSince,
  type PageTarget,
} from "../page-data.ts";
import type { ReadExam } from "../read-exam.ts";
import type { LibraryFacts } from "./library-facts.ts";
import { pageTrials } from "./project-trials.ts";
import { rivalOrder } from "./rivals.ts";

type ShownExam = Omit<ReadExam, "skills"> & { skills: Pick<HeaderSkill, "id" | "modelInvocable" | "description">[] };

export interface PageInput {
  exam: ShownExam | null;
  since: readonly Since[];
  notes: readonly Note[];
  history: PageRun[];
  facts: LibraryFacts | null;
  /** Context for suggested commands, as in the terminal. */
  seen: Pick<RenderOptions, "base" | "paths" | "config">;
  /** Trials whose transcripts are embedded. If absent, the server provides all of them. */
  embedded?: ReadonlySet<object>;
}

/** Selects and names; every number comes from the scores. */
export function pageData(input: PageInput): PageData {
  const { exam, history, facts } = input;
  return {
    version: 1,
    proctor: VERSION,
    exam: exam === null ? null : pageExam(exam, input),
    library: { name: exam?.scores.run.library.name ?? facts?.name ?? "", skills: skillsOf(exam, facts) },
    collisions: facts?.collisions ?? null,
    history,
    words: {
      causes: Object.fromEntries(ALL_CAUSES.map((cause) => [cause, causeLabel(cause)])),
      errors: Object.fromEntries(ERROR_REASONS.map((reason) => [reason, errorLabel(reason)])),
    },
  };
}

function pageExam(read: ShownExam, { since, notes, history, seen, embedded }: PageInput): PageExam {
  const { scores, skills } = read;
  const { options, run, plan, gates, targets } = scores;
  const questions = questionsOf(targets);
  const places = new Map(questions.map(({ id }, at) => [id, at]));
  const screen: ReportScreen = {
    colors: picocolors.createColors(false),
    width: 100_000,
    verbose: false,
    record: undefined,
    base: seen.base,
    paths: seen.paths,
    config: seen.config,
    since: [],
  };
  return {
    run,
    thresholds: { positive: options.threshold, negative: options.negativeThreshold, confidence: options.confidence },
    plan,
    gates: gates.map(({ gate, target, status, message }) => ({ text: gate.text, target, status, message })),
    exitCode: exitCode(scores),
    next: nextLines(scores, { ...screen, width: 1 }).map((line) => line.replace(/^\s*(?:next:|or)\s+/, "")),
    questions,
    targets: targets.map((target) => pageTarget(target, read, places, since)),
    agreements: agreementsOf(scores),
    notes: {
      all: notes.flatMap(({ question, ...note }) => {
        const place = places.get(question);
        return place === undefined ? [] : [{ ...note, question: place }];
      }),
      agreement: agreementOf(notes, scores),
    },
    since: since.map((one) => pageSince(one, scores, history, screen)),
    order: rivalOrder(
      skills.map(({ id }) => id),
      targets.flatMap(({ confusion }) =>
        confusion.cells
          .map(({ expected, fired, wrong }) => ({ skills: [expected, fired] as const, weight: wrong }))
          .filter(({ weight }) => weight > 0),
      ),
    ),
    ...pageTrials(read, places, embedded),
  };
}

function questionsOf(targets: readonly TargetScores[]): PageQuestion[] {
  const all = new Map<string, PageQuestion>();
  for (const { questions } of targets)
    for (const { id, kind, name, skill, role, positive, prompt, source, tags, cross, expected } of questions)
      if (!all.has(id)) all.set(id, { id, kind, name, skill, role, positive, prompt, source, tags, cross, expected });
  return [...all.values()];
}

function pageTarget(
  target: TargetScores,
  { outcomes, short, ownAsks }: ShownExam,
  places: ReadonlyMap<string, number>,
  since: readonly Since[],
): PageTarget {
  const { questions, identity, ...rest } = target;
  const { host, version, provider, model } = identity;
  const runs = outcomes.get(target.id);
  const changes = since.find(({ comparison }) => comparison.target === target.id)?.comparison;
  const changed = new Map<string, PageResult["change"]>([
    ...(changes?.improved ?? []).map(({ id }) => [id, "improved"] as const),
    ...(changes?.worsened ?? []).map(({ id }) => [id, "worsened"] as const),
  ]);
  return {
    ...rest,
    identity: { host, version, provider, model },
    results: questions.map((question) =>
      pageResult(
        { ...question, ask: short(ownAsks.get(question.id)?.[target.id] ?? question.ask) },
        places.get(question.id) ?? 0,
        runs?.get(question.id) ?? "",
        changed.get(question.id),
      ),
    ),
  };
}

function pageResult(score: QuestionScore, question: number, runs: string, change: PageResult["change"]): PageResult {
  const {
    ask,
    status,
    reason,
    verdict,
    flaky,
    hits,
    measured,
    planned,
    errors,
    rate,
    causes,
    cause,
    fired,
    why,
    neverLoaded,
  } = score;
  return {
    question,
    ask,
    status,
    reason,
    verdict,
    flaky,
    hits,
    measured,
    planned,
    errors,
    rate,
    causes,
    cause,
    fired,
    why,
    neverLoaded,
    runs,
    change,
  };
}

function agreementsOf(scores: Scores): PageExam["agreements"] {
  const { targets } = scores;
  return targets.flatMap((one, at) =>
    targets.slice(at + 1).flatMap((other) => {
      const found = agreement(scores, one.id, other.id);
      if (found === null) return [];
      const trust = trustIn(other.predicted && !one.predicted ? [other, one] : [one, other], scores);
      const { agreed, n, low, high, kappa } = found;
      return [{ first: one.id, second: other.id, agreed, n, low, high, kappa, trust }];
    }),
  );
}

/** Trust in the target that only predicts, or else in the first. */
function trustIn([says, fails]: [TargetScores, TargetScores], scores: Scores): PageExam["agreements"][number]["trust"] {
  const found = agreement(scores, says.id, fails.id);
  return found === null ? undefined : { says: says.id, fails: fails.id, ...found.secondFails };
}

function pageSince(one: Since, scores: Scores, history: readonly PageRun[], screen: ReportScreen): PageSince {
  const { comparison, ...rest } = one;
  const { target, n, passed, improved, worsened } = comparison;
  const ids = (questions: readonly QuestionScore[]) => questions.map(({ id }) => id);
  const then = history.find(({ run }) => run === one.run)?.targets.find(({ id }) => id === comparison.target);
  return {
    ...rest,
    comparison: { target, n, passed, improved: ids(improved), worsened: ids(worsened) },
    sight: sightText(comparison),
    text: sinceLines(scores, { ...screen, since: [one] })[0] ?? "",
    before: then && { score: then.score, recall: then.recall, fpr: then.fpr, precision: then.precision },
  };
}

function skillsOf(exam: ShownExam | null, facts: LibraryFacts | null): PageData["library"]["skills"] {
  if (exam === null) return facts?.skills ?? [];
  const known = new Map(facts?.skills.map((skill) => [skill.id, skill]));
  return exam.skills.map(({ id, modelInvocable, description }) => ({
    id,
    modelInvocable,
    description: description ?? known.get(id)?.description,
    problems: known.get(id)?.problems,
  }));
}
