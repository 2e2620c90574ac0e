import { listRuns, openRecord, readHeader, readRecord } from "../record/index.ts";
import { designOf, type RightRuns, rightRuns, scoreRecord, type Visible, visibleWith } from "../score/index.ts";
import { type Estimate, estimate } from "./estimate.ts";
import type { Exam } from "./exam.ts";

/** What a comparison with a second such run would notice on one target. */
export interface SeenDrop {
  target: string;
  /** Null for deterministic targets: one run shows every change. */
  visible: Visible | null;
  needed: { runs: number; trials: number; usd: number | null } | null;
  /** Share of runs that come out right, taken from the run `from`, or a guess. */
  rate: number;
  from?: string;
}

/** Assumed for targets without earlier runs: most questions come out right most of the time. */
const GUESS = { rate: 0.85, spread: 0.3 };
const MOST = 10;

export async function seenDrops(exam: Exam, drop?: number): Promise<SeenDrop[]> {
  const estimates = await estimate(exam);
  return Promise.all(
    exam.targets.map(async ({ target, identity }): Promise<SeenDrop> => {
      if (identity.deterministic) return { target: target.id, visible: null, needed: null, rate: 1 };
      const asks = exam.plan.asks.filter((ask) => ask.target === target.id);
      const past = await pastRate(exam, target.id);
      const { rate, spread } = past?.design ?? GUESS;
      const planned = Math.max(1, Math.round(asks.reduce((sum, { runs }) => sum + runs, 0) / Math.max(1, asks.length)));
      const runs = exam.options.earlyStop ? Math.ceil(planned / 2) : planned;
      const design = {
        asks: asks.map(({ questions }) => questions.length),
        runs: { before: runs, now: runs },
        rate,
        spread,
      };
      const visible = visibleWith(design, drop);
      return {
        target: target.id,
        visible,
        needed: neededFor(
          visible,
          asks.length,
          estimates.find((one) => one.target === target.id),
        ),
        rate,
        from: past?.run,
      };
    }),
  );
}

function neededFor({ runs }: Visible, asks: number, estimated: Estimate | undefined): SeenDrop["needed"] {
  if (runs === null) return null;
  const trials = runs * asks;
  const each =
    estimated?.usd == null || estimated.trials.most === 0 ? null : estimated.usd.most / estimated.trials.most;
  return { runs, trials, usd: each === null ? null : each * trials };
}

async function pastRate({ home, library }: Exam, target: string) {
  for (const run of (await listRuns(home)).slice(-MOST).toReversed()) {
    const place = await openRecord(home, run).catch(() => undefined);
    const header = place && (await readHeader(place).catch(() => undefined));
    if (
      place === undefined ||
      header === undefined ||
      header.library.name !== library.name ||
      !header.targets.some(({ id }) => id === target)
    )
      continue;
    const scores = await scoreRecord(readRecord(place.file)).catch(() => undefined);
    const questions =
      scores?.targets.find(({ id }) => id === target)?.questions.filter(({ unbiased }) => unbiased.n > 0) ?? [];
    const runs: RightRuns[] = questions.map(rightRuns);
    const design = designOf([], runs);
    if (design !== null) return { run, design };
  }
  return undefined;
}
