import { expect, test } from "vitest";
import { useWorld } from "./route-world.ts";

const world = useWorld();

test.each(["skill/unquoted-colon", "unquoted-colon"])("explain %s prints the page of the rule", async (code) => {
  const { code: exit, out } = await world.proctor("explain", code);
  expect(exit).toBe(0);
  expect(out).toMatch(/^# .*\n\n`skill\/unquoted-colon`/);
});

test("explain alone lists every rule; a wrong name gets the nearest", async () => {
  expect((await world.proctor("explain")).out).toMatch(
    /^plugin\/agent +warning +A plugin.s agent has no description\n/,
  );
  const { code, err } = await world.proctor("explain", "skill/unqoted-colon");
  expect(code).toBe(2);
  expect(err).toContain("Did you mean unquoted-colon");
});
