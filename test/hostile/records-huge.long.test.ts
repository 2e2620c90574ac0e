import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runMain } from "../cli/run-main.ts";
import { type Sat, World } from "../world.ts";

let world: World;
let first: Sat;
let second: Sat;
beforeEach(async () => {
  world = new World();
  world.write(".git/HEAD", "ref: refs/heads/main\n");
  world.skill("refund", [{ query: "money back", should_trigger: true }]);
  world.script({ answers: [], default: { skills: ["refund"] } });
  first = await world.sit({ cache: false });
  second = await world.sit({ cache: false });
});
afterEach(() => world.remove());

const HOLE = 2 * 1024 ** 3 + 1;
const report = (...args: string[]) => runMain(world.dir, args);
const flat = (text: string) => text.replace(/\s+/g, " ");

/** A hole takes no room on the disk, and reads as two gigabytes of zeros. */
function withHole(file: string, after: number, rest: Buffer): void {
  const fd = openSync(file, "r+");
  ftruncateSync(fd, after);
  ftruncateSync(fd, after + HOLE);
  writeSync(fd, rest, 0, rest.length, after + HOLE);
  closeSync(fd);
  expect(statSync(file).size).toBeGreaterThan(2 * 1024 ** 3);
}

test("a record with a line of two gigabytes is scored without it, and says so: never green, and never an attempt to hold it", async () => {
  const whole = readFileSync(second.place.file);
  const footer = whole.lastIndexOf(10, whole.length - 2) + 1;
  withHole(second.place.file, footer, Buffer.concat([Buffer.from("\n"), whole.subarray(footer)]));
  const shown = await report("report", second.place.run);
  expect(shown.code).toBe(3);
  expect(flat(shown.stdout)).toMatch(
    /^damaged: the record is not what was written.*record\.jsonl:\d+ is damaged: it is longer than any line of a record/,
  );
  const compared = await report("compare", first.place.run, second.place.run);
  expect(compared.code).toBe(3);
  expect(flat(compared.stdout)).toContain("is incomplete: 2 lines of its record are damaged or missing");
}, 180_000);

test("two gigabytes that are no record are refused in a sentence", async () => {
  withHole(second.place.file, 0, Buffer.from("\n"));
  const shown = await report("compare", first.place.run, second.place.run);
  expect(shown).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("record.jsonl:1 is damaged: it is longer than any line of a record"),
  });
}, 180_000);

test("a record that is damaged all over is refused after ten thousand lines, however long it is", async () => {
  const whole = readFileSync(second.place.file, "utf8");
  writeFileSync(second.place.file, whole.slice(0, whole.indexOf("\n") + 1) + "{}\n".repeat(300_000));
  const shown = await report("report", second.place.run);
  expect(shown).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("more than 10,000 of its lines are damaged"),
  });
});
