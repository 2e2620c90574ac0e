import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createRouter } from "../src/cards/router.ts";
import { shippedFrequencies } from "../src/cards/words/word-frequencies.ts";

/** Times a made-up library with the word frequencies of real cards and rare words of its own: cards of 60 words, queries of 12. */
export function measureSpeed(): string {
  const random = generator(7);
  const common = [...shippedFrequencies().counts].flatMap(([stem, count]) => new Array<string>(count).fill(stem));
  const rare = Array.from({ length: 20_000 }, () => word(random));
  const draw = () =>
    random() < 0.6 ? common[Math.floor(common.length * random())]! : rare[Math.floor(rare.length * random())]!;
  const text = (length: number) => Array.from({ length }, draw).join(" ");
  const library = (size: number) =>
    Array.from({ length: size }, (_, at) => ({
      id: `skill-${at}`,
      card: {
        name: `${draw()}-${draw()}`,
        description: `${text(30)}. Use when ${text(25)}. Do NOT use for ${text(8)}.`,
        triggers: [],
        notFor: [],
      },
    }));
  const queries = Array.from({ length: 10_000 }, () => text(12));

  const lines: string[] = [];
  for (const size of [100, 300, 1_000, 3_000]) {
    const cards = library(size);
    const before = heldMegabytes();
    const indexed = seconds(() => createRouter(cards));
    const router = createRouter(cards);
    const routed = seconds(() => {
      for (const query of queries) router.route(query);
    });
    const held = heldMegabytes() - before;
    const scored = seconds(() => {
      for (const query of queries) router.scores(query);
    });
    lines.push(
      `${String(size).padStart(5)} skills: index ${indexed.toFixed(2)} s; 10,000 queries ${routed.toFixed(2)} s explained, ${scored.toFixed(2)} s scored; the router holds ${Math.round(held)} MB`,
    );
  }
  const padded = [...library(1_000), ...Array.from({ length: 9_000 }, (_, at) => unrelated(at))];
  const router = createRouter(padded);
  const among = seconds(() => {
    for (const query of queries) router.scores(query);
  });
  lines.push(
    `${padded.length} skills, 9,000 of which share nothing with any query: 10,000 queries ${among.toFixed(2)} s scored`,
  );
  const long = `${text(12)} `.repeat(12_000);
  lines.push(
    `a query of ${Math.round(long.length / 1e6)} MB: ${(1000 * seconds(() => router.route(long))).toFixed(0)} ms`,
  );
  return lines.join("\n");
}

/** What is still in use after a garbage collection, including the TypeScript loader of this script. */
function heldMegabytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

/** A card of digits only. */
function unrelated(at: number) {
  const digits = (from: number) =>
    Array.from({ length: 20 }, (_, i) => String(1e7 + at * 131 + from + i * 977)).join(" ");
  return { id: `other-${at}`, card: { name: `${at}`, description: digits(0), triggers: [], notFor: [] } };
}

/** Processor time, which does not depend on how busy the machine is. */
function seconds(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
}

function word(random: () => number): string {
  const pick = (letters: string) => letters[Math.floor(random() * letters.length)]!;
  const syllables = Array.from(
    { length: 2 + Math.floor(random() * 2) },
    () => pick("bcdfghjklmnpqrstvwxz") + pick("aeiouy") + pick("bcdfgklmnprstvxz"),
  );
  return syllables.join("");
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
