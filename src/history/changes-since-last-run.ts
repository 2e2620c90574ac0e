import { statSync } from "node:fs";
import {
  homeOfRun,
  listRuns,
  openRecord,
  type RecordPlace,
  readHeader,
  readRecordInPieces,
} from "../exam/record/index.ts";
import { type Comparison, compareRuns, scoreRecord } from "../exam/score/index.ts";
import type { HeaderLine, Scores } from "../model/index.ts";
import { differencesOf, targetDifferences } from "./differences.ts";

/** What changed on a target since an earlier run, and which skills were edited in between. */
export interface Since {
  run: string;
  edited: string[];
  /** What is different about the target itself: its version, say. */
  target: string[];
  /** Options that differ and can change an answer, or what is made of it. */
  options: string[];
  /** Without a difference to claim where the target or the options differ: it might be their doing. */
  comparison: Comparison;
}

/** Runs that are looked at, and records that are scored, before it is given up. */
const MOST = { runs: 50, scored: 5 };
/** Records larger than this are not read for a comparison. */
const LARGEST = 50_000_000;

/** Each target of a run against the newest earlier run kept beside it that asked the target some of the same questions. */
export async function sinceEarlierRuns(place: RecordPlace, scores: Scores): Promise<Since[]> {
  if (scores.run.how === "unfinished" || scores.run.damage !== undefined) return [];
  const home = homeOfRun(place);
  if (home === undefined) return [];
  const runs = await listRuns(home);
  const at = runs.indexOf(place.run);
  if (at < 0) return [];
  const header = await readHeader(place);
  const open = new Set(scores.targets.map(({ id }) => id));
  const found: Since[] = [];
  let scored = 0;
  for (const run of runs.slice(Math.max(0, at - MOST.runs), at).toReversed()) {
    if (open.size === 0 || scored >= MOST.scored) break;
    const earlier = await comparable(home, run, header, open).catch(() => undefined);
    if (earlier === undefined) continue;
    scored++;
    // One that is damaged or has no end says nothing for certain.
    const before = await scoreRecord(readRecordInPieces(earlier.place.file)).catch(() => undefined);
    if (before === undefined || before.run.how === "unfinished") continue;
    for (const id of [...open]) {
      const comparison = compareRuns(before, scores, id);
      if (comparison === null) continue;
      open.delete(id);
      const { edited, options } = differencesOf(earlier.header, header, { before, now: scores });
      const target = targetDifferences(earlier.header, header, id);
      const difference = target.length + options.length === 0 ? comparison.difference : null;
      found.push({ run, edited, target, options, comparison: { ...comparison, difference } });
    }
  }
  return found.sort((a, b) => order(scores, a) - order(scores, b));
}

/** Of the same library, and with one of the targets. */
async function comparable(home: string, run: string, now: HeaderLine, targets: ReadonlySet<string>) {
  const place = await openRecord(home, run);
  if (statSync(place.file).size > LARGEST) return undefined;
  const header = await readHeader(place);
  const same = header.library.name === now.library.name && header.targets.some(({ id }) => targets.has(id));
  return same ? { place, header } : undefined;
}

function order({ targets }: Scores, { comparison }: Since): number {
  return targets.findIndex(({ id }) => id === comparison.target);
}
