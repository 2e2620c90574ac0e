import { createMask, UsageError } from "../base/index.ts";
import {
  createRecord,
  type HeaderStart,
  type RecordPlace,
  type RecordWriter,
  readRaw,
  readRecord,
  readTranscript,
} from "../exam/record/index.ts";
import type { FooterLine, HeaderLine, TrialLine } from "../model/index.ts";
import { discardRun } from "./list-runs.ts";

export interface Merged {
  place: RecordPlace;
  trials: number;
  twice: number;
  missing: number[];
}

/** Merges the records of one exam's shards into a new record. The order does not affect the scores. */
export async function mergeRecords(places: readonly RecordPlace[], home: string): Promise<Merged> {
  const parts = await Promise.all(places.map(readPart));
  parts.sort(
    (a, b) =>
      compare(a.header.shard?.index ?? 0, b.header.shard?.index ?? 0) ||
      compare(a.header.startedAt, b.header.startedAt) ||
      compare(a.header.run, b.header.run),
  );
  const [first, ...others] = parts;
  if (first === undefined)
    throw new UsageError("There is nothing to merge.", "Name the records: proctor merge shard-1 shard-2.");
  for (const other of others) refuseStranger(first.header, other.header);

  const missing = missingShards(parts.map((part) => part.header));
  const record = await createRecord(home, mergedHeader(first.header, parts, missing), { mask: createMask([]) });
  const questions = new Set<string>();
  const trials = new Map<string, { part: MergedRecord; measured: boolean }>();
  let twice = 0;
  try {
    for (const { place } of parts) {
      for await (const line of readRecord(place.file)) {
        if (line.type !== "question" || questions.has(line.id)) continue;
        questions.add(line.id);
        await record.question(line);
      }
    }
    for (const part of parts) {
      for await (const line of readRecord(part.place.file)) {
        if (line.type !== "trial") continue;
        const key = `${line.target} ${line.ask} ${line.run}`;
        const known = trials.get(key);
        if (known !== undefined && known.part !== part) twice++;
        // A run that first failed and was measured when resumed has both lines.
        if (known?.measured || (known !== undefined && line.error !== undefined)) continue;
        trials.set(key, { part, measured: line.error === undefined });
        await copyTrial(line, part.place, record);
      }
    }
    await record.close(mergedFooter(parts, missing, first.header.startedAt));
  } catch (error) {
    await discardRun(record);
    throw error;
  }
  return { place: { run: record.run, dir: record.dir, file: record.file }, trials: trials.size, twice, missing };
}

async function copyTrial(
  { transcript, raw, ...line }: TrialLine,
  { dir }: RecordPlace,
  record: RecordWriter,
): Promise<void> {
  const texts = transcript && (await readTranscript(dir, transcript));
  const output = raw && (await readRaw(dir, raw));
  await record.trial(line, { transcript: texts, raw: output });
}

interface MergedRecord {
  place: RecordPlace;
  header: HeaderLine;
  footer: FooterLine | undefined;
}

async function readPart(place: RecordPlace): Promise<MergedRecord> {
  let header: HeaderLine | undefined;
  let footer: FooterLine | undefined;
  for await (const line of readRecord(place.file)) {
    if (line.type === "header") header = line;
    if (line.type === "footer") footer = line;
    // Lines after a footer come from a resumed run that has not ended.
    if (line.type === "trial") footer = undefined;
  }
  // `!`: a record without a header is refused when it is read.
  return { place, header: header!, footer };
}

function refuseStranger(first: HeaderLine, other: HeaderLine): void {
  const differences = [
    first.library.fingerprint === other.library.fingerprint ? undefined : "another library",
    first.suite.fingerprint === other.suite.fingerprint ? undefined : "other questions",
    first.optionsFingerprint === other.optionsFingerprint ? undefined : "other options",
    identities(first) === identities(other) ? undefined : "other targets",
    (first.shard?.count ?? 0) === (other.shard?.count ?? 0) ? undefined : "a different number of shards",
  ].filter((difference) => difference !== undefined);
  if (differences.length === 0) return;
  throw new UsageError(
    `${first.run} and ${other.run} are not parts of one run: ${differences.join(", ")}.`,
    "Merge the shards of one checkout, run with the same options.",
  );
}

function identities({ targets }: HeaderLine): string {
  return targets
    .map((target) => `${target.id} ${target.fingerprint}`)
    .sort()
    .join("\n");
}

function missingShards(headers: readonly HeaderLine[]): number[] {
  const count = headers[0]?.shard?.count ?? 0;
  const present = new Set(headers.map((header) => header.shard?.index));
  return Array.from({ length: count }, (_, index) => index + 1).filter((index) => !present.has(index));
}

function mergedHeader(first: HeaderLine, parts: readonly MergedRecord[], missing: readonly number[]): HeaderStart {
  const { type: _type, version: _version, run: _run, shard, partial = [], ...header } = first;
  const startedAt = parts
    .map((part) => part.header.startedAt)
    .reduce((earliest, time) => (time < earliest ? time : earliest));
  const gaps = missing.map((index) => `without shard ${index}/${shard?.count}`);
  const filters = [...partial, ...gaps];
  return {
    ...header,
    startedAt,
    createdAt: new Date().toISOString(),
    partial: filters.length > 0 ? filters : undefined,
    missingShards: missing.length > 0 ? [...missing] : undefined,
  };
}

function mergedFooter(parts: readonly MergedRecord[], missing: readonly number[], startedAt: string): FooterLine {
  const footers = parts.map((part) => part.footer);
  const notAsked: Record<string, number> = {};
  let trials = 0;
  let usd: number | undefined;
  for (const footer of footers) {
    for (const [reason, count] of Object.entries(footer?.notAsked ?? {}))
      notAsked[reason] = (notAsked[reason] ?? 0) + count;
    trials += footer?.saved.trials ?? 0;
    if (footer?.saved.usd !== undefined) usd = (usd ?? 0) + footer.saved.usd;
  }
  const whole = missing.length === 0 && footers.every((footer) => footer?.how === "complete");
  const endedAt =
    footers
      .flatMap((footer) => (footer === undefined ? [] : [footer.endedAt]))
      .sort()
      .at(-1) ?? startedAt;
  const changed = [...new Set(footers.flatMap((footer) => footer?.changed ?? []))];
  const footer: FooterLine = {
    type: "footer",
    endedAt,
    how: whole ? "complete" : "stopped",
    notAsked,
    saved: { trials, usd },
  };
  return changed.length === 0 ? footer : { ...footer, changed };
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
