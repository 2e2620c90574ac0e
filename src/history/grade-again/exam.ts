import { createMask } from "../../base/index.ts";
import type { LoadedConfig, RunSettings } from "../../base/options/index.ts";
import { discover, withoutExam } from "../../exam/find/index.ts";
import { ComparedReplies, comparesReplies, type Judges, openJudges } from "../../exam/grade/index.ts";
import { planExams } from "../../exam/index.ts";
import { comparedGraders, type Exam, type QuestionCheck, WITHOUT } from "../../exam/plan/index.ts";
import { readSuites } from "../../exam/read/index.ts";
import { type RecordPlace, readRecord, stageLibrary } from "../../exam/record/index.ts";
import type { EvidenceRule, HeaderLine, QuestionLine, Skill } from "../../model/index.ts";
import { settingsOfRun } from "../resume.ts";

export interface RegradeRequest {
  home: string;
  config: LoadedConfig;
  reparse?: boolean;
  /** Model to ask for missing judgements. Without it, judged checks keep their results. */
  judge?: string;
  /** Write the reference files of `diff` graders from the recorded workspaces. */
  updateSnapshots?: boolean;
  env?: NodeJS.ProcessEnv;
}

export interface StoredExam {
  place: RecordPlace;
  evidence: EvidenceRule;
  questions: Map<string, QuestionLine[]>;
  /** The exam according to its suites now; undefined if they cannot be read any more. */
  today: Exam | undefined;
  asked: ReadonlyMap<string, QuestionLine>;
  /** Recorded ask per question id. */
  recorded: ReadonlyMap<string, string>;
  without: ReadonlySet<string>;
  replies: ComparedReplies;
  judges: Judges | undefined;
  updateSnapshots: boolean | undefined;
  skills: readonly Skill[];
  library: ReadonlySet<string>;
  agents: ReadonlySet<string>;
  kept: Record<string, number>;
  notes: Set<string>;
}

export async function openExam(place: RecordPlace, header: HeaderLine, request: RegradeRequest): Promise<StoredExam> {
  const today = await examOf(place, header, request);
  const exam: StoredExam = {
    place,
    today,
    asked: new Map(today?.plan.questions.map((question) => [question.id, question])),
    ...(await recordedQuestions(place)),
    replies: new ComparedReplies(),
    judges:
      today && request.judge !== undefined
        ? await openJudges(today, { mask: createMask([]), named: [request.judge] })
        : undefined,
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
  if (judged && [...today.plan.checks.values()].some((check) => comparesReplies({ questions: [check] })))
    await exam.replies.recall(place);
  return exam;
}

async function examOf(
  place: RecordPlace,
  { library, suite }: HeaderLine,
  { config, env, judge }: RegradeRequest,
): Promise<Exam | undefined> {
  const { settings, paths } = await settingsOfRun(place);
  // What its cases were compared with may be gone, and is not asked again.
  const { baseline: _, ...asked } = settings;
  const again: RunSettings = { ...asked, targets: ["embedded"], keepGoing: true };
  if (judge !== undefined) again.judge = judge;
  const exams = await planExams({ cwd: library.root, config, flags: again, paths, env }).catch(() => []);
  const files = new Set(suite.files);
  return (
    exams.find(({ plan }) => plan.suite.fingerprint === suite.fingerprint) ??
    exams.find(({ plan }) => plan.suite.files.some((file) => files.has(file)))
  );
}

/** Questions come before trials, so reading stops at the first trial. */
async function recordedQuestions({ file }: RecordPlace): Promise<Pick<StoredExam, "recorded" | "without">> {
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

type CaseCheck = Extract<QuestionCheck, { graders: unknown }>;

/**
 * Today's checks of a question, if its ask is unchanged. A comparison question has the applicable checks of its case.
 */
export function checkOf(
  { id, baseline, skill }: QuestionLine,
  { today, asked, recorded, without }: StoredExam,
): CaseCheck | undefined {
  const own = baseline?.of ?? id;
  const now = asked.get(own);
  const check = today?.plan.checks.get(own);
  const same = now !== undefined && now.ask === recorded.get(own) && now.invalid === undefined;
  if (!same || check === undefined || !("graders" in check)) return undefined;
  if (!without.has(own) || skill === undefined || today === undefined) return { ...check, id };
  const compared = comparedGraders(check.graders, skill, today.library);
  return baseline === undefined ? { ...check, id, compared } : { ...check, id, graders: compared };
}
