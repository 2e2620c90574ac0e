import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyEdits, type Edit, fixFiles, type Problem } from "../../src/base/index.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-fix-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function problem(file: string, ...edits: Edit[]): Problem {
  return { code: "skill/x", severity: "error", message: "x", location: { file }, edits };
}

test("only the bytes of the edits change: byte order mark, line ends and mode stay", async () => {
  const file = join(folder, "SKILL.md");
  await writeFile(file, "\ufeff---\r\nname: a\r\n---\r\n");
  await chmod(file, 0o640);
  const at = "\ufeff---\r\nname: ".length;
  const fixed = await fixFiles([problem(file, { start: at, end: at + 1, text: '"é"' })]);
  expect(fixed).toHaveLength(1);
  expect(await readFile(file, "utf8")).toBe('\ufeff---\r\nname: "é"\r\n---\r\n');
  if (process.platform !== "win32") expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect(await readdir(folder)).toEqual(["SKILL.md"]);
});

test("a file that is not UTF-8 is left alone", async () => {
  const file = join(folder, "SKILL.md");
  const bytes = Buffer.from([0x61, 0xff, 0x62]);
  await writeFile(file, bytes);
  expect(await fixFiles([problem(file, { start: 0, end: 1, text: "z" })])).toEqual([]);
  expect(await readFile(file)).toEqual(bytes);
});

test.skipIf(process.platform === "win32")("a link stays a link, and the file behind it is fixed", async () => {
  await writeFile(join(folder, "real.md"), "abc");
  await symlink("real.md", join(folder, "link.md"));
  await fixFiles([problem(join(folder, "link.md"), { start: 1, end: 2, text: "" })]);
  expect(await readFile(join(folder, "real.md"), "utf8")).toBe("ac");
});

test("of two problems that touch the same text the first is fixed and the other waits", () => {
  const first = problem("f", { start: 0, end: 3, text: "X" });
  const second = problem("f", { start: 2, end: 4, text: "Y" });
  expect(applyEdits("abcdef", [first, second])).toEqual({ text: "Xdef", fixed: [first] });
});

test("a problem's edits are applied together or not at all", () => {
  const first = problem("f", { start: 4, end: 5, text: "X" });
  const both = problem("f", { start: 0, end: 1, text: "Y" }, { start: 4, end: 6, text: "Z" });
  expect(applyEdits("abcdef", [first, both])).toEqual({ text: "abcdXf", fixed: [first] });
});

test("the same edit for two problems is applied once and mends both", () => {
  const a = problem("f", { start: 0, end: 1, text: "" });
  const b = problem("f", { start: 0, end: 1, text: "" });
  expect(applyEdits("\ufeffab", [a, b])).toEqual({ text: "ab", fixed: [a, b] });
});

test("edits outside the text are refused", () => {
  expect(
    applyEdits("abc", [problem("f", { start: 2, end: 9, text: "" }), problem("f", { start: 2, end: 1, text: "" })])
      .fixed,
  ).toEqual([]);
});

test("whatever the edits, the text outside them is kept in order", () => {
  const edit = fc.record({ start: fc.nat(20), end: fc.nat(20), text: fc.constant("#") });
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.array(edit), (raw, edits) => {
      const text = raw.replaceAll("#", "-");
      const problems = edits.map((one) => problem("f", one));
      const { text: edited, fixed } = applyEdits(text, problems);
      const touched = new Set(
        fixed.flatMap((one) =>
          one.edits!.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)),
        ),
      );
      expect(edited.replaceAll("#", "")).toBe(
        Array.from({ length: text.length }, (_, i) => (touched.has(i) ? "" : text[i])).join(""),
      );
    }),
  );
});
