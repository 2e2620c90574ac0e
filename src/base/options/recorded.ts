import { resolve } from "node:path";
import { relativePosix } from "../files/paths.ts";
import { canonicalJson, fingerprint } from "../fingerprint.ts";
import { accepts, shown } from "./kinds.ts";
import { type ExamOptions, getAt, type RunSettings, setAt, toRecorded, withNamedAgentOptions } from "./resolve.ts";
import { flagValue, nameOf, type Option, runOptions } from "./table.ts";

export type RecordedOptions = Record<string, unknown>;

/** Folders are recorded relative to the library's root, so that the run can be resumed in another checkout. */
export function recordOptions(options: ExamOptions, root: string): RecordedOptions {
  const recorded: RecordedOptions = structuredClone(options);
  for (const option of runOptions) {
    if (option.recorded === undefined) continue;
    const value = getAt(recorded, option.recorded);
    if (option.kind.type === "folders" && value !== undefined)
      setAt(
        recorded,
        option.recorded,
        (value as string[]).map((folder) => relativePosix(root, folder) || "."),
      );
    if (option.onlyWith !== undefined && recorded[option.onlyWith] === undefined) delete recorded[option.recorded];
  }
  return recorded;
}

export function settingsFromRecord(recorded: RecordedOptions, root: string): RunSettings {
  const settings: Record<string, unknown> = {};
  for (const option of runOptions) {
    if (option.recorded === undefined || option.role === "reading") continue;
    const value = fromRecorded(option, getAt(recorded, option.recorded));
    if (accepts(option.kind, value)) settings[option.name] = value;
  }
  const named: Record<string, unknown> = withNamedAgentOptions(settings);
  for (const { name, kind } of runOptions) {
    if (kind.type === "folders")
      named[name] = (named[name] as string[] | undefined)?.map((folder) => resolve(root, folder));
  }
  return named;
}

/**
 * Lists differences like `--judge a → b` in options that define a run. An option missing from a record had its default.
 */
export function examDifferences(then: RecordedOptions, now: RecordedOptions): string[] {
  return differences(
    runOptions.filter(({ role }) => role === "exam"),
    then,
    now,
  );
}

/** Options that select questions or set how often to ask: they change no answer and no rule. */
const choosing = new Set<string>([
  ...["targets", "skills", "cases", "tags", "grep", "only", "failed", "cross", "shard", "ownTargets"],
  ...["runs", "triggerRuns", "caseRuns", "maxRuns", "earlyStop"],
]);

export function outcomeDifferences(then: RecordedOptions, now: RecordedOptions): string[] {
  return differences(
    runOptions.filter(({ role, name }) => role === "exam" && !choosing.has(name)),
    then,
    now,
  );
}

export function readingDifferences(then: RecordedOptions, given: RunSettings): string[] {
  const named = runOptions.filter(
    ({ role, name }) => role === "reading" && given[name as keyof RunSettings] !== undefined,
  );
  const now: RecordedOptions = {};
  for (const option of named)
    if (option.recorded !== undefined)
      setAt(now, option.recorded, toRecorded(option, given[option.name as keyof RunSettings]));
  return differences(named, then, now);
}

/** Equal for all records that are parts of the same run. */
export function examFingerprint(recorded: RecordedOptions): string {
  const exam: RecordedOptions = {};
  for (const { role, recorded: path } of runOptions) {
    if (role === "exam" && path !== undefined && path !== "shard") setAt(exam, path, getAt(recorded, path));
  }
  return fingerprint(exam);
}

function differences(options: readonly Option[], then: RecordedOptions, now: RecordedOptions): string[] {
  return options.flatMap((option) => {
    const [before, after] = [then, now].map((header) => valueIn(header, option));
    if (canonicalJson(before ?? null) === canonicalJson(after ?? null)) return [];
    // A flag that sets one of several choices does not name the others.
    const name = option.flagSets === undefined ? nameOf(option) : option.name;
    return [`${name} ${asGiven(option, before)} → ${asGiven(option, after)}`];
  });
}

function valueIn(header: RecordedOptions, option: Option): unknown {
  const value = option.recorded === undefined ? undefined : getAt(header, option.recorded);
  return fromRecorded(option, value) ?? option.default;
}

function fromRecorded({ times = 1, kind }: Option, value: unknown): unknown {
  // An option that takes several values now may have taken one when it was recorded.
  if (kind.type === "texts" && typeof value === "string") return [value];
  return typeof value === "number" ? value / times : value;
}

function asGiven(option: Option, value: unknown): string {
  const sets = option.flag === undefined ? undefined : flagValue(option);
  if (option.kind.type === "boolean" && sets !== undefined) return (value ?? false) === sets ? "on" : "off";
  // The first choice is the default.
  return shown(option.flagSets !== undefined && option.kind.type === "choice" ? (value ?? option.kind.of[0]) : value);
}
