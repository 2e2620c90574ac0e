import { shippedBackground } from "../src/targets/embedded/background.ts";
import { createRouter } from "../src/targets/embedded/router.ts";

/** Times a made-up library with the words of real cards as often as those have them, and rare ones of its own: cards of 60 words, queries of 12. */
export function measureSpeed(): string {
  const random = generator(7);
  const common = [...shippedBackground().counts].flatMap(([stem, count]) => new Array<string>(count).fill(stem));
  const rare = Array.from({ length: 20_000 }, () => word(random));
  const draw = () => (random() < 0.6 ? common[Math.floor(common.length * random())]! : rare[Math.floor(rare.length * random())]!);
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
    const indexed = seconds(() => createRouter(cards));
    const router = createRouter(cards);
    const routed = seconds(() => {
      for (const query of queries) router.route(query);
    });
    const scored = seconds(() => {
      for (const query of queries) router.scores(query);
    });
    lines.push(
      `${String(size).padStart(5)} skills: index ${indexed.toFixed(2)} s; 10,000 queries ${routed.toFixed(2)} s explained, ${scored.toFixed(2)} s scored; ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
    );
  }
  const router = createRouter(library(1_000));
  const long = `${text(12)} `.repeat(12_000);
  lines.push(`a query of ${Math.round(long.length / 1e6)} MB: ${(1000 * seconds(() => router.route(long))).toFixed(0)} ms`);
  return lines.join("\n");
}

/** Of processor time, so that a busy machine does not count. */
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
