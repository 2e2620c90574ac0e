import { expect, test } from "vitest";
import { displayWidth } from "../../src/base/index.ts";
import type { ProgressSnapshot } from "../../src/exam/ask/index.ts";
import { createProgress } from "../../src/reporters/index.ts";

const snapshot = (done: number, more: Partial<ProgressSnapshot["targets"][number]> = {}): ProgressSnapshot => ({
  targets: [
    {
      id: "claude:haiku",
      done,
      passed: 28,
      failed: 3,
      total: 96,
      running: 16,
      errors: {},
      retries: 0,
      spentUsd: 0.84,
      ...more,
    },
  ],
  budgetUsd: 5,
  cached: 12,
  saved: { trials: 22, usd: 0.3 },
});

function stream(isTTY: boolean) {
  const written: string[] = [];
  return { written, isTTY, columns: 170, write: (text: string) => written.push(text) };
}

test("a terminal shows a bar, what runs, errors, money and time left", () => {
  let now = 0;
  const out = stream(true);
  const progress = createProgress({ stream: out, now: () => now });
  progress.update(snapshot(0));
  now = 60_000;
  progress.update(snapshot(61, { errors: { rate_limit: 2 }, retries: 2 }));
  const drawn = out.written.at(-1)!;
  expect(drawn).toContain(
    "claude:haiku    ████████████░░░░░░░  61/96 trials   28 passed, 3 failed   16 running   2 errors (rate limit, 2 retried)   $0.84 of $5.00   1 min, about 34 s left",
  );
  expect(drawn).toContain("saved by early stop: 22 trials ($0.30) · cached: 12");
});

test.each([100, 80, 60, 50])("at %i columns the cost, what is done and the errors stay in sight", (columns) => {
  const out = { ...stream(true), columns };
  const written: string[] = [];
  let now = 0;
  const progress = createProgress({ stream: { ...out, write: (text: string) => written.push(text) }, now: () => now });
  progress.update(snapshot(0));
  now = 60_000;
  progress.update(snapshot(61, { errors: { rate_limit: 2, timeout: 1 }, retries: 2 }));
  const line = written
    .at(-1)!
    .split("\n")
    .find((text) => text.includes("claude:haiku"))!;
  expect(line).toMatch(/61\/96 trials .*3 errors.* \$0\.84 of \$5\.00/);
  expect(written.at(-1)).toContain("3 errors (rate limit, time-out, 2 retried)");
  if (columns >= 60) expect(line).toMatch(/28 passed, 3 failed|28✓ 3✗/);
  expect(displayWidth(line.slice(line.indexOf("claude")))).toBeLessThan(columns);
});

test("a terminal is redrawn in place, not more often than an eye can follow, and left clean", () => {
  let now = 0;
  const out = stream(true);
  const progress = createProgress({ stream: out, now: () => now });
  for (; now < 1000; now++) progress.update(snapshot(now % 90));
  expect(out.written.length).toBe(10);
  expect(out.written[1]).toContain("\x1b[2A\r\x1b[J");
  progress.stop();
  expect(out.written.at(-1)).toBe("\x1b[2A\r\x1b[J");
  progress.stop();
  expect(out.written.length).toBe(11);
});

test("a pipe gets a plain line every few seconds, without control codes", () => {
  let now = 0;
  const out = stream(false);
  const progress = createProgress({ stream: out, now: () => now });
  for (; now < 12_000; now += 100) progress.update(snapshot(Math.floor(now / 200)));
  progress.stop();
  expect(out.written.length).toBe(3);
  for (const line of out.written)
    expect(line).toMatch(
      /^claude:haiku: \d+\/96 trials, 28 passed, 3 failed, 16 running, \$0\.84 of \$5\.00, \d+ s(, about \d+ s left)?\n$/,
    );
});

test("failures are told above the display as they come, once a run takes long enough to be watched", () => {
  let now = 0;
  const out = stream(true);
  const progress = createProgress({ stream: out, now: () => now });
  progress.update(snapshot(1));
  progress.tell(() => ["✗ too early"]);
  now = 3_000;
  progress.tell(() => ["✗ refund  should activate"]);
  expect(out.written.join("")).not.toContain("too early");
  expect(out.written.at(-2)).toBe("\x1b[2A\r\x1b[J✗ refund  should activate\n");
  expect(out.written.at(-1)).toMatch(/^claude:haiku .* 3 s\n/);
  const [log, plain] = [stream(false), createProgress({ stream: out, now: () => now })];
  plain.tell(() => ["✗"]);
  expect(log.written).toEqual([]);
});

test("what others say goes between, and the time goes on", () => {
  let now = 0;
  const out = stream(true);
  const progress = createProgress({ stream: out, now: () => now });
  progress.update(snapshot(1));
  progress.pause();
  expect(out.written.at(-1)).toBe("\x1b[2A\r\x1b[J");
  now = 61_000;
  progress.update(snapshot(2));
  expect(out.written.at(-1)).toMatch(/^claude:haiku .*1 min/);
});

test("a run that is over at once leaves no progress line in a log", () => {
  const out = stream(false);
  const progress = createProgress({ stream: out, now: () => 0 });
  progress.update(snapshot(96));
  progress.stop();
  expect(out.written).toEqual([]);
});

test("an unknown cost is not shown as nothing", () => {
  const out = stream(true);
  createProgress({ stream: out, now: () => 0 }).update(snapshot(1, { spentUsd: null }));
  expect(out.written[0]).toContain("cost unknown");
});

const workers = [
  {
    name: "mac-1",
    slots: 4,
    running: 4,
    oldest: { target: "claude:haiku", prompt: "Make an alpha chart\x1b[2J\nof sales.csv", ms: 12_000 },
  },
  { name: "mac-22", slots: 4, running: 1, oldest: { target: "codex", prompt: "Send it. ".repeat(40), ms: 70_000 } },
  { name: "idle-one", slots: 2, running: 0 },
];

test("a terminal shows the workers, and the trial that each has had in hand for the longest time", () => {
  const out = stream(true);
  createProgress({ stream: out, now: () => 0 }).update({ ...snapshot(61), workers });
  const lines = out.written.at(-1)!.split("\n");
  expect(lines[0]).toContain("16 handed out");
  expect(lines[1]).toBe("workers         3, 5 of 10 slots busy");
  expect(lines[2]).toMatch(/^ {2}mac-22 +1\/4 {2}codex {2}"Send it\. Send it\. .*…" {2}1 min$/);
  expect(lines[3]).toMatch(/^ {2}mac-1 +4\/4 {2}claude:haiku {2}"Make an alpha chart.* of sales\.csv" {2}12 s$/);
  expect(lines[3]).not.toContain("\x1b");
  expect(lines[4]).toMatch(/^ {2}idle-one +0\/2 {2}idle$/);
});

test("of many workers, those are shown that are busy for longest, and how many more there are", () => {
  const out = stream(true);
  const many = Array.from({ length: 20 }, (_, n) => ({
    name: `w${n}`,
    slots: 1,
    running: 1,
    oldest: { target: "t", prompt: "p", ms: n * 1000 },
  }));
  createProgress({ stream: out, now: () => 0 }).update({ ...snapshot(1), workers: many });
  const drawn = out.written.at(-1)!;
  expect([...drawn.matchAll(/^ {2}(w\d+)/gm)].map(([, name]) => name)).toEqual([
    "w19",
    "w18",
    "w17",
    "w16",
    "w15",
    "w14",
  ]);
  expect(drawn).toContain("and 14 more");
});

test("a log says how many workers are busy, and when there is none", () => {
  let now = 0;
  const out = stream(false);
  const progress = createProgress({ stream: out, now: () => now });
  now = 6_000;
  progress.update({ ...snapshot(3), workers });
  now = 12_000;
  progress.update({ ...snapshot(3), workers: [] });
  expect(out.written.filter((line) => line.startsWith("workers"))).toEqual([
    "workers: 3, 5 of 10 slots busy\n",
    "workers: none at the moment\n",
  ]);
});
