import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";
import { runMain } from "./run-main.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.write("proctor.config.yaml", "libraries:\n  shop: shop\n  desk: desk\n");
  for (const library of ["shop", "desk"]) {
    world.write(
      `${library}/skills/${library}-help/SKILL.md`,
      `---\nname: ${library}-help\ndescription: Helps at the ${library}.\n---\n# Help\n`,
    );
    world.write(
      `${library}/evals/triggers.yaml`,
      `skill_name: ${library}-help\ntriggers:\n  - query: Help me at the ${library}\n    should_trigger: true\n`,
    );
  }
  world.write(
    "answers.yaml",
    "answers: [{ query: Help me at the desk, skills: [desk-help] }]\ndefault: { skills: [] }\ndeterministic: true\n",
  );
});
afterEach(() => world.remove());

const text = (file: string) => readFileSync(join(world.dir, file), "utf8");
const proctor = (...args: string[]) => runMain(world.dir, args);

test("a report that goes to a file has one for each library, and none is written over", async () => {
  const files = ["junit=out/junit.xml", "json=out/report.json", "waza=out/waza"];
  const ran = await proctor("run", "-q", "-t", "script:answers.yaml", ...files.flatMap((one) => ["--reporter", one]));
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("out/junit.shop.xml");
  expect(existsSync(join(world.dir, "out/junit.xml"))).toBe(false);
  expect(text("out/junit.shop.xml")).toContain('failures="1"');
  expect(text("out/junit.desk.xml")).toContain('failures="0"');
  expect(["shop", "desk"].map((name) => JSON.parse(text(`out/report.${name}.json`)).run.library.name)).toEqual([
    "shop",
    "desk",
  ]);
  for (const name of ["shop", "desk"])
    expect(existsSync(join(world.dir, `out/waza/${name}/${name}-help/results.json`))).toBe(true);
});

test("JSON on standard output is one document for all of them", async () => {
  const ran = JSON.parse((await proctor("run", "-t", "script:answers.yaml", "--json")).stdout);
  expect(ran).toMatchObject({
    version: 1,
    libraries: [{ run: { library: { name: "shop" } } }, { run: { library: { name: "desk" } } }],
  });
  const planned = JSON.parse((await proctor("plan", "-t", "script:answers.yaml", "--json")).stdout);
  expect(planned).toMatchObject({
    version: 1,
    libraries: [{ library: { name: "shop" } }, { library: { name: "desk" } }],
  });
  const one = JSON.parse((await proctor("run", "desk", "-t", "script:answers.yaml", "--json")).stdout);
  expect(one).toMatchObject({ run: { library: { name: "desk" } } });
});

test("one library of several has the file that was named", async () => {
  await proctor("run", "-q", "-t", "script:answers.yaml", "desk", "--reporter", "junit=junit.xml");
  expect(text("junit.xml")).toContain("desk-help");
});

test.runIf(isHere("git"))("so does what is compared with a revision", async () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: world.dir });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "commit.gpgsign=false", "commit", "-qm", "base");
  const compared = await proctor(
    "compare",
    "-q",
    "--base",
    "main",
    "-t",
    "script:answers.yaml",
    "--reporter",
    "markdown=out.md,json=out.json",
  );
  expect(compared.code).toBe(0);
  expect(["shop", "desk"].map((name) => JSON.parse(text(`out.${name}.json`)).targets[0].passed.now)).toEqual([0, 1]);
  expect(text("out.shop.md")).toContain("0 of 1 question");
});
