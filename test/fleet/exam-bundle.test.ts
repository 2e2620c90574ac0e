import { readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeSnapshot } from "../../src/exam/ask/snapshot.ts";
import type { Job } from "../../src/exam/grade/index.ts";
import { openExam, packExam } from "../../src/fleet/bundle/exam-bundle.ts";
import { World } from "../world.ts";

let world: World;
let other: World;
beforeEach(() => {
  world = new World();
  other = new World();
  world.skill("letters");
  world.write("skills/letters/evals/evals.json", {
    evals: [{ id: "a", prompt: "Write", assertions: [{ type: "contains", value: "x" }] }],
  });
  world.script({ default: { text: "x" } });
  other.skill("letters", [], "The old one.");
});
afterEach(() => {
  world.remove();
  other.remove();
});

test("the other version that cases are compared with travels along, and nothing outside of the bundle can be named", async () => {
  const exam = await world.prepare({ baseline: other.dir });
  // A script reads no files; the exam is packed as for one that does.
  const snapshot = { ...(await takeSnapshot(exam)), copied: true };
  const { files, portable } = await packExam(snapshot);
  const twin = exam.plan.asks.find(({ ask }) => ask.variant !== undefined)!;
  const job: Job = { key: "k", target: "t", ask: twin.ask, run: 1, questions: [], timeoutMs: 1, evidence: "any" };
  const sent = portable(job);
  expect(sent.ask.variant?.folder).toBe("versions/0/letters");
  expect(JSON.stringify(sent)).not.toContain(world.dir + sep);

  const there = join(world.dir, "worker");
  for (const { path, data } of files) {
    await mkdir(dirname(join(there, path)), { recursive: true });
    writeFileSync(join(there, path), data);
  }
  const { local } = openExam(there);
  const folder = local(sent).ask.variant?.folder ?? "";
  expect(folder).toBe(join(there, "versions", "0", "letters"));
  expect(readFileSync(join(folder, "SKILL.md"), "utf8")).toContain("The old one.");
  const outside = { ...sent, ask: { ...sent.ask, variant: { label: "x", folder: "../../etc" } } };
  expect(() => local(outside)).toThrow("outside its exam");
});
