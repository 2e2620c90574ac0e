/**
 * Mutation fuzzing of everything that somebody else may have written, in one process.
 *
 *   npm run fuzz -- [--seconds 60] [--seed N] [--only skills,suites,…]
 *
 * A throw that is no Problem, an input that takes more than two seconds of processor time, or memory that keeps growing is a find. It is made
 * smaller and kept in test/hostile/found/, where test/hostile/found.test.ts puts it to its door from then on. Exit 1 when there is one.
 * What ends this process itself, such as a heap that is full, is the input left in the temporary folder as proctor-fuzz-<process id>.
 */
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DOORS, type Door, openHouse } from "./doors.ts";
import { generator, mutate } from "./mutate.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    only: { type: "string", default: DOORS.join(",") },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const names = values.only.split(",");
const unknown = names.filter((name) => !(DOORS as readonly string[]).includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no door called ${unknown.join(", ")}: --only takes ${DOORS.join(", ")}.\n`);
  process.exit(2);
}

const MOST_CPU_MS = 2_000;
const MOST_MB = 1_500;
const FOUND = join(import.meta.dirname, "found");
const LAST = join(tmpdir(), `proctor-fuzz-${process.pid}`);

const house = await openHouse();
const doors = house.doors.filter(({ name }) => names.includes(name));
const random = generator(seed);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const inputs = new Map(doors.map(({ name }) => [name, 0]));
const finds = new Set<string>();
const end = performance.now() + Number(values.seconds) * 1000;

/** Some doors are a hundred times as quick as others: each gets the same share of the time. */
const spent = new Map(doors.map(({ name }) => [name, 0]));

while (performance.now() < end) {
  const door = doors.reduce((least, next) => (spent.get(next.name)! < spent.get(least.name)! ? next : least));
  const before = performance.now();
  const { kind, text } = pick(door.seeds);
  const input = mutate(text, pick(door.seeds).text, random);
  inputs.set(door.name, inputs.get(door.name)! + 1);
  writeFileSync(LAST, `${door.name} ${kind}\n${input}`);
  const fault = await faultOf(door, input, kind);
  if (fault !== undefined && !finds.has(`${door.name} ${fault}`)) {
    finds.add(`${door.name} ${fault}`);
    const small = await smaller(door, input, kind, fault);
    process.stdout.write(`${door.name} (${kind}): ${fault}\n  ${keep(door, small, kind)}\n`);
  }
  spent.set(door.name, spent.get(door.name)! + performance.now() - before);
  if (process.memoryUsage().rss / 1e6 > MOST_MB) {
    finds.add("memory");
    process.stdout.write(`memory: ${Math.round(process.memoryUsage().rss / 1e6)} MB are resident\n`);
    break;
  }
}
house.close();
rmSync(LAST, { force: true });
const counts = [...inputs].map(([name, count]) => `${count} ${name}`).join(", ");
process.stdout.write(`seed ${seed}: ${counts}; ${finds.size === 0 ? "nothing found" : `${finds.size} found`}\n`);
process.exit(finds.size === 0 ? 0 : 1);

/** What went wrong, without what differs from input to input; undefined when nothing did. */
async function faultOf(door: Door, text: string, kind: string): Promise<string | undefined> {
  const before = process.cpuUsage();
  try {
    await door.put(text, kind);
  } catch (error) {
    const frame = error instanceof Error ? (/\/(src\/[^)\n]*?):\d+:\d+/.exec(error.stack ?? "")?.[1] ?? "") : "";
    return `${error instanceof Error ? error.name : typeof error} in ${frame}`;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 > MOST_CPU_MS ? "more than 2 s of processor time" : undefined;
}

/** Cuts pieces out, large ones first, as long as the same goes wrong; for a while. */
async function smaller(door: Door, text: string, kind: string, fault: string): Promise<string> {
  let best = text;
  const stop = performance.now() + 20_000;
  for (let size = Math.ceil(text.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.length && performance.now() < stop; ) {
      const shorter = best.slice(0, at) + best.slice(at + size);
      if ((await faultOf(door, shorter, kind)) === fault) best = shorter;
      else at += size;
    }
  }
  return best;
}

function keep(door: Door, text: string, kind: string): string {
  mkdirSync(FOUND, { recursive: true });
  const file = join(
    FOUND,
    `${door.name.replaceAll(" ", "-")}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.json`,
  );
  writeFileSync(file, `${JSON.stringify({ door: door.name, kind, text }, null, 2)}\n`);
  return file;
}
