import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { lineIndex, nestedTooDeep, readText } from "../../src/base/index.ts";

const folder = mkdtempSync(join(tmpdir(), "proctor-text-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(content: string | Uint8Array): string {
  const file = join(folder, "file");
  writeFileSync(file, content);
  return file;
}

test("a text keeps its byte order mark, so that offsets in it are offsets in the file", () => {
  expect(readText(written("\uFEFFabc"))).toEqual({ status: "text", text: "\uFEFFabc", bom: true });
  expect(readText(written("a\uFFFDb"))).toEqual({ status: "text", text: "a\uFFFDb", bom: false });
});

test.each([
  ["not UTF-8", new Uint8Array([0x61, 0xe9, 0x62]), "encoding"],
  ["too large", "x".repeat(101), "large"],
])("%s is said, not thrown", (_, content, reason) => {
  expect(readText(written(content), { mostBytes: 100 })).toMatchObject({ status: "unreadable", reason });
});

test("a folder and nothing at all are said, not thrown", () => {
  expect(readText(folder)).toMatchObject({ reason: "folder" });
  expect(readText(join(folder, "none"))).toMatchObject({ reason: "missing" });
  expect(readText(join(folder, "none\0"))).toMatchObject({ status: "unreadable" });
});

test("lines and columns agree with counting by hand", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "\n", "\r\n", "é", "😀")), fc.nat(), (pieces, at) => {
      const text = pieces.join("");
      const offset = text.length === 0 ? 0 : at % (text.length + 1);
      const before = text.slice(0, offset).split("\n");
      expect(lineIndex(text)(offset)).toEqual({ line: before.length, column: before.at(-1)!.length + 1 });
    }),
  );
});

test("a byte order mark takes no column", () => {
  expect(lineIndex("\uFEFFab")(1)).toEqual({ line: 1, column: 1 });
  expect(lineIndex("\uFEFFab\nc")(4)).toEqual({ line: 2, column: 1 });
});

test.each([
  ["brackets", "[".repeat(300), true],
  ["braces and brackets", '{"a":['.repeat(150), true],
  ["list on one line", "- ".repeat(300), true],
  ["ever deeper lines", Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"), true],
  ["many siblings", "- a\n".repeat(5000), false],
  ["brackets that close", "[] {} ".repeat(5000), false],
  ["an ordinary file", "a:\n  b:\n    - c: [1, {d: 2}]\n", false],
])("nesting: %s", (_, text, deep) => {
  expect(nestedTooDeep(text)).toBe(deep);
});
