import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth, fitColumns } from "../../src/base/index.ts";

describe("a text takes the columns that a terminal gives it", () => {
  test.each([
    ["plain letters", "order-status", 12],
    ["nothing", "", 0],
    ["a letter with its accent", "é", 1],
    ["a letter and an accent that combine", "e\u0301", 1],
    ["Han", "退款", 4],
    ["kana", "かな", 4],
    ["half-width kana", "ｶﾅ", 2],
    ["half-width kana with a voicing mark", "ｶﾞ", 2],
    ["full-width letters", "ＡＢ", 4],
    ["Hangul", "환불", 4],
    ["East Asian punctuation", "。「」", 6],
    ["Cyrillic", "ёж", 2],
    ["Arabic with a mark", "مَ", 1],
    ["an emoji", "📦", 2],
    ["an emoji with a skin tone", "👍🏽", 2],
    ["a family joined of four", "👩‍👩‍👧‍👦", 2],
    ["a profession joined of two", "👩‍💻", 2],
    ["a flag", "🇩🇪", 2],
    ["two flags", "🇩🇪🇫🇷", 4],
    ["the flag of a region", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2],
    ["a heart drawn as an emoji", "❤️", 2],
    ["a heart drawn as text", "❤", 1],
    ["a keycap", "1️⃣", 2],
    ["our own signs", "✓✗▸│…█░→—", 9],
    ["colours", "\u001b[31mred\u001b[39m", 3],
  ])("%s", (_, text, columns) => {
    expect(displayWidth(text)).toBe(columns);
  });
});

test.each([
  ["what fits is whole", "退款 policy", 11, "退款 policy"],
  ["a wide letter that would stick out is left out", "退款", 3, "退"],
  ["a flag is not cut in two", "🇩🇪🇫🇷", 3, "🇩🇪"],
  ["nor is a family", "👩‍👩‍👧‍👦👩‍💻", 2, "👩‍👩‍👧‍👦"],
  ["an accent stays with its letter", "e\u0301e\u0301", 1, "e\u0301"],
  ["no columns hold nothing", "a", 0, ""],
])("%s", (_, text, columns, fitting) => {
  expect(fitColumns(text, columns)).toBe(fitting);
});

test("what is cut never takes more columns than it was given, and is the beginning of the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, columns) => {
      const fitting = fitColumns(text, columns);
      expect(displayWidth(fitting)).toBeLessThanOrEqual(columns);
      expect(text.startsWith(fitting)).toBe(true);
    }),
  );
});
