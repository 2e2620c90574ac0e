import { expect, test } from "vitest";
import { tableOf } from "./table.ts";
import { readWords } from "./words.ts";

test.each([
  ["of all, it is written", ["--all"], true],
  ["of some scenarios, it is not", ["--all", "--grep=crash"], false],
  ["nor with the pattern as a word of its own", ["--all", "--grep", "crash"], false],
  ["of some CLIs, it is not", ["claude"], false],
  ["asked for by name, it is", ["--table"], true],
])("the table of docs/agents.md: %s", (_, argv, table) => {
  const words = readWords(argv);
  expect(words.table).toBe(table);
  expect(words.named).toEqual(argv.filter((word) => word === "claude"));
});

test("a table that would lose a CLI is not written", () => {
  const row = { "a skill loads": { right: true, said: "loaded" } };
  const before = tableOf({ claude: { version: "2", rows: row }, codex: { version: "1", rows: row } }, "");
  expect(() => tableOf({ claude: { version: "2", rows: row } }, before)).toThrow("codex");
  expect(tableOf({ claude: { version: "3", rows: {} }, codex: { version: "1", rows: row } }, before)).toContain(
    "claude 3",
  );
});
