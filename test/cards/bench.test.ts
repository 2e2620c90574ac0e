import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCorpus } from "../../bench/router-corpus.ts";
import { figuresOf, measure } from "../../bench/router-measure.ts";
import { alwaysYes } from "../../bench/router-methods.ts";

function corpus(rows: { query: string; skill: string; should_trigger: boolean }[], none: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "router-corpus-"));
  const repo = join(folder, "repos", "one__repo");
  mkdirSync(repo, { recursive: true });
  writeFileSync(
    join(repo, "skills.json"),
    JSON.stringify([
      { name: "a", description: "Does a." },
      { name: "b", description: "Does b." },
    ]),
  );
  writeFileSync(join(repo, "cases.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  if (none.length > 0)
    writeFileSync(join(repo, "none.jsonl"), none.map((query) => JSON.stringify({ query, skill: null })).join("\n"));
  const read = readCorpus(folder);
  rmSync(folder, { recursive: true });
  return read;
}

const four = (should_trigger: boolean) =>
  ["1", "2", "3", "4"].map((query) => ({ query: `${should_trigger} ${query}`, skill: "a", should_trigger }));

test("a repository without both classes and without none queries has no such figure", () => {
  const figures = figuresOf(
    corpus(four(true)).map((repository) => measure(repository, () => ({ fires: () => true, best: "a" }))),
  );
  expect(figures).toMatchObject({
    acc_both: { value: null },
    balanced: { value: null },
    top1: { value: 1 },
    none: { value: null },
  });
});

test("always-yes is right about the positives only, fires on every none query, and ranks nothing", () => {
  const figures = figuresOf(
    corpus([...four(true), ...four(false)], ["hello"]).map((repository) => measure(repository, alwaysYes)),
  );
  expect(figures).toMatchObject({
    acc_both: { value: 0.5, low: 0.5, high: 0.5 },
    balanced: { value: 0.5 },
    top1: { value: null },
    none: { value: 0 },
  });
});
