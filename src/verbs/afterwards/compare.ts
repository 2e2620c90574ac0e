import { UsageError } from "../../base/index.ts";
import { askExam, planExams } from "../../exam/index.ts";
import { baseHome, type LibraryAt, libraryAt } from "../../exam/plan/index.ts";
import { listRuns, openRecord, type RecordPlace } from "../../exam/record/index.ts";
import { type ChangeGate, parseChangeGate, parseGate, scoreStored } from "../../exam/score/index.ts";
import {
  type ComparedRuns,
  type CompareSettings,
  compareStored,
  keptRuns,
  prunable,
  removeRun,
} from "../../history/index.ts";
import type { Gate, Scores } from "../../model/index.ts";
import { type RunOptions, requestOf, run } from "../asking/run.ts";
import { openScope } from "../scope.ts";

/** The options of a run apply only with `base`, which asks questions. Stored runs are compared as they are. */
export interface CompareOptions extends Omit<RunOptions, "resume" | "lock"> {
  /** The earlier run: its id, its folder or its record.jsonl. Default: the run before `now`. */
  before?: string;
  /** The later run. Default: the newest. */
  now?: string;
  /**
   * Compares the library with its version at this revision instead. Both are asked today's questions, of `embedded`
   * unless targets are named.
   */
  base?: string;
  /**
   * Gates on a change (`no-regression`, `recall drop<=0.05`, `new-thefts<=0`) or on a rate of the later run. Default:
   * those of the configuration.
   */
  gates?: string[];
}

const KEPT = 10;

export async function compare(options: CompareOptions = {}): Promise<ComparedRuns[]> {
  const { home, config } = await openScope(options);
  const { allowPredicted = config.config.allow_predicted, minCoverage = config.config.min_coverage } = options;
  const settings = { ...parseGates(options.gates ?? config.config.change_gates ?? []), allowPredicted, minCoverage };
  if (options.base !== undefined) return compareWithRevision(options, options.base, settings);
  const { before, now } = await openBoth(home, options);
  return [await compareStored(before, now, settings)];
}
async function openBoth(
  home: string,
  options: Pick<CompareOptions, "before" | "now">,
): Promise<{ before: RecordPlace; now: RecordPlace }> {
  if (options.before === undefined) {
    const now = await openRecord(home, options.now);
    return { before: await runBefore(home, now), now };
  }
  const opened = await Promise.allSettled([openRecord(home, options.before), openRecord(home, options.now)]);
  const [before, now] = opened;
  if (before.status === "fulfilled" && now.status === "fulfilled") return { before: before.value, now: now.value };
  const faults = opened.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  const [first, second] = faults;
  if (first instanceof UsageError && second instanceof UsageError && first.message !== second.message)
    throw new UsageError(`${first.message}. ${second.message}`, first.hint);
  throw first;
}

async function compareWithRevision(
  options: CompareOptions,
  base: string,
  settings: CompareSettings,
): Promise<ComparedRuns[]> {
  const { before: _before, now: _now, gates: _gates, ...rest } = options;
  const { request } = await requestOf({ ...rest, targets: options.targets ?? ["embedded"] });
  // The changed skills are found once, for both sides.
  const { changed: _changed, base: _base, ...same } = rest;
  const asked: RunOptions = { ...same, targets: options.targets ?? ["embedded"], skills: request.flags?.skills };
  if (asked.skills === undefined) delete asked.skills;
  const then = await libraryAt(request, base);
  let earlier: Map<string, EarlierRun>;
  try {
    earlier = await runAt(then, asked, base);
  } finally {
    then.remove();
  }
  const spent = [...earlier.values()].map(({ scores }) => scores);
  const results = asked.signal?.aborted ? [] : await run({ ...asked, ...limitsLeft(asked, spent) });
  const revisions = { before: base };
  const compared: ComparedRuns[] = [];
  for (const { library, record, broken } of results) {
    const side = earlier.get(library);
    if (side === undefined) continue;
    const found = await compareStored(side.record, record, {
      ...settings,
      revisions,
      leftOut: then.leftOut,
      sameQuestions: true,
    });
    compared.push(broken.length === 0 ? found : { ...found, broken, exitCode: 2 });
  }
  if (compared.length === 0 && !asked.signal?.aborted)
    throw new UsageError(
      `No library with questions exists both here and in ${base}.`,
      "proctor run asks what is here; there is nothing to compare it with.",
    );
  return compared;
}

interface EarlierRun {
  record: RecordPlace;
  scores: Scores;
}

async function runAt(then: LibraryAt, options: RunOptions, base: string): Promise<Map<string, EarlierRun>> {
  const { request } = await requestOf(options);
  // Questions about skills that the revision lacks are skipped.
  const flags = { ...request.flags, keepGoing: true };
  const exams = await planExams({ ...request, flags, revision: then }).catch((error: unknown) => {
    throw error instanceof UsageError
      ? new UsageError(`${base} (${then.commit.slice(0, 7)}) cannot be examined: ${error.message}`, error.hint)
      : error;
  });
  const found = new Map<string, EarlierRun>();
  for (const exam of exams) {
    if (options.signal?.aborted) break;
    const { place } = await askExam(exam, { finish: options.signal, stop: options.stop, on: options.on });
    found.set(exam.library.name, { record: place, scores: await scoreStored(place) });
    const home = baseHome(exam.home);
    for (const old of prunable(await keptRuns(home), { keep: KEPT, before: undefined }))
      if (old.run !== place.run) await removeRun(old);
  }
  return found;
}

function limitsLeft(
  { budget, budgetTokens, maxTrials }: RunOptions,
  spent: readonly Scores[],
): Pick<RunOptions, "budget" | "budgetTokens" | "maxTrials"> {
  const trials = spent.flatMap(({ targets }) => targets.map((target) => target.trials));
  const sum = (value: (one: (typeof trials)[number]) => number) => trials.reduce((total, one) => total + value(one), 0);
  const left = (limit: number, used: number) => Math.max(0, limit - used);
  return {
    ...(budget !== undefined && {
      budget: left(
        budget,
        sum(({ cost }) => cost.usd),
      ),
    }),
    ...(budgetTokens !== undefined && {
      budgetTokens: left(
        budgetTokens,
        sum(({ tokens }) => tokens.input + tokens.output),
      ),
    }),
    ...(maxTrials !== undefined && {
      maxTrials: left(
        maxTrials,
        sum(({ total, cached }) => total - cached),
      ),
    }),
  };
}

export function parseGates(texts: readonly string[]): { changeGates: ChangeGate[]; gates: Gate[] } {
  const parsed = texts.map((text) => ({ text, change: parseChangeGate(text) }));
  return {
    changeGates: parsed.flatMap(({ change }) => change ?? []),
    gates: parsed.flatMap(({ text, change }) => (change === undefined ? [parseGate(text)] : [])),
  };
}

async function runBefore(home: string, { run }: RecordPlace): Promise<RecordPlace> {
  const runs = await listRuns(home);
  const earlier = runs[runs.indexOf(run) - 1];
  if (earlier === undefined)
    throw new UsageError(
      `There is no run before ${run} to compare it with.`,
      "proctor compare --base REV compares with a revision; proctor runs lists the runs.",
    );
  return openRecord(home, earlier);
}
