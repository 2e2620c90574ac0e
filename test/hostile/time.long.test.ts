import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeFileIn } from "../../src/base/index.ts";
import { loadConfig } from "../../src/base/options/index.ts";
import { Stops, TimeLimit } from "../../src/exam/grade/time-limit.ts";
import { parseDocument } from "../../src/formats/index.ts";
import { openedFiles } from "../../src/hosts/reading/opened-files.ts";
import { check } from "../../src/verbs/index.ts";
import { folderOf, readFolder } from "../formats/library.ts";
import { tempFolder } from "../record/sample.ts";
import { type DoorName, type House, openHouse } from "./doors.ts";
import { growthOf } from "./growth.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const trigger = (query: string) => JSON.stringify({ query, should_trigger: true });
const repeat = (text: string) => (n: number) => text.repeat(n);

/** Four times the input may be at most this much more work: between what is linear (4) and what is quadratic (16). */
const MOST = 9;

test("JSON Lines of many faults take time in proportion to their number", async () => {
  expect(await growthOf((n) => void parseDocument("a.jsonl", "---\n".repeat(n)), 5_000)).toBeLessThan(MOST);
});

test("the hooks of a plugin take time in proportion to their number", async () => {
  const root = tempFolder();
  const home = join(root, "p");
  const manifest = join(home, ".claude-plugin", "plugin.json");
  const put = async (n: number) => {
    const events = {
      hooks: {
        PreToolUse: Array.from({ length: n }, (_, at) => ({ hooks: [{ type: "command", command: `echo ${at}` }] })),
      },
    };
    writeFileIn(join(home, "hooks", "hooks.json"), JSON.stringify(events, null, 1));
    writeFileIn(manifest, '{"name":"p","version":"1.0.0"}');
    await check({ cwd: root, paths: [root] });
  };
  expect(await growthOf(put, 1_000)).toBeLessThan(MOST);
});

test.each<[string, DoorName, string, (n: number) => string, number]>([
  ["a heading with many blanks", "suites", "evals/order-status/triggers.md", (n) => `# a${" ".repeat(n)}b\n`, 20_000],
  [
    "a heading closed by many marks",
    "suites",
    "evals/order-status/triggers.md",
    (n) => `# ${"# ".repeat(n)}b\n`,
    20_000,
  ],
  [
    "a list item with many blanks",
    "suites",
    "evals/order-status/triggers.md",
    (n) => `## Should trigger\n- a${" ".repeat(n)}b\n`,
    20_000,
  ],
  [
    "a table row with many blanks",
    "suites",
    "evals/order-status/triggers.md",
    (n) => `## Should trigger\n| a |${" ".repeat(n)}b\n`,
    20_000,
  ],
  [
    "a list item of many lines",
    "suites",
    "evals/order-status/triggers.md",
    (n) => `## Should trigger\n- a\n${"  b\n".repeat(n)}`,
    4_000,
  ],
  [
    "many YAML aliases",
    "suites",
    "evals/order-status/triggers.yaml",
    (n) => `a: &a x\nb:\n${"  - *a\n".repeat(n)}`,
    4_000,
  ],
  [
    "many YAML anchors",
    "suites",
    "evals/order-status/triggers.yaml",
    (n) => `b:\n${Array.from({ length: n }, (_, i) => `  - &a${i} x\n  - *a${i}\n`).join("")}`,
    400,
  ],
  [
    "many equal questions",
    "suites",
    "evals/order-status/triggers.json",
    (n) => `[${new Array(n).fill(trigger("Where is it?")).join(",")}]`,
    400,
  ],
  [
    "a CSV of many columns",
    "suites",
    "evals/routing.csv",
    (n) => `query,${"a,".repeat(n)}b\nx,${"1,".repeat(n)}2\n`,
    20_000,
  ],
  ["a CSV of many quotes", "suites", "evals/routing.csv", (n) => `query,skill\n"${'""'.repeat(n)}",a\n`, 50_000],
  [
    "JSON of many brackets that break off",
    "suites",
    "evals/order-status/triggers.json",
    (n) => `${'{"a":1}\n'.repeat(n)}{`,
    5_000,
  ],
  [
    "YAML of many faults in a list",
    "suites",
    "evals/order-status/triggers.yaml",
    (n) => `tags: [a${'"b": {}'.repeat(n)}`,
    4_000,
  ],
  ["YAML of many faults", "suites", "evals/order-status/triggers.yaml", (n) => `a: &a}${"<<: *a".repeat(n)}`, 4_000],
  [
    "a configuration of many faults",
    "configurations",
    "proctor.config.yaml",
    (n) => `a: &a}${"<<: *a".repeat(n)}`,
    4_000,
  ],
  [
    "a description of many blanks",
    "skills",
    "SKILL.md",
    (n) => `---\nname: one\ndescription: "a${" ".repeat(n)}b"\n---\nx\n`,
    10_000,
  ],
  [
    "a description of many full stops",
    "skills",
    "SKILL.md",
    (n) => `---\nname: one\ndescription: "a${".".repeat(n)}b"\n---\nx\n`,
    10_000,
  ],
  [
    "a description of many quotes",
    "skills",
    "SKILL.md",
    (n) => `---\nname: one\ndescription: a${".''".repeat(n)}b\n---\nx\n`,
    5_000,
  ],
  [
    "a body of many blanks",
    "skills",
    "SKILL.md",
    (n) => `---\nname: one\ndescription: Does it\n---\n${" ".repeat(n)}x\n`,
    20_000,
  ],
  [
    "a body of many links",
    "skills",
    "SKILL.md",
    (n) => `---\nname: one\ndescription: Does it\n---\n${"[a](".repeat(n)}\n`,
    5_000,
  ],
  [
    "a body of many headings",
    "skills",
    "SKILL.md",
    (n) => `---\nname: one\ndescription: Does it\n---\n${"# a\n".repeat(n)}\n`,
    5_000,
  ],
  ["a reply of blanks", "replies", "reply", repeat(" "), 50_000],
  ["a reply of line ends", "replies", "reply", repeat("\n"), 50_000],
  ["a reply of decisions", "replies", "reply", repeat("DECISION=YES REASON=\n"), 5_000],
  ["a reply of brackets", "replies", "reply", repeat("{"), 20_000],
  ["a reply of words", "replies", "reply", repeat("word "), 10_000],
])("%s takes time in proportion to its length", async (_, name, kind, text, size) => {
  const door = house.doors.find((one) => one.name === name)!;
  expect(await growthOf((n) => door.put(text(n), kind), size)).toBeLessThan(MOST);
});

test.each(["{a", '{" "', "{a,b}", "$[", "$(", "<(", "`", "((", "cd a;", "a|", "\\\n", "<<A\n"])(
  "a shell command of many %j takes time in proportion to its length",
  async (part) => {
    expect(await growthOf(async (n) => void openedFiles(part.repeat(n), "/w")("/w/x"), 4_000)).toBeLessThan(MOST);
  },
);

test.each([
  ["loops in loops", "for f in {a,b} c d;do ".repeat(40)],
  [
    "loops over many, in each other",
    `for f in ${"x ".repeat(5_000)};do for g in ${"y ".repeat(5_000)};do cat $f/$g;done;done`,
  ],
  ["values that double", `x=aaaaaaaa;${"x=$x$x;".repeat(60)}cat $x`],
  ["lists that double", `x={a,b};${"x=$x$x,$x;".repeat(60)}cat ${"$x".repeat(200)}`],
  ["functions that call each other", "f(){ g a;g b; };g(){ f a;f b; };f"],
  ["scripts in scripts", `${"eval ".repeat(500)}"${"for f in 1 2 3;do ".repeat(100)}"`],
])("a shell command of %s ends soon", (_, command) => {
  const { user } = process.cpuUsage();
  openedFiles(`cat skills/one/SKILL.md; ${command}`, "/w");
  expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(5);
  const opens = openedFiles(`cat skills/one/SKILL.md; ${command}`, "/w");
  expect(opens("/w/skills/two/SKILL.md")).toBeUndefined();
});

test("a shell command nested deeper than the stack opens what it opens before that, and throws nothing", () => {
  for (const part of ["coproc ", "( ", "{ ", "if ", "$(", "! ", "case a in a) "])
    expect(openedFiles(`cat a.md; ${part.repeat(20_000)}`, "/w")("/w/b.md")).toBeUndefined();
  // What stands in data, and not in a path, does not hide what is opened.
  const json = `{"a":${'{"b":1},'.repeat(8_000)}`;
  expect(openedFiles(`cat <<A > x.json\n${json}\nA\ncat skills/one/SKILL.md`, "/w")("/w/skills/one/SKILL.md")).toBe(
    "path",
  );
});

test("400,000 columns are read, not a stack overflow", async () => {
  const root = folderOf({
    "evals/routing.csv": `query,should_trigger,skill,${"a,".repeat(400_000)}b\nWhere?,true,order-status\n`,
  });
  const { suites, problems } = await readFolder(root);
  expect([...problems, ...suites.flatMap((suite) => suite.problems)].map(({ message }) => message)).not.toContainEqual(
    expect.stringMatching(/stack|nested/),
  );
});

test.each([
  ["an alias that stands for nothing", "targets: [*none]\n", /proctor\.config\.yaml.*none/s],
  [
    "aliases that expand without end",
    `a: &a [x, x, x, x]\nb: &b [${"*a, ".repeat(40)}]\nc: [${"*b, ".repeat(40)}]\n`,
    /proctor\.config\.yaml/,
  ],
])("a configuration with %s is told as a fault of the file", async (_, text, message) => {
  const root = folderOf({});
  writeFileSync(join(root, "proctor.config.yaml"), text);
  await expect(loadConfig({ cwd: root, file: "proctor.config.yaml", env: {} })).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringMatching(message) as unknown as string,
  });
});

test("a time limit of a month does not fire at once", async () => {
  const limit = new TimeLimit(31 * 86_400_000, new Stops(new AbortController().signal));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(limit.reason).toBeUndefined();
  limit.clear();
});

test("a billion runs are a slip, wherever they are written", async () => {
  const { suites } = await readFolder(
    folderOf({
      "evals/order-status/triggers.yaml": "triggers:\n  - query: Where?\n    should_trigger: true\n    runs: 1e9\n",
    }),
  );
  expect(suites[0]).toMatchObject({
    problems: [
      { code: "suite/invalid", message: expect.stringContaining("10,000") as unknown as string, location: { line: 4 } },
    ],
  });
  expect(suites[0]?.triggers[0]?.runs).toBeUndefined();
  const root = folderOf({ "proctor.config.yaml": "runs: { triggers: 1000000000 }\n" });
  await expect(loadConfig({ cwd: root, env: {} })).rejects.toMatchObject({ name: "UsageError" });
});
