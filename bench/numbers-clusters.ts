import {
  type Cluster,
  clusteredInterval,
  midP,
  oppositionOf,
  together,
} from "../src/exam/score/statistics/clusters.ts";
import { seeded } from "../src/exam/score/statistics/distributions.ts";
import { precisionAndF1 } from "../src/exam/score/statistics/precision.ts";
import { rates, sizes } from "./numbers-coverage.ts";
import { drawRate } from "./numbers-distributions.ts";

export interface ClusterCell {
  rate: "share" | "precision" | "f1";
  prompts: number;
  perPrompt: number;
  /** Of two questions on one prompt: 1 = they always come out alike. */
  correlation: number;
  p: number;
  clustered: number;
  unclustered: number;
}

/** How often the interval of a total holds the truth when questions share prompts, with and without regard to that. */
export function* clusterCells(rounds: number, prompts = sizes): Generator<ClusterCell> {
  for (const correlation of [1, 0.6, 0.3, 0]) {
    for (const perPrompt of [2, 6]) {
      for (const asks of prompts) {
        for (const p of rates) {
          const random = seeded(`${correlation} ${perPrompt} ${asks} ${p}`);
          const held = { clustered: 0, unclustered: 0 };
          for (let round = 0; round < rounds; round++) {
            const clusters = new Map<string, Cluster>();
            for (let ask = 0; ask < asks; ask++)
              clusters.set(`${ask}`, drawAsk(perPrompt, drawRate(p, correlation, random), random));
            const { hits, n } = together(clusters);
            held.clustered += Number(holds(clusteredInterval(clusters)!, p));
            held.unclustered += Number(holds(midP(hits, n)!, p));
          }
          const [clustered, unclustered] = [held.clustered / rounds, held.unclustered / rounds];
          yield { rate: "share", prompts: asks, perPrompt, correlation, p, clustered, unclustered };
        }
      }
    }
  }
  for (const asks of prompts) for (const p of rates) yield* opposed(asks, p, rounds);
}

/** Each prompt is a positive of one skill and a negative of its sibling, which fires whenever the one does not. */
function* opposed(asks: number, p: number, rounds: number): Generator<ClusterCell> {
  const random = seeded(`opposed ${asks} ${p}`);
  const truth = { precision: p, f1: p };
  const held = { precision: [0, 0, 0], f1: [0, 0, 0] };
  for (let round = 0; round < rounds; round++) {
    const positives = new Map<string, Cluster>();
    const negatives = new Map<string, Cluster>();
    for (let ask = 0; ask < asks; ask++) {
      const hits = Number(random() < p);
      positives.set(`${ask}`, { n: 1, hits });
      negatives.set(`${ask}`, { n: 1, hits: 1 - hits });
    }
    const side = (clusters: Map<string, Cluster>) => ({
      ...together(clusters),
      interval: clusteredInterval(clusters)!,
    });
    const clustered = precisionAndF1(side(positives), side(negatives), oppositionOf(positives, negatives));
    const unclustered = precisionAndF1(side(positives), side(negatives));
    for (const rate of ["precision", "f1"] as const) {
      held[rate][0]! += Number(holds(clustered[rate]!, truth[rate]));
      held[rate][1]! += Number(holds(unclustered[rate]!, truth[rate]));
    }
  }
  for (const rate of ["precision", "f1"] as const) {
    const [clustered, unclustered] = [held[rate][0]! / rounds, held[rate][1]! / rounds];
    yield { rate, prompts: asks, perPrompt: 2, correlation: -1, p, clustered, unclustered };
  }
}

function drawAsk(n: number, rate: number, random: () => number): Cluster {
  let hits = 0;
  for (let i = 0; i < n; i++) hits += Number(random() < rate);
  return { n, hits };
}

function holds({ low, high }: { low: number; high: number }, truth: number): boolean {
  return low <= truth + 1e-9 && truth <= high + 1e-9;
}
