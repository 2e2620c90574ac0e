import { UsageError } from "../../base/index.ts";
import { examDifferences } from "../../options/index.ts";
import { type HeaderLine, type HeaderStart, type RecordPlace, readRecord, type TrialLine } from "../../records/index.ts";

/** Reads a stored run that is to be gone on with. It must be the same exam: otherwise a UsageError says what differs. */
export async function readStoredRun(
  place: RecordPlace,
  now: HeaderStart,
  onTrial: (trial: TrialLine) => void,
): Promise<ReadonlySet<string>> {
  const questions = new Set<string>();
  for await (const line of readRecord(place.file)) {
    if (line.type === "header") refuseIfDifferent(line, now);
    else if (line.type === "question") questions.add(line.id);
    else if (line.type === "trial") onTrial(line);
  }
  return questions;
}

function refuseIfDifferent(then: HeaderLine, now: HeaderStart): void {
  const differences = [
    ...libraryDifference(then, now),
    ...suiteDifference(then, now),
    ...targetDifferences(then, now),
    ...examDifferences({ ...then.options, shard: then.shard }, { ...now.options, shard: now.shard }),
  ];
  if (differences.length === 0) return;
  throw new UsageError(
    `Run ${then.run} cannot be resumed: ${differences.join("; ")}.`,
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
    ...(changed.length > 0 ? [`${some(changed)} changed`] : []),
    ...(gone.length > 0 ? [`${some(gone)} went`] : []),
    ...(added.length > 0 ? [`${some(added)} came`] : []),
  ];
  if (parts.length > 0) return [`in the library ${parts.join(", ")}`];
  return then.library.fingerprint === now.library.fingerprint ? [] : ["the library changed"];
}

function suiteDifference(then: HeaderLine, now: HeaderStart): string[] {
  if (then.suite.fingerprint === now.suite.fingerprint) return [];
  const before = new Set(then.suite.files);
  const after = new Set(now.suite.files);
  const files = [...then.suite.files.filter((file) => !after.has(file)), ...now.suite.files.filter((file) => !before.has(file))];
  return [files.length > 0 ? `other suites are asked (${some(files)})` : "questions changed"];
}

function targetDifferences(then: HeaderLine, now: HeaderStart): string[] {
  const before = new Map(then.targets.map((target) => [target.id, target]));
  const after = new Map(now.targets.map((target) => [target.id, target]));
  const gone = [...before.keys()].filter((id) => !after.has(id));
  const added = [...after.keys()].filter((id) => !before.has(id));
  const changed = [...before.values()].filter((target) => after.has(target.id) && after.get(target.id)!.fingerprint !== target.fingerprint);
  return [
    ...(gone.length + added.length > 0 ? [`it asked ${some([...before.keys()])}, not ${some([...after.keys()])}`] : []),
    ...changed.map((target) => `${target.id} is another one now (${identityDifference(target.identity, after.get(target.id)!.identity)})`),
  ];
}

function identityDifference(then: object, now: object): string {
  const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
  const member = (of: object, key: string) => JSON.stringify((of as Record<string, unknown>)[key]) ?? "—";
  const parts = [...keys].filter((key) => member(then, key) !== member(now, key));
  return parts
    .map((key) => (key === "options" ? identityDifference(inside(then), inside(now)) : `${key} ${member(then, key)} → ${member(now, key)}`))
    .join(", ");
}

function inside(identity: object): object {
  return (identity as { options?: object }).options ?? {};
}

function some(names: readonly string[]): string {
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
}
