import { join } from "node:path";
import { count, isTaken, nestedTooDeep, readText, UsageError, writeFileIn } from "../base/index.ts";
import { type Comparison, compareTargets, directionOf, holm, winnerOf } from "../exam/score/index.ts";
import type { QuestionScore, Scores, TargetScores } from "../model/index.ts";

/** Who won each question and how often it came out right. A diff of these shows reviewers when routing changes. */
interface LockedQuestion {
  won: string;
  verdict: QuestionScore["verdict"];
  /** Share of hits over the runs that early stopping never cuts. */
  rate: number | null;
  n: number;
}

type Lock = Record<string, Record<string, Record<string, LockedQuestion>>>;

const LOCK_FILE = "proctor.lock.json";
const VERSION = 1;

interface LockDifference {
  target: string;
  /** Absent if the difference is about the target as a whole or a skill. */
  question?: string;
  message: string;
}

export interface LockOutcome {
  file: string;
  status: "updated" | "holds" | "differs";
  differences: LockDifference[];
  /** All differences are on predicting targets, which do not decide. */
  onlyPredictions: boolean;
  within: number;
  /** Number of questions without a verdict in this run; the lock keeps what it had for them. */
  open: number;
}

/** Writes the results of a run. A partial run leaves all other entries unchanged. */
export function updateLock(home: string, scores: Scores): LockOutcome {
  const file = join(home, LOCK_FILE);
  const lock = readLock(home) ?? {};
  const { name } = scores.run.library;
  const whole = scores.run.partial === undefined && scores.run.shard === undefined && scores.run.how === "complete";
  const library = { ...lock[name] };
  for (const { id, questions } of scores.targets) {
    const now = Object.fromEntries(questions.filter(isLockable).map((question) => [question.id, lockedOf(question)]));
    const before = library[id] ?? {};
    // An error says nothing about the winner, so the known entry stays.
    const open = questions.flatMap(({ id: question, ...one }): [string, LockedQuestion][] => {
      const known = before[question];
      return known !== undefined && isOpen(one) ? [[question, known]] : [];
    });
    library[id] = whole ? { ...Object.fromEntries(open), ...now } : { ...before, ...now };
  }
  writeFileIn(file, lockText({ ...lock, [name]: library }), { within: home });
  return { file, status: "updated", differences: [], onlyPredictions: false, within: 0, open: openIn(scores) };
}

/**
 * Checks a run against the lock. On a deterministic target every changed winner or verdict is a difference; on others
 * only changes beyond noise, better or worse, by the test of `proctor compare`.
 */
export function checkLock(home: string, scores: Scores): LockOutcome {
  const file = join(home, LOCK_FILE);
  const lock = readLock(home);
  if (lock === undefined)
    throw new UsageError(
      `There is no ${LOCK_FILE} in ${home}.`,
      "proctor run --update-lock writes it; commit it with the skills.",
    );
  const library = lock[scores.run.library.name];
  const differences: LockDifference[] = [];
  let within = 0;
  for (const target of scores.targets) {
    const all = library?.[target.id];
    if (all === undefined) {
      differences.push({ target: target.id, message: `${target.id} is not in the lock` });
      continue;
    }
    const locked = Object.fromEntries(Object.entries(all).filter(([, { verdict }]) => VERDICTS.has(verdict)));
    if (!target.questions.some((question) => isLockable(question) && locked[question.id] !== undefined)) {
      differences.push({
        target: target.id,
        message: `no question of the lock has a verdict on ${target.id} in this run`,
      });
      continue;
    }
    const isWhole = scores.run.partial === undefined && scores.run.shard === undefined;
    const found = target.deterministic ? sureDifferences(target, locked) : noisyDifferences(target, locked);
    differences.push(...found.differences, ...unknown(target, locked, isWhole));
    within += found.within;
  }
  const predicting = new Set(scores.targets.filter(({ predicted }) => predicted).map(({ id }) => id));
  return {
    file,
    status: differences.length === 0 ? "holds" : "differs",
    differences,
    onlyPredictions:
      differences.length > 0 &&
      !scores.options.allowPredicted &&
      differences.every(({ target }) => predicting.has(target)),
    within,
    open: openIn(scores),
  };
}

const VERDICTS: ReadonlySet<string> = new Set<QuestionScore["verdict"]>(["pass", "fail", "unsure"]);

function isLockable({ status, verdict }: QuestionScore): boolean {
  return status === "asked" && VERDICTS.has(verdict);
}

function isOpen({ status, verdict }: Pick<QuestionScore, "status" | "verdict">): boolean {
  return (status === "asked" || status === "not asked") && !VERDICTS.has(verdict);
}

function openIn({ targets }: Scores): number {
  return targets.reduce((sum, { questions }) => sum + questions.filter(isOpen).length, 0);
}

function lockedOf(question: QuestionScore): LockedQuestion {
  const { verdict, unbiased } = question;
  const rate = unbiased.n === 0 ? null : Number((unbiased.hits / unbiased.n).toFixed(3));
  return { won: winnerOf(question), verdict, rate, n: unbiased.n };
}

function sureDifferences({ id, questions }: TargetScores, locked: Record<string, LockedQuestion>) {
  const differences = questions.filter(isLockable).flatMap((question): LockDifference[] => {
    const then = locked[question.id];
    const now = lockedOf(question);
    if (then === undefined || (then.won === now.won && then.verdict === now.verdict)) return [];
    return [
      {
        target: id,
        question: question.id,
        message: `won by ${then.won} (${then.verdict}), now by ${now.won} (${now.verdict})`,
      },
    ];
  });
  return { differences, within: 0 };
}

function noisyDifferences(target: TargetScores, locked: Record<string, LockedQuestion>) {
  const questions = target.questions.flatMap((question): QuestionScore[] => {
    const then = locked[question.id];
    if (then === undefined) return [];
    const hits = (then.rate ?? 0) * then.n;
    return [
      {
        ...question,
        verdict: then.verdict,
        won: [{ skill: then.won, trials: then.n }],
        unbiased: { hits, n: then.n, misfires: question.positive ? 0 : hits },
        measuredAt: { first: "", last: "" },
      },
    ];
  });
  const comparison = compareTargets({ ...target, questions }, target, true);
  const differences = beyondNoise(comparison).map((message) => ({ target: target.id, message }));
  const within = comparison.flow.reduce((sum, { prompts }) => sum + prompts, 0);
  return { differences, within: differences.length > 0 ? 0 : within };
}

/**
 * Improvements count as much as regressions here, so the target and its skills are corrected together: without any
 * change, at most one run in twenty finds a difference.
 */
function beyondNoise({ difference, skills }: Comparison): string[] {
  const all = [
    { subject: "the target", difference },
    ...skills.map((one) => ({ subject: one.skill, difference: one.difference })),
  ];
  const tested = skills.length === 1 ? all.slice(1) : all;
  const adjusted = holm(tested.map((one) => one.difference?.p ?? 1));
  return tested.flatMap(({ subject, difference: own }, index) => {
    const way = directionOf({ difference: own, adjusted: adjusted[index] ?? null });
    return way === undefined ? [] : [`${subject} does ${way} than the lock says, beyond noise`];
  });
}

function unknown(
  { id, questions }: TargetScores,
  locked: Record<string, LockedQuestion>,
  isWhole: boolean,
): LockDifference[] {
  const fresh = questions.filter((question) => isLockable(question) && locked[question.id] === undefined);
  const known = new Set(questions.filter(({ status }) => status !== "invalid").map((question) => question.id));
  const gone = isWhole ? Object.keys(locked).filter((question) => !known.has(question)) : [];
  const unlocked = `${count(fresh.length, "question")} not in the lock`;
  const lost = `${count(gone.length, "question")} of the lock not in the suites, or about a skill that is gone`;
  return [
    { target: id, question: fresh[0]?.id, message: unlocked },
    { target: id, question: gone[0], message: lost },
  ].filter(({ question }) => question !== undefined);
}

/** One question per line and everything sorted, so that a diff shows only what changed. */
function lockText(lock: Lock): string {
  const sorted = <T>(object: Record<string, T>) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
  const libraries = sorted(lock).map(([library, targets]) => {
    const parts = sorted(targets).map(([target, questions]) => {
      const lines = sorted(questions).map(([id, question]) => `        ${JSON.stringify(id)}: ${oneLine(question)}`);
      return `      ${JSON.stringify(target)}: {\n${lines.join(",\n")}${lines.length > 0 ? "\n" : ""}      }`;
    });
    return `    ${JSON.stringify(library)}: {\n${parts.join(",\n")}\n    }`;
  });
  return `{\n  "version": ${VERSION},\n  "libraries": {\n${libraries.join(",\n")}\n  }\n}\n`;
}

function oneLine({ won, verdict, rate, n }: LockedQuestion): string {
  return `{ "won": ${JSON.stringify(won)}, "verdict": ${JSON.stringify(verdict)}, "rate": ${rate}, "n": ${n} }`;
}

const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Undefined if there is no lock. A lock that was edited, replaced by a link, or left with conflict markers is refused
 * rather than overwritten.
 */
function readLock(home: string): Lock | undefined {
  const file = join(home, LOCK_FILE);
  const read = readText(file, { within: home, mostBytes: MOST_BYTES });
  if (read.status === "unreadable" && !isTaken(file)) return undefined;
  if (read.status === "unreadable")
    throw new UsageError(
      `${file} cannot be read: ${read.message}.`,
      "Put a regular file there, or remove what is there and write it again.",
    );
  const wrong = (why: string) =>
    new UsageError(
      `${file} is not a Proctor lock: ${why}.`,
      "Delete it; proctor run --update-lock then writes it again.",
    );
  if (nestedTooDeep(read.text)) throw wrong("it is nested too deeply");
  const found = parse(read.text);
  if (!isObject(found)) throw wrong("it is not JSON; a merge may have left conflict markers");
  const { version, libraries } = found;
  if (version !== VERSION) throw wrong(`it has version ${JSON.stringify(version)}, and this Proctor reads ${VERSION}`);
  if (!isObject(libraries)) throw wrong("it has no libraries");
  for (const targets of Object.values(libraries))
    for (const questions of isObject(targets) ? Object.values(targets) : [undefined])
      for (const question of isObject(questions) ? Object.values(questions) : [undefined])
        if (!isLocked(question)) throw wrong("a question in it has no winner, verdict, rate and n");
  return libraries as Lock;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isLocked(value: unknown): value is LockedQuestion {
  if (!isObject(value)) return false;
  const { won, verdict, rate, n } = value;
  const isShare = rate === null || (typeof rate === "number" && rate >= 0 && rate <= 1);
  return (
    typeof won === "string" && typeof verdict === "string" && isShare && Number.isSafeInteger(n) && (n as number) >= 0
  );
}
