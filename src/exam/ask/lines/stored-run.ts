import { UsageError } from "../../../base/index.ts";
import { examDifferences } from "../../../base/options/index.ts";
import type { FooterLine, HeaderLine, QuestionLine, TrialLine } from "../../../model/index.ts";
import { type HeaderStart, type RecordPlace, readRecord } from "../../record/index.ts";

interface ResumedExam {
  now: HeaderStart;
  planned: readonly QuestionLine[];
  onTrial(trial: TrialLine): void;
}

export interface StoredRun {
  questions: ReadonlySet<string>;
  /** Set only if the footer is the last line. */
  footer: FooterLine | undefined;
}

/** Throws a UsageError that names the differences if the stored run was another exam. */
export async function readStoredRun(place: RecordPlace, { now, planned, onTrial }: ResumedExam): Promise<StoredRun> {
  const byId = new Map(planned.map((question) => [question.id, question]));
  const questions = new Set<string>();
  let run = place.run;
  let footer: FooterLine | undefined;
  for await (const line of readRecord(place.file)) {
    footer = line.type === "footer" ? line : undefined;
    if (line.type === "header") {
      run = line.run;
      refuseIfDifferent(line, now);
    } else if (line.type === "question") {
      const differences = questionDifferences(line, byId.get(line.id));
      if (differences.length > 0) throw notTheSame(run, differences);
      questions.add(line.id);
    } else if (line.type === "trial") onTrial(line);
  }
  return { questions, footer };
}

/** The suite's fingerprint covers a question's text and checks, but not its targets and numbers of runs. */
function questionDifferences(then: QuestionLine, now: QuestionLine | undefined): string[] {
  if (now === undefined) return [`${then.id} is gone`];
  const targets = [
    ...new Set([
      ...Object.keys(then.runs),
      ...Object.keys(then.skipped),
      ...Object.keys(now.runs),
      ...Object.keys(now.skipped),
    ]),
  ];
  const [differs] = targets.filter(
    (id) => then.runs[id] !== now.runs[id] || (then.skipped[id] === undefined) !== (now.skipped[id] === undefined),
  );
  if (differs === undefined) return [];
  const words = [then, now].map((line) =>
    line.skipped[differs] === undefined ? `${line.runs[differs] ?? 0} runs` : "skipped",
  );
  return [`${then.id} on ${differs} was ${words[0]} and is ${words[1]} now`];
}

function refuseIfDifferent(then: HeaderLine, now: HeaderStart): void {
  const differences = [
    ...libraryDifference(then, now),
    ...suiteDifference(then, now),
    ...targetDifferences(then, now),
    ...examDifferences({ ...then.options, shard: then.shard }, { ...now.options, shard: now.shard }),
  ];
  if (differences.length > 0) throw notTheSame(then.run, differences);
}

function notTheSame(run: string, differences: readonly string[]): UsageError {
  return new UsageError(
    `Run ${run} cannot be resumed: ${differences.join("; ")}.`,
    "Start a new run; the cache keeps what is unchanged.",
  );
}

function libraryDifference(then: HeaderLine, now: HeaderStart): string[] {
  const before = new Map(then.library.skills.map((skill) => [skill.id, skill.fingerprint]));
  const after = new Map(now.library.skills.map((skill) => [skill.id, skill.fingerprint]));
  const changed = [...before].filter(([id, print]) => after.has(id) && after.get(id) !== print).map(([id]) => id);
  const gone = [...before.keys()].filter((id) => !after.has(id));
  const added = [...after.keys()].filter((id) => !before.has(id));
  const parts = [
    ...ifAny(changed, `${some(changed)} changed`),
    ...ifAny(gone, `${some(gone)} went`),
    ...ifAny(added, `${some(added)} came`),
  ];
  if (parts.length > 0) return [`in the library ${parts.join(", ")}`];
  return then.library.fingerprint === now.library.fingerprint ? [] : ["the library changed"];
}

function suiteDifference(then: HeaderLine, now: HeaderStart): string[] {
  if (then.suite.fingerprint === now.suite.fingerprint) return [];
  const before = new Set(then.suite.files);
  const after = new Set(now.suite.files);
  const files = [
    ...then.suite.files.filter((file) => !after.has(file)),
    ...now.suite.files.filter((file) => !before.has(file)),
  ];
  return [files.length > 0 ? `other suites are asked (${some(files)})` : "questions changed"];
}

function targetDifferences(then: HeaderLine, now: HeaderStart): string[] {
  const before = new Map(then.targets.map((target) => [target.id, target]));
  const after = new Map(now.targets.map((target) => [target.id, target]));
  const gone = [...before.keys()].filter((id) => !after.has(id));
  const added = [...after.keys()].filter((id) => !before.has(id));
  const changed = [...before.values()].flatMap(({ id, fingerprint, identity }) => {
    const today = after.get(id);
    if (today === undefined || today.fingerprint === fingerprint) return [];
    return [`${id} has changed (${identityDifference(identity, today.identity)})`];
  });
  return [
    ...ifAny([...gone, ...added], `it asked ${some([...before.keys()])}, not ${some([...after.keys()])}`),
    ...changed,
  ];
}

function identityDifference(then: object, now: object): string {
  const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
  const member = (of: object, key: string) => JSON.stringify((of as Record<string, unknown>)[key]) ?? "—";
  const parts = [...keys].filter((key) => member(then, key) !== member(now, key));
  return parts
    .map((key) =>
      key === "options"
        ? identityDifference(inside(then), inside(now))
        : `${key} ${member(then, key)} → ${member(now, key)}`,
    )
    .join(", ");
}

function inside(identity: object): object {
  return (identity as { options?: object }).options ?? {};
}

function ifAny(names: readonly string[], text: string): string[] {
  return names.length > 0 ? [text] : [];
}

function some(names: readonly string[]): string {
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
}
