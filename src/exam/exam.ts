import { setMaxListeners } from "node:events";
import { type Closings, withClosings } from "../base/index.ts";
import { resolveExamOptions } from "../base/options/index.ts";
import { beforeRun } from "../formats/index.ts";
import type { FooterLine, Scores } from "../model/index.ts";
import {
  askAll,
  footerOf,
  headerOf,
  hideSecrets,
  openAnswers,
  openCounters,
  openExecutor,
  openRecordOf,
  type RunRequest,
  requireKeys,
  requireLogin,
  takeSnapshot,
} from "./ask/index.ts";
import { ComparedReplies, comparesReplies, openJudges } from "./grade/index.ts";
import {
  describeFilters,
  type Exam,
  type ExamRequest,
  findLibraries,
  findTargets,
  homeOf,
  planLibraries,
  questionsIn,
} from "./plan/index.ts";
import type { RecordPlace } from "./record/index.ts";
import { scoreStored } from "./score/index.ts";

interface RecordedExam {
  place: RecordPlace;
  /** How it ended, and what was not asked. */
  footer: FooterLine;
}

export interface ExamResult extends RecordedExam {
  scores: Scores;
}

/**
 * find → read → plan: one exam per library that has questions. Nobody is asked.
 * Throws a UsageError if there is nothing that can be asked.
 */
export async function planExams(request: ExamRequest): Promise<Exam[]> {
  const { cwd, config, flags = {}, env = process.env, revision } = request;
  const where = { cwd, paths: request.paths, config, ...revision?.at };
  const options = resolveExamOptions(flags, config);
  const home = homeOf(cwd, config);
  const found = await findLibraries(where);
  const read = await questionsIn(found, where, flags);
  const asked = await findTargets({
    ...request,
    flags,
    env,
    home,
    options,
    suites: read.flatMap(({ suites }) => suites),
  });
  return planLibraries({ where, flags, env, home, options, found, read, asked, revision });
}

/** ask → grade → record → score. Everything a score says comes from the record. */
export async function runExam(exam: Exam, request: RunRequest = {}): Promise<ExamResult> {
  const afterRun = await beforeRun(exam.suites, exam.library);
  const { place, footer } = await askExam(exam, request);
  const scores = await scoreStored(place);
  await afterRun({
    id: place.run,
    how: footer.how,
    isWhole: exam.options.shard === undefined && describeFilters(exam.options.filters).length === 0,
    targets: exam.targets.map(({ target: { id, kind } }) => ({ id, kind })),
    scores: async () => scores,
  });
  return { place, footer, scores };
}

/** ask → grade → record. Every trial is in the record before it counts. */
export function askExam(exam: Exam, request: RunRequest = {}): Promise<RecordedExam> {
  return withClosings((closings) => openAndAsk(exam, request, closings));
}

async function openAndAsk(planned: Exam, request: RunRequest, closings: Closings): Promise<RecordedExam> {
  const never = new AbortController().signal;
  const { finish = never, stop = never, on = () => {}, resume, fleet } = request;
  for (const signal of [finish, stop]) setMaxListeners(0, signal);
  const notice = (text: string) => on({ type: "notice", text });

  const snapshot = closings.add(await takeSnapshot(planned), (copy) => copy.remove());
  const { exam, staged } = snapshot;
  // Little may be left of an interrupted run, so a login that runs out is left to its trials to meet.
  if (resume === undefined) await requireLogin(exam);
  const mask = hideSecrets(exam);
  const judges = closings.add(await openJudges(exam, { mask, find: fleet?.judges }), (opened) => opened?.close());
  const replies = new ComparedReplies();
  const answers = openAnswers({ exam, skills: staged, mask, judges, replies });
  closings.add(answers, (opened) => opened.close(notice));
  const header = await headerOf(exam, staged);
  const counters = await openCounters(exam, header, judges);
  await requireKeys({ exam, header, resume, answers });

  const { record, known, ended } = await openRecordOf({ exam, header, resume, mask, counters });
  closings.add(record, (opened) => opened.abandon());
  const place = { run: record.run, dir: record.dir, file: record.file };
  const complete = exam.plan.asks.every((ask) => counters.standings.needed(ask) === 0);
  on({ type: "record", place, resumed: known, complete });
  if (ended !== undefined) return { place, footer: ended };
  if (resume !== undefined && comparesReplies({ questions: [...exam.plan.checks.values()] }))
    await replies.recall(place);

  const opening = openExecutor({ snapshot, judges, replies, fleet, record: place, finish, notice });
  const executor = closings.add(await opening, (opened) => opened.close());
  const result = await askAll({ exam, executor, record, answers, judges, counters, finish, stop, on });
  const footer = footerOf({ exam, counters, result, changed: await snapshot.changed() });
  await record.close(footer);
  return { place, footer };
}
