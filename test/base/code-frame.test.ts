import fc from "fast-check";
import { expect, test } from "vitest";
import { codeFrame, displayWidth, printable } from "../../src/base/index.ts";

const skill = "---\nname: refund-policy\ndescription: Handles refunds: when, how, for whom\n---\n";

test("a frame shows the line, the line before it and a caret under the column", () => {
  expect(codeFrame(skill, { line: 3, column: 28 })).toBe(
    [
      "  2 │ name: refund-policy",
      "▸ 3 │ description: Handles refunds: when, how, for whom",
      "    │                            ^",
    ].join("\n"),
  );
});

test("a frame without a column has no caret, and the first line has no line before it", () => {
  expect(codeFrame(skill, { line: 1 })).toBe("▸ 1 │ ---");
});

test("line numbers of different lengths stay aligned", () => {
  const text = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\r\n");
  expect(codeFrame(text, { line: 10, column: 1 })).toBe(["   9 │ line 9", "▸ 10 │ line 10", "     │ ^"].join("\n"));
});

test("a place that is not in the text has no frame", () => {
  expect(codeFrame(skill, { line: 40, column: 1 })).toBeUndefined();
  expect(codeFrame(skill, { line: 0 })).toBeUndefined();
});

test("a long line is cut around the place", () => {
  const line = `${"a".repeat(300)}HERE${"b".repeat(300)}`;
  const [shown, caret] = codeFrame(line, { line: 1, column: 301 }, { width: 60 })!.split("\n");
  expect(displayWidth(shown!)).toBeLessThanOrEqual(60);
  expect(shown).toMatch(/^▸ 1 │ …a+HEREb+…$/);
  expect(shown!.indexOf("HERE")).toBe(caret!.indexOf("^"));
});

test("the caret stands under its character after tabs, wide letters and control characters", () => {
  const [shown, caret] = codeFrame("\t退款\u001b[31m: x", { line: 1, column: 9 })!.split("\n");
  expect(shown).toBe("▸ 1 │   退款␛[31m: x");
  expect(displayWidth(shown!.slice(0, shown!.indexOf(":")))).toBe(caret!.indexOf("^"));
});

test.each([
  ["a colour", "\u001b[31mred", "␛[31mred"],
  ["a carriage return", "safe\rfake", "safe␍fake"],
  ["a line end", "one\ntwo", "one␊two"],
  ["a C1 control", "\u009b2J", "<U+009B>2J"],
  ["a direction override", "\u202egpj.exe", "<U+202E>gpj.exe"],
  ["a byte order mark", "\ufeffname", "<U+FEFF>name"],
  ["a tag character", "a\u{e0041}", "a<U+E0041>"],
  ["half a character", "a\ud83d", "a<U+D83D>"],
  ["a joined emoji", "👩‍💻 é 退", "👩‍💻 é 退"],
])("%s is printed so that it can do no harm", (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("no text makes a frame that moves the cursor", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.nat(6),
      fc.nat(400),
      fc.integer({ min: 40, max: 120 }),
      (text, line, column, width) => {
        const frame = codeFrame(text, { line, column }, { width }) ?? "";
        for (const row of frame.split("\n")) {
          expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      },
    ),
  );
});
