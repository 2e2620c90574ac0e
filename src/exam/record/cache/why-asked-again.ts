import { count } from "../../../base/index.ts";
import type { AnswerHead, AnswerKey } from "./bucket.ts";
import type { LibrarySnapshot, TargetSnapshot } from "./snapshots.ts";

export interface MissedLookup extends AnswerKey {
  now: { target: TargetSnapshot; library: LibrarySnapshot };
  files: ReadonlyMap<string, string>;
  oldest: number;
  maxAgeDays: number;
  isFromTheFuture(at: number): boolean;
}

export interface Snapshots {
  target(name: string): TargetSnapshot | undefined;
  library(name: string): LibrarySnapshot | undefined;
}

/** Explains why no cached answer is valid any more; undefined if nothing similar is cached. */
export function whyAskedAgain(
  heads: readonly AnswerHead[],
  lookup: MissedLookup,
  snapshots: Snapshots,
): string | undefined {
  const similar = heads.filter(
    (head) => head.target === lookup.target || snapshots.target(head.target)?.id === lookup.now.target.id,
  );
  const ofRun = similar.filter((head) => head.run === lookup.run);
  const closest = (ofRun.length > 0 ? ofRun : similar).reduce<AnswerHead | undefined>(
    (best, head) => (best && best.at > head.at ? best : head),
    undefined,
  );
  if (closest === undefined) return undefined;
  const inLibrary = libraryChanges(closest, lookup, snapshots);
  const changes = [...targetChanges(closest, lookup, snapshots), ...inLibrary];
  // A new description also changes a file; saying so would be noise.
  if (inLibrary.length === 0) changes.push(...loadedChanges(closest, lookup));
  if (closest.at < lookup.oldest) changes.push(`older than ${lookup.maxAgeDays} days`);
  if (lookup.isFromTheFuture(closest.at)) changes.push("the cached answer is dated in the future");
  if (changes.length === 0 && ofRun.length > 0 && closest.endedEarly)
    return "the cached trial was stopped early, for other questions";
  // A further run of a cached ask needs no explanation, since it was never asked before.
  const [first] = changes;
  if (first === undefined) return undefined;
  return changes.length === 1 ? first : `${first}, and ${count(changes.length - 1, "more change")}`;
}

function targetChanges(closest: AnswerHead, { target, now }: MissedLookup, snapshots: Snapshots): string[] {
  if (closest.target === target) return [];
  const before = snapshots.target(closest.target)?.identity;
  const after = now.target.identity;
  if (before === undefined) return ["the target changed"];
  const changes: string[] = [];
  if (before.version !== after.version)
    changes.push(`${after.host ?? now.target.kind} ${shown(before.version)} → ${shown(after.version)}`);
  for (const member of ["host", "provider", "model", "endpoint"] as const) {
    if (before[member] !== after[member]) changes.push(`${member} ${shown(before[member])} → ${shown(after[member])}`);
  }
  for (const option of changedKeys(before.options, after.options))
    changes.push(
      ...optionChanges(option, before.options[option], after.options[option]).map(
        (what) => `${what} of ${now.target.id} changed`,
      ),
    );
  return changes.length > 0 ? changes : ["the target changed"];
}

function optionChanges(option: string, before: unknown, after: unknown): string[] {
  if (option === "command" || option === "script") return [`the ${option}`];
  if (option === "env") return changedKeys(members(before), members(after)).map((name) => `variable ${name}`);
  return option === "files" ? changedKeys(members(before), members(after)) : [`option \`${option}\``];
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function libraryChanges(closest: AnswerHead, { library, now }: MissedLookup, snapshots: Snapshots): string[] {
  if (closest.library === library) return [];
  const before = snapshots.library(closest.library)?.skills;
  if (before === undefined) return ["the library changed"];
  const after = now.library.skills;
  const changes: string[] = [];
  for (const [id, skill] of Object.entries(after)) {
    const old = before[id];
    if (old === undefined) {
      changes.push(`\`${id}\` was added`);
      continue;
    }
    const members = changedKeys(old.frontmatter, skill.frontmatter);
    for (const member of members) changes.push(`${member} of \`${id}\` changed`);
    if (old.folder !== skill.folder) changes.push(`the folder of \`${id}\` was renamed`);
    if (members.length === 0 && old.hostFiles !== skill.hostFiles) changes.push(`the host files of \`${id}\` changed`);
  }
  for (const id of Object.keys(before)) if (!(id in after)) changes.push(`\`${id}\` was removed`);
  return changes.length > 0 ? changes : ["the library changed"];
}

function loadedChanges(closest: AnswerHead, { files }: MissedLookup): string[] {
  return Object.entries(closest.loaded)
    .filter(([skill, print]) => files.has(skill) && files.get(skill) !== print)
    .map(([skill]) => `files of \`${skill}\` changed`);
}

function changedKeys(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

function shown(value: string | undefined): string {
  return value ?? "unknown";
}
