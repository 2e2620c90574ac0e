import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("alpha", [{ query: "Question 1", should_trigger: true }]);
});
afterEach(() => world.remove());

const SECRET = [
  "ACME_API_KEY",
  "GITHUB_TOKEN",
  "CLIENT_SECRET",
  "DB_PASSWORD",
  "DB_PASSWD",
  "AWS_CREDENTIAL",
  "BASIC_AUTH",
  "lower_case_token",
];

test("whatever is called a key, token, secret or password stays out of .proctor, and other variables do not", async () => {
  const value = (name: string) => `the-value-of-${name.toLowerCase().replaceAll("_", "-")}`;
  world.env = Object.fromEntries([...SECRET, "EDITOR"].map((name) => [name, value(name)]));
  world.script({ default: { skills: [], text: Object.values(world.env).join(" and ") } });
  await world.sit({ runs: 1 });
  const kept = textBelow(join(world.dir, ".proctor"));
  expect(kept).toContain("[masked]");
  expect(SECRET.filter((name) => kept.includes(value(name)))).toEqual([]);
  expect(kept).toContain(value("EDITOR"));
});

test("a key that is set for one target stays out as well", async () => {
  world.write("proctor.config.json", {
    targets: [{ target: "script:answers.yaml", env: { ACME_TOKEN: "only-for-this-target" } }],
  });
  world.script({ default: { skills: [], text: "It is only-for-this-target." } });
  await world.sit({ runs: 1 });
  const kept = textBelow(join(world.dir, ".proctor"));
  expect(kept).toContain("It is [masked].");
  expect(kept).not.toContain("only-for-this-target");
});

function textBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}
