import { seeded } from "../src/exam/score/statistics/distributions.ts";
import { type PairedAsk, signFlip } from "../src/exam/score/statistics/paired-tests.ts";
import { binomial, drawRate } from "./numbers-distributions.ts";

export interface CompareCell {
  before: number;
  now: number;
  prompts: number;
  perPrompt: number;
  runs: number;
  /** Of the rates of questions, the correlation of runs; 0 = all questions have the same rate. */
  spread: number;
  /** How often a change is called beyond noise: false alarms where there is none, else power. */
  clustered: number;
  unclustered: number;
  mcnemar: number;
  /** How often the interval of the difference holds it. */
  coverage: number;
}

const scenes: Omit<CompareCell, "clustered" | "unclustered" | "mcnemar" | "coverage">[] = [
  ...[1, 3, 10].flatMap((runs) =>
    [0.85, 0.75].map((now) => ({ before: 0.85, now, prompts: 50, perPrompt: 1, runs, spread: 0 })),
  ),
  ...[0.85, 0.75].map((now) => ({ before: 0.85, now, prompts: 50, perPrompt: 1, runs: 3, spread: 0.3 })),
  ...[0.85, 0.75].map((now) => ({ before: 0.85, now, prompts: 25, perPrompt: 2, runs: 3, spread: 0 })),
  ...[0.85, 0.75].map((now) => ({ before: 0.85, now, prompts: 10, perPrompt: 6, runs: 3, spread: 0 })),
  ...[10, 20].flatMap((prompts) =>
    [0.97, 0.9].map((now) => ({ before: 0.97, now, prompts, perPrompt: 1, runs: 3, spread: 0 })),
  ),
  { before: 0.5, now: 0.5, prompts: 6, perPrompt: 1, runs: 1, spread: 0 },
];

/** Two runs of the same questions. The questions on a prompt are answered by the same trials, and come out alike. */
export function* compareCells(rounds: number): Generator<CompareCell> {
  for (const scene of scenes) {
    const random = seeded(JSON.stringify(scene));
    const found = { clustered: 0, unclustered: 0, mcnemar: 0, coverage: 0 };
    for (let round = 0; round < rounds; round++) {
      const pairs = Array.from({ length: scene.prompts }, () => drawPair(scene, random));
      const asks = pairs.map(({ change }) => ({ n: scene.perPrompt, change: change * scene.perPrompt }));
      const apart: PairedAsk[] = pairs.flatMap(({ change }) =>
        Array.from({ length: scene.perPrompt }, () => ({ n: 1, change })),
      );
      const difference = signFlip(asks)!;
      found.clustered += Number(difference.p < 0.05);
      found.unclustered += Number((scene.perPrompt === 1 ? difference : signFlip(apart)!).p < 0.05);
      found.mcnemar += Number(mcnemar(pairs.map(({ verdict }) => verdict * scene.perPrompt)) < 0.05);
      const truth = scene.now - scene.before;
      found.coverage += Number(difference.low <= truth + 1e-9 && truth <= difference.high + 1e-9);
    }
    const share = (count: number) => count / rounds;
    yield {
      ...scene,
      clustered: share(found.clustered),
      unclustered: share(found.unclustered),
      mcnemar: share(found.mcnemar),
      coverage: share(found.coverage),
    };
  }
}

/** A question's shares of hits in two runs, less one another, and its verdicts: 1 = now passes, −1 = now fails. */
function drawPair(
  { before, now, runs, spread }: (typeof scenes)[number],
  random: () => number,
): { change: number; verdict: number } {
  const rate = drawRate(before, spread, random);
  const hits = [rate, rate * (now / before)].map((one) => {
    let sum = 0;
    for (let run = 0; run < runs; run++) sum += Number(random() < one);
    return sum;
  }) as [number, number];
  const passes = (count: number) => Number(count * 2 >= runs);
  return { change: (hits[1] - hits[0]) / runs, verdict: passes(hits[1]) - passes(hits[0]) };
}

/** McNemar's exact test on verdicts, which the sign-flip test has replaced. */
function mcnemar(changes: number[]): number {
  const better = changes.reduce((total, one) => total + Math.max(0, one), 0);
  const worse = changes.reduce((total, one) => total + Math.max(0, -one), 0);
  const tail = binomial(better + worse, 0.5)
    .slice(0, Math.min(better, worse) + 1)
    .reduce((total, one) => total + one, 0);
  return Math.min(1, 2 * tail);
}
