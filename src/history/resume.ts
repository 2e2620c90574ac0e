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

/** What a stored run was asked to do, so that it can be continued without saying it all again. Keys are no part of it. */
export async function settingsOfRun(
  place: RecordPlace,
): Promise<{ settings: RunSettings; paths?: string[]; library: string }> {
  const header = await readHeader(place);
  const paths = header.options["paths"] as string[] | undefined;
  const { root, name } = header.library;
  return { settings: settingsOf(header), library: name, paths: paths?.map((path) => resolve(root, path)) };
}

/**
 * What a resumed run is asked to do: what it was asked before, and what is given now on top. How fast and how dear may change; what would
 * make it another exam is refused when the record is opened, and what only says how it is scored here, since its record has that already.
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
