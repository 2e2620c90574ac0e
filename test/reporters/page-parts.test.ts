import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffOf } from "../../src/reporters/html/project/diff.ts";
import { fileDiff } from "../../src/reporters/html/project/file-diff.ts";
import { packTable, unpackTable } from "../../src/reporters/html/project/tables.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });

describe("a diff", () => {
  test("takes out what only the first has and puts in what only the second has, whatever they are", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const parts = diffOf(before, after);
        expect(parts.filter(({ type }) => type !== "in").flatMap(({ items }) => items)).toEqual(before);
        expect(parts.filter(({ type }) => type !== "out").flatMap(({ items }) => items)).toEqual(after);
      }),
    );
  });

  test("is as short as it can be", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const same = diffOf(before, after).flatMap(({ type, items }) => (type === "same" ? items : [])).length;
        expect(same).toBe(longestCommon(before, after));
      }),
    );
  });

  test("of two texts that have nothing in common takes no longer than to read them", () => {
    const [before, after] = ["x", "y"].map((letter) => Array.from({ length: 50_000 }, (_, at) => `${letter}${at}`));
    expect(diffOf(before!, after!).map(({ type, items }) => [type, items.length])).toEqual([
      ["out", 50_000],
      ["in", 50_000],
    ]);
  });

  test("of a file shows the lines around each change, with their numbers", () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
    const after = before.toSpliced(2, 1, "third").toSpliced(18, 0, "new");
    expect(fileDiff(`${before.join("\n")}\n`, `${after.join("\n")}\n`, 10_000)).toEqual({
      hunks: [
        { before: 1, after: 1, lines: [" line 1", " line 2", "-line 3", "+third", " line 4", " line 5", " line 6"] },
        { before: 16, after: 16, lines: [" line 16", " line 17", " line 18", "+new", " line 19", " line 20"] },
      ],
      leftOff: 0,
    });
  });

  test("of a file that was removed, made empty or hardly fits says so", () => {
    expect(fileDiff("a\nb", "", 100)).toEqual({ hunks: [{ before: 1, after: 1, lines: ["-a", "-b"] }], leftOff: 0 });
    expect(fileDiff("", "", 100)).toEqual({ hunks: [], leftOff: 0 });
    expect(fileDiff("", `short\n${"long".repeat(100)}`, 100)).toEqual({
      hunks: [{ before: 1, after: 1, lines: ["+short"] }],
      leftOff: 1,
    });
  });
});

test("a packed table comes out as it went in: with holes, repeated values and objects in objects", () => {
  const value = fc.oneof(
    fc.integer(),
    fc.string(),
    fc.constant(null),
    fc.boolean(),
    fc.array(fc.integer(), { maxLength: 2 }),
  );
  const row = fc.record(
    { id: fc.integer(), word: fc.constantFrom("a", "b"), rate: fc.record({ n: value, low: value }), why: value },
    { requiredKeys: ["id"] },
  );
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
      const sent = JSON.parse(JSON.stringify(packTable(rows))) as ReturnType<typeof packTable>;
      expect(unpackTable(sent)).toEqual(JSON.parse(JSON.stringify(rows)));
    }),
  );
});

/** The plain table of the longest common subsequence, another way to the same number. */
function longestCommon(a: string[], b: string[]): number {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  return lengths[0]![0]!;
}
