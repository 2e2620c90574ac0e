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
  target: string[];
  options: string[];
  /** `difference` is null if the target or the options differ, since they might be the cause. */
  comparison: Comparison;
}

const MOST = { runs: 50, scored: 5 };
const LARGEST = 50_000_000;

/** Compares each target with the newest earlier run kept beside this one that asked it some of the same questions. */
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
    const earlier = await openRecord(home, run)
      .then((one) => comparable(one, header, open))
      .catch(() => undefined);
    if (earlier === undefined) continue;
    scored++;
    // A damaged or unfinished record proves nothing.
    const before = await scoreRecord(readRecordInPieces(earlier.place.file)).catch(() => undefined);
    if (before === undefined || before.run.how === "unfinished") continue;
    for (const id of [...open]) {
      const comparison = compareRuns(before, scores, id);
      if (comparison === null) continue;
      open.delete(id);
      const { edited, options } = differencesOf(earlier.header, header, { before, now: scores });
      const target = targetDifferences(earlier.header, header, { target: id });
      const difference = target.length + options.length === 0 ? comparison.difference : null;
      found.push({ run, edited, target, options, comparison: { ...comparison, difference } });
    }
  }
  return found.sort((a, b) => order(scores, a) - order(scores, b));
}

async function comparable(place: RecordPlace, now: HeaderLine, targets: ReadonlySet<string>) {
  if (statSync(place.file).size > LARGEST) return undefined;
  const header = await readHeader(place);
  const same = header.library.name === now.library.name && header.targets.some(({ id }) => targets.has(id));
  return same ? { place, header } : undefined;
}

function order({ targets }: Scores, { comparison }: Since): number {
  return targets.findIndex(({ id }) => id === comparison.target);
}
