import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { World } from "../world.ts";
import { runMain } from "./run-main.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.write(".git/HEAD", "ref: refs/heads/main\n");
  for (let index = 0; index < 12; index++)
    world.skill(`skill-${index}`, [{ query: `question ${index}`, should_trigger: true }], "Helps.");
  world.write("skills/broken/SKILL.md", "---\nname: other | `name` ::error::x\n---\n");
});
afterEach(() => world.remove());

const check = (...args: string[]) => runMain(world.dir, ["check", ...args]);
const read = (name: string) => readFileSync(join(world.dir, name), "utf8");

test("check writes every format that has a use for problems, several at once, and ends as without them", async () => {
  const formats = ["terminal", "json", "junit", "markdown", "github", "sarif", "gitlab", "csv"];
  const plain = await check();
  const { code, stdout } = await check("--reporter", formats.map((name) => `${name}=out/${name}`).join(","));
  expect(code).toBe(plain.code);
  expect(stdout).toBe("");
  const { summary } = JSON.parse(read("out/json")) as { summary: { errors: number; warnings: number; infos: number } };
  const all = summary.errors + summary.warnings + summary.infos;
  expect(summary.errors).toBeGreaterThan(0);
  expect(summary.warnings).toBeGreaterThan(10);
  expect(read("out/terminal")).toContain("skills/broken/SKILL.md");
  expect(read("out/junit")).toMatch(/<testsuite name="proctor check" tests="\d+" failures="[1-9]/);
  expect(read("out/markdown")).toMatch(/^❌ \*\*\d+ errors?, \d+ warnings\*\* in \d+ skills and \d+ suites\n/);
  expect(JSON.parse(read("out/sarif")).runs[0].results).toHaveLength(all);
  expect(JSON.parse(read("out/gitlab"))).toHaveLength(all);
  expect(read("out/csv").trimEnd().split("\r\n")).toHaveLength(all + 1);
  // GitHub shows ten of a level, and would drop the others without a word.
  const commands = read("out/github").trimEnd().split("\n");
  for (const level of ["error", "warning", "notice"])
    expect(commands.filter((line) => line.startsWith(`::${level} `)).length).toBeLessThan(11);
  expect(read("out/github")).toMatch(/::warning title=proctor::… and \d+ more/);
});

test("what only shows runs is refused before anything is written; a reporter of one's own is asked for its check", async () => {
  expect(await check("--reporter", "json=out/early,otlp=out/late")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("otlp shows a run"),
  });
  expect(() => read("out/early")).toThrow(/ENOENT/);
  world.write(
    "proctor.config.mjs",
    'export default { reporters: [{ name: "mine", about: "", render: () => "", check: ({ problems }) => String(problems.length > 0) }] };\n',
  );
  expect((await check("--reporter", "mine")).stdout).toBe("true\n");
});

test("on standard output a table has plain line ends, and no mark where they were", async () => {
  const { stdout } = await check("--reporter", "csv");
  expect(stdout).toMatch(/^file,line,column,severity,code,message,fix\n/);
  expect(stdout).not.toMatch(/[\r␍]/);
});
