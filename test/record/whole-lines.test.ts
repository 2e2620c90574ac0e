import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { wholeLines } from "../../src/exam/record/lines/whole-lines.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "proctor-lines-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Every line as text, null for one that is too long. */
async function linesOf(content: string | Buffer, most = 1_000_000): Promise<(string | null)[]> {
  const file = join(dir, "lines");
  writeFileSync(file, content);
  const lines: (string | null)[] = [];
  for await (const piece of wholeLines(file, most)) for (const line of piece) lines.push(line?.toString() ?? null);
  return lines;
}

test("lines are those that end, empty ones too", async () => {
  expect(await linesOf("")).toEqual([]);
  expect(await linesOf("half a line")).toEqual([]);
  expect(await linesOf("a\n\nb\nhalf")).toEqual(["a", "", "b"]);
  expect(await linesOf("\n")).toEqual([""]);
});

test.each([1, 100, 131_070, 131_071, 131_072, 131_073, 262_144, 400_000])(
  "a line of %d characters comes out whole, and so do its neighbours",
  async (length) => {
    const long = "é".repeat(Math.floor(length / 2)) + "x".repeat(length % 2);
    expect(await linesOf(`first\n${long}\nlast\n`)).toEqual(["first", long, "last"]);
  },
);

test("many lines across many reads come out in order", async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `${index} ${"y".repeat(index % 60)}`);
  expect(await linesOf(`${lines.join("\n")}\nhalf`)).toEqual(lines);
});

test("a line that is too long is told, and what follows it is read", async () => {
  expect(await linesOf(`a\n${"x".repeat(900_000)}\nb\nc\n`, 300_000)).toEqual(["a", null, "b", "c"]);
});
