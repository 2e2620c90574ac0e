import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runsOfLibrary } from "../../src/history/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.remove());

test("a damaged run has no numbers in the history of its library", async () => {
  world.skill("refund", [{ query: "one", should_trigger: true }]);
  world.script({ answers: [], default: { skills: ["refund"] } });
  const { place, scores } = await world.sit();
  await world.sit();
  const text = readFileSync(place.file, "utf8");
  writeFileSync(place.file, text.replace('"skill":"refund","turn":1', '"skill":"refunt","turn":1'));
  expect(readFileSync(place.file, "utf8")).not.toBe(text);
  const [first, second] = await runsOfLibrary(world.dir, scores.run.library.name);
  await expect(first?.scores()).rejects.toThrow(/damaged/);
  expect((await second?.scores())?.targets[0]?.total.score.value).toBe(1);
});
