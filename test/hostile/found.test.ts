import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type House, openHouse } from "./doors.ts";

/** What `npm run fuzz` has found, each made smaller: `{ door, kind, text }`. */
const FOUND = join(import.meta.dirname, "found");
const found = existsSync(FOUND) ? readdirSync(FOUND) : [];

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

test("every door takes what it is made for", async () => {
  for (const door of house.doors) {
    expect(door.seeds.length, door.name).toBeGreaterThan(0);
    for (const { kind, text } of door.seeds.slice(0, 3)) await door.put(text, kind);
  }
});

test.each(found)("%s is taken without a throw", async (file) => {
  const { door, kind, text } = JSON.parse(readFileSync(join(FOUND, file), "utf8")) as {
    door: string;
    kind: string;
    text: string;
  };
  await house.doors.find(({ name }) => name === door)!.put(text, kind);
});
