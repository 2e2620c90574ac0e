import { resolve } from "node:path";
import { UsageError } from "../base/index.ts";
import {
  type RunSettings,
  readingDifferences,
  runOptions,
  settingsFromRecord,
  withNamedAgentOptions,
} from "../base/options/index.ts";
import { type RecordPlace, readHeader } from "../exam/record/index.ts";
import type { HeaderLine } from "../model/index.ts";

/** The settings of a stored run, without keys, so that it can be continued without repeating them. */
export async function settingsOfRun(
  place: RecordPlace,
): Promise<{ settings: RunSettings; paths?: string[]; library: string }> {
  const header = await readHeader(place);
  const paths = header.options["paths"] as string[] | undefined;
  const { root, name } = header.library;
  return { settings: settingsOf(header), library: name, paths: paths?.map((path) => resolve(root, path)) };
}

/**
 * The settings of a resumed run: the recorded ones, overridden by the given ones. Speed and budget may change. Scoring
 * options are refused here, since the record has them; options that would make it another exam are refused when the
 * record is opened.
 */
export async function resumedSettings(place: RecordPlace, given: RunSettings): Promise<RunSettings> {
  const header = await readHeader(place);
  const now = withoutEmptyLists(withNamedAgentOptions(given));
  const differences = readingDifferences(header.options, now);
  if (differences.length > 0) {
    throw new UsageError(
      `Run ${header.run} cannot be resumed: ${differences.join("; ")}.`,
      `Resume it as it was; proctor report ${header.run} then checks it against other gates.`,
    );
  }
  const before = settingsOf(header);
  const agentOptions = { ...before.agentOptions, ...now.agentOptions };
  return withoutReading({
    ...before,
    ...now,
    agentOptions: Object.keys(agentOptions).length > 0 ? agentOptions : undefined,
  });
}

function settingsOf({ options, targets, shard, library }: HeaderLine): RunSettings {
  return { ...settingsFromRecord({ ...options, shard }, library.root), targets: targets.map(({ id }) => id) };
}

function withoutEmptyLists(settings: RunSettings): RunSettings {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function withoutReading(settings: RunSettings): RunSettings {
  const reading = new Set<string>(runOptions.flatMap(({ name, role }) => (role === "reading" ? [name] : [])));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !reading.has(name)));
}
