import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Library } from "../../src/model/index.ts";
import { rereadTrial } from "../../src/targets/agents/index.ts";
import { type Dialect, dialects } from "../agents/dialects.ts";
import { recordingOf, summary, talks } from "../agents/follow-ups.ts";
import { compare, decidedBy, expectedOf } from "../agents/harness.ts";
import { writeLibrary } from "../agents/library.ts";
import { recordingFile, saidFile } from "../agents/recordings.ts";
import { type Case, cases } from "../agents/scenarios.ts";

const root = mkdtempSync(join(tmpdir(), "scenarios-test-"));
let library: Library;
beforeAll(async () => {
  library = await writeLibrary(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Recorded from the real CLIs by `npm run test:agents -- --all --record`: the same scenarios, and the same must be said of them. */
describe.each(dialects)("$id, from what it wrote", (dialect) => {
  const said = JSON.parse(readFileSync(saidFile(dialect.id), "utf8")) as Record<string, string>;

  test.each(cases.filter((one) => isRecorded(one, dialect)))("$name", async (one) => {
    const raw = readFileSync(recordingFile(dialect.id, one.name), "utf8");
    const read = await rereadTrial(raw, { skills: library.skills, decided: decidedBy(one) });
    if (read.status !== "read") throw new Error(read.why);
    expect(compare(expectedOf(one, dialect), read.events)).toMatchObject({ right: true, said: said[one.name] });
  });

  test.each(talks.filter((talk) => existsSync(recordingFile(dialect.id, recordingOf(talk)))))(
    "two messages: $name",
    async (talk) => {
      const raw = readFileSync(recordingFile(dialect.id, recordingOf(talk)), "utf8");
      const read = await rereadTrial(raw, { skills: library.skills, decided: () => false });
      if (read.status !== "read") throw new Error(read.why);
      expect(summary(read.events)).toBe(said[recordingOf(talk)]);
    },
  );

  test("there are recordings of every kind of end", () => {
    const ends = cases.filter((one) => isRecorded(one, dialect)).map((one) => said[one.name]);
    expect(ends.length).toBeGreaterThan(24);
    for (const kind of [
      /loaded|read/,
      /refused/,
      /sub-agent/,
      /^none$/,
      /stopped/,
      /max_turns/,
      /: api$/,
      /: auth$/,
      /: timeout$/,
      /: crash$/,
    ])
      expect(
        ends.filter((words) => kind.test(words ?? "")),
        String(kind),
      ).not.toEqual([]);
  });
});

function isRecorded(one: Case, dialect: Dialect): boolean {
  return one.not?.(dialect) === undefined && existsSync(recordingFile(dialect.id, one.name));
}
