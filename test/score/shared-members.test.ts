import { expect, test } from "vitest";
import { createSharing } from "../../src/exam/score/shared-members.ts";
import type { QuestionLine } from "../../src/model/index.ts";
import { positive } from "./build.ts";

/** As it comes out of a record: nothing of it is shared with another. */
const copy = (line: QuestionLine): QuestionLine => structuredClone(line);

test("what questions have alike is kept once, and every question says what it said", () => {
  const share = createSharing();
  const lines = [
    positive("1", "refund", { tags: ["smoke"], runs: 3 }),
    positive("2", "refund", { tags: ["smoke"], runs: 3 }),
    positive("3", "faq", { tags: [], runs: 5, skipped: { embedded: "it has no body" } }),
    { ...positive("4", "refund"), source: { file: "other.yaml", line: 9 } },
  ];
  const shared = lines.map(copy);
  for (const line of shared) share(line);
  expect(shared).toEqual(lines);
  const [first, second, third] = shared;
  for (const member of ["expect", "tags", "runs", "skipped"] as const) expect(second?.[member]).toBe(first?.[member]);
  for (const member of ["expect", "tags", "runs", "skipped"] as const)
    expect(third?.[member]).not.toBe(first?.[member]);
  expect(first?.source).not.toBe(second?.source);
});

test("a text is never taken for the list or the table that looks like it", () => {
  const share = createSharing();
  const one = { ...positive("1", "refund"), tags: ["a"], source: { file: '["a"]', line: 1 } };
  const other = { ...positive("2", "{}"), skipped: {}, source: { file: "[]", line: 2 }, tags: [] };
  for (const line of [one, other]) share(line);
  expect(one).toMatchObject({ tags: ["a"], source: { file: '["a"]' } });
  expect(other).toMatchObject({ skill: "{}", skipped: {}, tags: [], source: { file: "[]" } });
});

test("where nothing is alike, no more than so many are remembered, and all is still as it was", () => {
  const share = createSharing();
  const last = { ...positive("last", "refund"), tags: ["the last one"] };
  for (let index = 0; index < 20_010; index++) share({ ...positive(`${index}`, "refund"), tags: [`tag ${index}`] });
  const [kept, again] = [copy(last), copy(last)];
  share(kept);
  share(again);
  expect(kept).toEqual(last);
  expect(again.tags).not.toBe(kept.tags);
});
