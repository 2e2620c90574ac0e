import { isDeepStrictEqual } from "node:util";
import { createMask } from "../base/index.ts";
import { decided, type GraderSpec, gradeTrigger, needsJudge, type SkillInvocation } from "../graders/index.ts";
import type { LoadedConfig } from "../options/index.ts";
import { comparedGraders, type PreparedExam, prepareExams, type QuestionCheck, WITHOUT } from "../plan/index.ts";
import {
  type CheckResult,
  createRecord,
  type FooterLine,
  type HeaderLine,
  type QuestionLine,
  type RecordPlace,
  type RecordWriter,
  readHeader,
  readRaw,
  readRecord,
  readTranscript,
  stageLibrary,
  type TrialLine,
} from "../records/index.ts";
import { asksBack } from "../scores/index.ts";
import { ComparedReplies, comparesReplies, gradeTrial, type Judges, openJudges, programSetting, Stops } from "../sitting/index.ts";
import { discover, type Skill, withoutExam } from "../skills/index.ts";
import { readSuites } from "../suites/index.ts";
import { loadAgents } from "../targets/index.ts";
import { type Activation, foldEvents, type Transcript } from "../transcripts/index.ts";
import { discardRun } from "./list-runs.ts";
import { settingsOfRun } from "./resume.ts";

export interface RegradeRequest {
  /** Where the new record goes. */
  home: string;
  config: LoadedConfig;
  /** Read the hosts' raw output again first. */
  reparse?: boolean;
  /** Ask this model for judgements that are not kept; without it, judged checks stay as they were. */
  judge?: string;
  /** Write what `diff` compares with from what was left. */
  updateSnapshots?: boolean;
  env?: NodeJS.ProcessEnv;
}

export interface Regraded {
  place: RecordPlace;
  trials: number;
  /** Trials whose checks came out differently. */
  changed: number;
  /** Checks that could not be made again, and are as they were, by reason. */
  kept: Record<string, number>;
  /** With `reparse`: trials that are as they were recorded, each with the reason. */
  notes: string[];
}

/** Grades the trials of a stored run again, by its suites as they are now, into a new record. No target is asked. */
export async function regradeRecord(place: RecordPlace, request: RegradeRequest): Promise<Regraded> {
  const header = await readHeader(place);
  const today = await examOf(place, header, request);
  const exam: Exam = {
    place,
    today,
    asked: new Map(today?.plan.questions.map((question) => [question.id, question])),
    ...(await recordedQuestions(place)),
    replies: new ComparedReplies(),
    judges: today && request.judge !== undefined ? await openJudges(today, createMask([]), undefined, [request.judge]) : undefined,
    updateSnapshots: request.updateSnapshots,
    evidence: header.options["evidence"] === "loaded" ? "loaded" : "any",
    questions: new Map(),
    skills: request.reparse ? await unchangedSkills(header) : [],
    library: new Set(header.library.skills.map(({ id }) => id)),
    agents: new Set(header.targets.filter(({ kind }) => kind === "agent").map(({ id }) => id)),
    kept: {},
    notes: new Set(),
  };
  const judged = exam.judges !== undefined && today !== undefined;
  if (judged && [...today.plan.checks.values()].some((check) => comparesReplies({ questions: [check] }))) await exam.replies.recall(place);
  const { type: _type, version: _version, run, ...start } = header;
  const options = { ...start.options, label: `regraded from ${run}` };
  const record = await createRecord(request.home, { ...start, createdAt: new Date().toISOString(), options }, { mask: createMask([]) });
  let footer: FooterLine | undefined;
  let trials = 0;
  let changed = 0;
  try {
    for await (const line of readRecord(place.file)) {
      if (line.type === "question") {
        exam.questions.set(line.ask, [...(exam.questions.get(line.ask) ?? []), line]);
        await record.question(gradedBy(line, exam));
      } else if (line.type === "trial") {
        trials++;
        if (await regradeTrial(line, exam, request.reparse === true, record)) changed++;
        footer = undefined;
      } else if (line.type === "footer") footer = line;
    }
    await record.close(footer ?? { type: "footer", endedAt: header.startedAt, how: "stopped", notAsked: {}, saved: { trials: 0 } });
  } catch (error) {
    await discardRun(record);
    throw error;
  } finally {
    await exam.judges?.close();
  }
  return { place: { run: record.run, dir: record.dir, file: record.file }, trials, changed, kept: exam.kept, notes: [...exam.notes] };
}

interface Exam {
  place: RecordPlace;
  evidence: "any" | "loaded";
  /** By ask. */
  questions: Map<string, QuestionLine[]>;
  /** The exam as its suites say it now; undefined when they cannot be read any more. */
  today: PreparedExam | undefined;
  /** Its questions by their ids. */
  asked: ReadonlyMap<string, QuestionLine>;
  /** What the record's questions asked, by their ids. */
  recorded: ReadonlyMap<string, string>;
  /** Cases that were also asked without their skill. */
  without: ReadonlySet<string>;
  /** What was answered without the skill, for graders that compare. */
  replies: ComparedReplies;
  judges: Judges | undefined;
  updateSnapshots: boolean | undefined;
  skills: readonly Skill[];
  library: ReadonlySet<string>;
  /** Targets that have raw output. */
  agents: ReadonlySet<string>;
  kept: Record<string, number>;
  notes: Set<string>;
}

async function regradeTrial(recorded: TrialLine, exam: Exam, reparse: boolean, record: RecordWriter): Promise<boolean> {
  const { transcript: ref, raw: rawRef, ...line } = recorded;
  const raw = rawRef && (await readRaw(exam.place.dir, rawRef));
  const stored = ref && (await readTranscript(exam.place.dir, ref));
  const reread = reparse ? await rereadOf(line, raw, exam) : undefined;
  const transcript = reread ?? stored;
  const fresh = reread === undefined ? line : rereadLine(line, reread);
  const checks = fresh.error === undefined ? await checksOf(fresh, transcript, exam) : [];
  await record.trial({ ...fresh, checks }, { transcript, raw });
  return !isDeepStrictEqual(
    checks.map(({ passed }) => passed),
    recorded.checks.map(({ passed }) => passed),
  );
}

async function checksOf(line: TrialLine, transcript: Transcript | undefined, exam: Exam): Promise<CheckResult[]> {
  const before = new Map(line.checks.map((check) => [check.question, check]));
  // A judge is asked about one skill, under an ask of its own: what its checks were is all that is known of them here.
  const ofAsk = exam.questions.get(line.ask)?.filter(({ skipped, invalid }) => skipped[line.target] === undefined && invalid === undefined);
  if (ofAsk === undefined) return line.checks.map((check) => keepCheck(check, "a judge's question about one skill", exam));
  const checks: CheckResult[] = [];
  for (const question of ofAsk) {
    const known = before.get(question.id);
    const graded = await gradeOne(question, line, transcript, exam);
    if (typeof graded !== "string") checks.push(graded);
    else if (known !== undefined) checks.push(keepCheck(known, graded, exam));
    else checks.push({ question: question.id, passed: null, score: null, message: graded });
  }
  return checks;
}

/** The check, or why it cannot be made from what is kept. */
async function gradeOne(
  question: QuestionLine,
  line: TrialLine,
  transcript: Transcript | undefined,
  exam: Exam,
): Promise<CheckResult | string> {
  const { evidence } = exam;
  if (question.kind === "trigger") {
    if (question.expect === undefined) return "its expectation is not in the record";
    const { passed, score, message } = gradeTrigger(question.expect as SkillInvocation, transcriptOf(line, transcript), { evidence });
    return { question: question.id, passed, score, message };
  }
  const check = checkOf(question, exam);
  if (check === undefined || exam.today === undefined) return "the suites no longer ask it";
  if (transcript === undefined) return "its transcript is not in the record";
  const judged = exam.judges === undefined ? check.graders.filter(needsJudge) : [];
  const graders = check.graders.filter((spec) => !judged.includes(spec));
  if (graders.length === 0) return NEEDS_JUDGE;
  const job = { ...jobLike(line, question, evidence), questions: [{ ...check, graders }] };
  const judge = exam.judges?.ask(job, new Stops(new AbortController().signal)).judge;
  const { updateSnapshots } = exam;
  const baseline = comparesReplies(job) ? await exam.replies.to(job) : undefined;
  const tools = { judge, setting: programSetting(exam.today), ms: line.ms, baseline, updateSnapshots };
  const [graded] = await gradeTrial(job, transcript, tools);
  if (graded === undefined || (graded.passed === null && transcript.workspace === undefined)) return "it needs the workspace";
  if (judged.length === 0) return graded;
  const before = line.checks.find((one) => one.question === question.id);
  return withJudgements(graded, { graders, judged, before: before?.parts ?? [] }, () => keepCheck(graded, NEEDS_JUDGE, exam));
}

const NEEDS_JUDGE = "it needs a judge (--judge MODEL asks one)";

/**
 * What was looked at again, with the judgements as they were. A failure needs no judge. Otherwise a judged grader that is new, or asks about a
 * statement that was not judged, leaves the case open.
 */
function withJudgements(
  graded: CheckResult,
  { graders, judged, before }: { graders: readonly GraderSpec[]; judged: readonly GraderSpec[]; before: NonNullable<CheckResult["parts"]> },
  keep: () => void,
): CheckResult {
  const kept = judged.map((spec) => ({ spec, parts: judgementsOf(spec, before) }));
  const parts = [...(graded.parts ?? []), ...kept.flatMap((one) => one.parts)];
  const whole = { ...graded, parts };
  if (graded.passed === false) return whole;
  if (kept.some((one) => one.parts.length === 0 || one.parts.some(({ passed }) => passed === null)))
    return { ...whole, passed: null, score: null, message: `not judged: ${NEEDS_JUDGE}` };
  keep();
  const failed = kept.flatMap((one) => one.parts.filter(({ passed }) => passed === false));
  const [passed, message] = failed.length > 0 ? [false, failed.map((part) => part.message).join("; ")] : [graded.passed, graded.message];
  return { ...whole, passed, message, score: meanOf(graded, graders, kept) };
}

/** What a judge found, of the statements that are still asked about; nothing where one of them is new. */
function judgementsOf({ type, name, config }: GraderSpec, before: NonNullable<CheckResult["parts"]>) {
  const parts = before.filter(({ grader }) => grader === (name ?? type));
  const { statements, text } = config as { statements?: string[]; text?: string };
  const asked = statements ?? (type === "llm" && text !== undefined ? [text] : undefined);
  if (asked === undefined) return parts;
  const found = asked.flatMap((statement) => parts.find(({ message }) => message.endsWith(`: ${statement}`)) ?? []);
  return found.length === asked.length ? found : [];
}

/** By weight; of a judged grader, the share of what holds is known. */
function meanOf(
  graded: CheckResult,
  graders: readonly GraderSpec[],
  kept: readonly { spec: GraderSpec; parts: NonNullable<CheckResult["parts"]> }[],
): number | null {
  const scores = [
    { weight: weightOf(graders), score: graded.score },
    ...kept.map(({ spec, parts }) => ({
      weight: weightOf([spec]),
      score: parts.filter(({ passed }) => passed === true).length / parts.length,
    })),
  ].flatMap(({ weight, score }) => (score === null ? [] : [{ weight, score }]));
  const total = scores.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? null : scores.reduce((sum, { weight, score }) => sum + weight * score, 0) / total;
}

function weightOf(graders: readonly GraderSpec[]): number {
  return graders.reduce((sum, { weight = 1 }) => sum + weight, 0);
}

type CaseCheck = Extract<QuestionCheck, { graders: unknown }>;

/** The same question with the same ask, whatever checks it has now. What was asked for comparison has those of its case, as far as they apply to it. */
function checkOf({ id, baseline, skill }: QuestionLine, { today, asked, recorded, without }: Exam): CaseCheck | undefined {
  const own = baseline?.of ?? id;
  const now = asked.get(own);
  const check = today?.plan.checks.get(own);
  const same = now !== undefined && now.ask === recorded.get(own) && now.invalid === undefined;
  if (!same || check === undefined || !("graders" in check)) return undefined;
  if (!without.has(own) || skill === undefined || today === undefined) return { ...check, id };
  const compared = comparedGraders(check.graders, skill, today.library);
  return baseline === undefined ? { ...check, id, compared } : { ...check, id, graders: compared };
}

/** The question's line, with the fingerprint of the graders that it is graded by now. */
function gradedBy(line: QuestionLine, exam: Exam): QuestionLine {
  if (line.kind !== "case" || checkOf(line, exam) === undefined) return line;
  return { ...line, checks: exam.asked.get(line.baseline?.of ?? line.id)?.checks ?? line.checks };
}

/** Questions stand before the trials. */
async function recordedQuestions({ file }: RecordPlace): Promise<Pick<Exam, "recorded" | "without">> {
  const recorded = new Map<string, string>();
  const without = new Set<string>();
  for await (const line of readRecord(file)) {
    if (line.type === "trial") break;
    if (line.type !== "question") continue;
    recorded.set(line.id, line.ask);
    if (line.baseline?.label === WITHOUT) without.add(line.baseline.of);
  }
  return { recorded, without };
}

/** As much of a job as grading needs. */
function jobLike({ target, run }: TrialLine, { ask: key, prompt, kind }: QuestionLine, evidence: Exam["evidence"]) {
  const ask = { key, kind, prompt, files: [], messages: [], library: "", limits: {} };
  return { key: `${target} ${key} ${run}`, target, ask, run, timeoutMs: 120_000, evidence };
}

function keepCheck(check: CheckResult, why: string, { kept }: Exam): CheckResult {
  kept[why] = (kept[why] ?? 0) + 1;
  return check;
}

/** Without texts and calls no transcript is kept: the line says it all. */
function transcriptOf({ activations, turns, how, prediction }: TrialLine, transcript: Transcript | undefined): Transcript {
  const outcome = { status: "activations" as const, activations };
  return { calls: [], texts: [], finalText: "", ...transcript, outcome, activations, turns, how, prediction };
}

async function rereadOf(line: TrialLine, raw: string | undefined, exam: Exam): Promise<Transcript | undefined> {
  if (!exam.agents.has(line.target)) {
    exam.notes.add(`${line.target} is no agent and has no raw output`);
    return undefined;
  }
  const note = (why: string) => {
    const prompt = exam.questions.get(line.ask)?.[0]?.prompt ?? line.ask;
    exam.notes.add(`${line.target} run ${line.run} of ${JSON.stringify(prompt.slice(0, 60))}: ${why}`);
    return undefined;
  };
  if (raw === undefined) return note(line.cached ? "answered from the cache, without raw output" : "its raw output is not in the record");
  const { rereadTrial } = await loadAgents();
  const enough = (activations: readonly Activation[]) =>
    (exam.questions.get(line.ask) ?? []).every(
      ({ expect }) => expect !== undefined && decided(expect as SkillInvocation, activations, exam.evidence),
    );
  const reread = await rereadTrial(raw, { skills: exam.skills, decided: enough });
  if (reread.status === "unread") return note(reread.why);
  return foldEvents(reread.events, { skills: new Set([...exam.library, ...reread.skills]) });
}

/** What it cost and how long it took stays; what was seen in it is new. */
function rereadLine({ error: _error, askedBack: _asked, ...line }: TrialLine, transcript: Transcript): TrialLine {
  const { outcome, activations, how, turns, usage, finalText } = transcript;
  const error = outcome.status === "error" ? { error: outcome.error } : {};
  const attempts = line.attempts.map((attempt, index) => {
    if (index < line.attempts.length - 1) return attempt;
    const { error: _before, ...rest } = attempt;
    return { ...rest, ...error };
  });
  return {
    ...line,
    ...error,
    how,
    turns,
    activations,
    attempts,
    usage: usage ?? line.usage,
    askedBack: activations.length === 0 && finalText !== "" && asksBack(finalText) ? true : undefined,
  };
}

/** The run's exam as it would be sat now: its graders may have been edited. */
async function examOf(
  place: RecordPlace,
  { library, suite }: HeaderLine,
  { config, env, judge }: RegradeRequest,
): Promise<PreparedExam | undefined> {
  const { settings, paths } = await settingsOfRun(place);
  // What its cases were compared with may be gone, and is not asked again.
  const { baseline: _, ...asked } = settings;
  const again = { ...asked, targets: ["embedded"], calibrate: false, keepGoing: true, ...(judge !== undefined && { judge }) };
  const exams = await prepareExams({ cwd: library.root, config, flags: again, paths, env }).catch(() => []);
  const files = new Set(suite.files);
  return (
    exams.find(({ plan }) => plan.suite.fingerprint === suite.fingerprint) ??
    exams.find(({ plan }) => plan.suite.files.some((file) => files.has(file)))
  );
}

/** The skills of the library whose files are what they were. */
async function unchangedSkills({ library }: HeaderLine): Promise<Skill[]> {
  const found = await discover({ cwd: library.root, root: library.root }).catch(() => undefined);
  const prints = new Map(library.skills.map(({ id, fingerprint }) => [id, fingerprint]));
  const unchanged = await Promise.all(
    (found?.libraries ?? []).map(async (now) => {
      const { exam } = await readSuites({ library: now, files: found!.files });
      const staged = await stageLibrary(withoutExam(now, exam));
      // `!`: `staged` has an entry for each skill of the library, in the same order.
      return now.skills.filter(({ id }, index) => prints.get(id) === staged[index]!.files);
    }),
  );
  return unchanged.flat();
}
