import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { discover } from "../../src/exam/find/index.ts";
import { importSuites, readSuites } from "../../src/exam/read/index.ts";
import { folderOf, readFolder, sentence } from "./library.ts";

/** Labels that live in test code: the code is read, never run. */
async function imported(path: string, code: string) {
  const root = folderOf({ [path]: code });
  const { libraries, files } = await discover({ cwd: root, root });
  const library = libraries[0]!;
  try {
    const { written, problems, changed } = await importSuites({ library, files, from: root, to: join(root, "native") });
    const { suites } = await readSuites({ library, files: written.map(({ file }) => file) });
    return {
      triggers: suites.flatMap(({ triggers }) => triggers.map(sentence)),
      told: problems.map(({ message }) => message),
      changed,
    };
  } finally {
    expect((await readSuites({ library, files })).suites).toEqual([]);
  }
}

const yes = "Where is my parcel?: +order-status";
const no = "Can I send it back?: -order-status";

describe("test code", () => {
  test.each<[string, string, string, string[]]>([
    [
      "lists that say what they are",
      "tests/order-status/triggers.test.ts",
      `const shouldTriggerPrompts: string[] = [\n  "Where is my parcel?", // plain\n];\nconst shouldNotTriggerPrompts = ['Can I send it back?'];\ntest.each(shouldTriggerPrompts)("%s", (p) => {});\n`,
      [yes, no],
    ],
    [
      "lists whose test says it",
      "tests/unit/triggers.test.js",
      `import { matcher } from "../lib";\nconst SKILL_NAME = "order-status";\nconst good = ["Where is " + "my parcel?"];\nconst bad = [\`Can I send it back?\`];\nfor (const p of good) it(p, () => { expect(matcher(p).triggered).toBe(true); });\nfor (const p of bad) it(p, () => { expect(matcher(p).triggered).toBe(false); });\n`,
      [yes, no],
    ],
    [
      "objects with a skill",
      "tests/routing.spec.ts",
      `const cases: Case[] = [\n  { prompt: "Where is my parcel?", expectedSkill: "order-status", run: () => 1 },\n  { prompt: "Wrap it", expectedSkill: null },\n] as const;\n`,
      ["Where is my parcel?: +order-status", "Wrap it: nobody"],
    ],
    [
      "a table of test.each",
      "tests/routing.test.ts",
      `describe("routing", () => { test.each([["Where is my parcel?", "order-status"], ["I want a refund", "refund-policy"]])("%s", async (p, s) => {}); });\n`,
      ["Where is my parcel?: +order-status", "I want a refund: +refund-policy"],
    ],
    [
      "pytest's lists and tuples",
      "tests/test_triggers.py",
      `SKILL_NAME = "order-status"\nSHOULD_TRIGGER = [\n    "Where is "\n    "my parcel?",  # two halves\n]\nSHOULD_NOT_TRIGGER = ("""Can I send it back?""",)\n`,
      [yes, no],
    ],
    [
      "pytest's parametrize",
      "tests/test_routing.py",
      `@pytest.mark.parametrize("prompt,expected", [("Where is my parcel?", "order-status"), ("Wrap it", "gift-wrap")])\ndef test_routing(prompt, expected):\n    assert route(prompt) == expected\n`,
      ["Where is my parcel?: +order-status", "Wrap it: +gift-wrap"],
    ],
  ])("%s", async (_what, path, code, wanted) => {
    const { triggers, told, changed } = await imported(path, code);
    expect(triggers.sort()).toEqual([...wanted].sort());
    expect([told, changed]).toEqual([[], []]);
  });

  test("what is computed is named, and the rest is taken", async () => {
    const { triggers, told } = await imported(
      "tests/order-status/triggers.test.ts",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is in the code that is read
      'const shouldTrigger = ["Where is my parcel?", make(), `For ${name}`, ...more];\n',
    );
    expect(triggers).toEqual([yes]);
    expect(told).toEqual([expect.stringMatching(/Some items of shouldTrigger are computed/)]);
  });

  test("a test about triggers in which nothing is found is named; other tests are nobody's business", async () => {
    const found = (path: string) =>
      imported(path, "test('x', () => expect(trigger(1)).toBe(2));\n").then(({ told }) => told);
    expect(await found("tests/triggers.test.ts")).toEqual([expect.stringMatching(/No prompt with a label/)]);
    expect(await found("tests/sum.test.ts")).toEqual([]);
  });

  test.each([
    "const a = [",
    "const a = {{{",
    "'''",
    '"\\',
    "x = [[[[",
    "const a = [}",
    "const a = {]",
    "const shouldTrigger = [(}]",
    "x = [,)",
    "`${",
    `const shouldTrigger = [${"[".repeat(5000)}`,
  ])("broken code stops nothing: %j", async (code) => {
    expect((await imported("tests/triggers.test.ts", `${code}\n// trigger`)).triggers).toEqual([]);
    expect((await imported("tests/test_triggers.py", `${code}\n# trigger`)).triggers).toEqual([]);
  });
});

const routes = ["Where is my parcel?: +order-status", "Wrap it up: +gift-wrap"];
const ask = 'const SKILL_NAME = "order-status";\n';

describe("by the syntax tree", () => {
  test.each<[string, string, string, string[]]>([
    [
      "a table in a template",
      "tests/routing.test.ts",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is in the code that is read
      'test.each`\n  prompt | skill\n  ${"Where is my parcel?"} | ${"order-status"}\n  ${"Wrap it up"} | ${"gift-wrap"}\n`("$prompt", ({ prompt, skill }) => { expect(route(prompt)).toBe(skill); });\n',
      routes,
    ],
    [
      "the same name in two blocks",
      "tests/triggers.test.ts",
      `${ask}describe("x", () => {\n  describe("a", () => { const prompts = ["Where is my parcel?"]; for (const p of prompts) it(p, async () => { const r = await run(p); expect(r.triggered).toBe(true); }); });\n  describe("b", () => { const prompts = ["Can I send it back?"]; for (const p of prompts) it(p, async () => { const r = await run(p); expect(r.triggered).not.toBe(true); }); });\n});\n`,
      [yes, no],
    ],
    [
      "lists in the calls, the skill in a title, the label in another",
      "tests/triggers.test.ts",
      'describe("order-status", () => {\n  describe("should trigger", () => { it.each(["Where is my parcel?"])("%s", (p) => check(p)); });\n  describe("should not trigger", () => { it.each(["Can I send it back?"])("%s", (p) => check(p)); });\n});\n',
      [yes, no],
    ],
    [
      "tuples with short names, and the skill in the call",
      "tests/triggers.test.ts",
      'const rows = [["Where is my parcel?", true], ["Can I send it back?", false]] as const;\ndescribe.each(rows)("%s", (p, e) => { it("x", () => expect(fires("order-status", p)).toBe(e)); });\n',
      [yes, no],
    ],
    [
      "constants for the names of skills",
      "tests/routing.test.ts",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is in the code that is read
      'const A = "order-status", B = "gift-wrap";\nexport const cases = [{ prompt: `Where is my ${"parcel"}?`, expectedSkill: A }, { prompt: "Wrap it" + " up", expectedSkill: B }] satisfies Case[];\n',
      routes,
    ],
    [
      "an object of skills",
      "tests/triggers.test.ts",
      'const cases = { "order-status": { positive: ["Where is my parcel?"], negative: ["Can I send it back?"] } };\nfor (const [skill, { positive, negative }] of Object.entries(cases)) check(skill, positive, negative);\n',
      [yes, no],
    ],
    [
      "a list without a name, objects in it",
      "tests/routing.test.ts",
      'for (const { prompt, skill } of [{ prompt: "Where is my parcel?", skill: "order-status" }, { prompt: "Wrap it up", skill: "gift-wrap" }]) it(prompt, () => {});\n',
      routes,
    ],
    [
      "a default export",
      "tests/routing.spec.js",
      'module.exports = [["Where is my parcel?", "order-status"], ["Wrap it up", "gift-wrap"]];\n',
      routes,
    ],
    [
      "a map",
      "tests/routing.spec.ts",
      'const wanted = new Map([["Where is my parcel?", "order-status"], ["Wrap it up", "gift-wrap"]]);\n',
      routes,
    ],
    [
      "forEach, and a frozen list",
      "tests/order-status/triggers.test.ts",
      '["Where is my parcel?"].forEach((p) => it(p, () => expect(triggers(p)).toBeTruthy()));\nconst negatives = Object.freeze(["Can I send it back?"]);\n',
      [yes, no],
    ],
    [
      "the data of an eval",
      "evals/routing.eval.ts",
      'evalite("routing", { data: async () => [{ input: "Where is my parcel?", expected: "order-status" }, { input: "Wrap it up", expected: "gift-wrap" }], task: (i) => i });\n',
      routes,
    ],
    [
      "tests with one prompt each",
      "tests/triggers.test.ts",
      'it("finds it", async () => { const r = await runAgent("Where is my parcel?"); expect(r.skills).toContain("order-status"); });\nit("leaves it", async () => { const r = await runAgent("Can I send it back?"); expect(r.skills).not.toContain("order-status"); });\n',
      [yes, no],
    ],
    [
      "pytest.param, with ids and marks",
      "tests/test_routing.py",
      '@pytest.mark.parametrize("p,s", [\n    pytest.param("Where is my parcel?", "order-status", id="plain"),\n    pytest.param("Wrap it up", "gift-wrap", id="wrap", marks=pytest.mark.slow),\n], ids=str)\ndef test_routing(p, s):\n    assert route(p) == s\n',
      routes,
    ],
    [
      "names in a list, the skill in the assertion",
      "tests/test_triggers.py",
      '@pytest.mark.parametrize(["prompt", "should_trigger"], [("Where is my parcel?", True), ("Can I send it back?", False)])\ndef test_it(prompt, should_trigger):\n    assert fires("order-status", prompt) is should_trigger\n',
      [yes, no],
    ],
    [
      "classes, keywords and dictionaries",
      "tests/test_routing.py",
      'CASES = [Case(prompt="Where is my parcel?", skill="order-status"), dict(prompt="Wrap it up", skill="gift-wrap")]\n',
      routes,
    ],
    [
      "a loop in a test case of unittest",
      "tests/test_routing.py",
      'class TestRouting(TestCase):\n    def test_all(self):\n        for prompt, expected in [("Where is my parcel?", "order-status"), ("Wrap it up", "gift-wrap")]:\n            self.assertEqual(route(prompt), expected)\n',
      routes,
    ],
    [
      "lists in a class, with a test for each",
      "tests/test_triggers.py",
      'class TestOrderStatus:\n    good = ["Where is my parcel?"]\n    bad = ["Can I send it back?"]\n\n    @pytest.mark.parametrize("p", good)\n    def test_good(self, p):\n        assert fires("order-status", p)\n\n    @pytest.mark.parametrize("p", bad)\n    def test_bad(self, p):\n        assert not fires("order-status", p)\n',
      [yes, no],
    ],
    [
      "what a reply must hold",
      "tests/test_triggers.py",
      'def test_good():\n    loaded = run("Where is my parcel?").skills\n    assert "order-status" in loaded\n\ndef test_bad():\n    assert "order-status" not in run("Can I send it back?").skills\n',
      [yes, no],
    ],
  ])("%s", async (_what, path, code, wanted) => {
    const { triggers, told, changed } = await imported(path, code);
    expect(triggers.sort()).toEqual([...wanted].sort());
    expect([told, changed]).toEqual([[], []]);
  });

  test.each([
    ["tests/prompts.ts", "tests/triggers.test.ts", 'import { GOOD as yes, BAD } from "./prompts.js";\n', "yes", "BAD"],
    ["tests/prompts.py", "tests/test_triggers.py", "from .prompts import GOOD, BAD\n", "GOOD", "BAD"],
    ["tests/data/prompts.py", "tests/test_triggers.py", "from tests.data.prompts import (GOOD, BAD)\n", "GOOD", "BAD"],
  ])("lists that are imported from %s", async (other, path, line, good, bad) => {
    const lists = 'GOOD = ["Where is my parcel?"]\nBAD = ["Can I send it back?"]\n';
    const isPython = path.endsWith(".py");
    const uses = isPython
      ? `for p in ${good}:\n    assert fires("order-status", p)\nfor p in ${bad}:\n    assert not fires("order-status", p)\n`
      : `for (const p of ${good}) expect(fires("order-status", p)).toBe(true);\nfor (const p of ${bad}) expect(fires("order-status", p)).toBe(false);\n`;
    const root = folderOf({
      [other]: isPython
        ? lists
        : lists
            .replaceAll(/^/gm, "export const ")
            .trimEnd()
            .replace(/export const $/, ""),
      [path]: line + uses,
    });
    const { libraries, files } = await discover({ cwd: root, root });
    const library = libraries[0]!;
    const { written } = await importSuites({ library, files, from: root, to: join(root, "native") });
    const { suites } = await readSuites({ library, files: written.map(({ file }) => file) });
    expect(suites.flatMap(({ triggers }) => triggers.map(sentence)).sort()).toEqual([no, yes].sort());
  });

  test.each([
    [
      "names of models",
      'test.each(["haiku", "sonnet"])("%s", (m) => expect(fires("order-status", m)).toBe(true)); // trigger\n',
    ],
    [
      "a test of something else",
      'test("should trigger the event", () => { emit("user clicked the big button"); expect(seen).toBe(1); });\n',
    ],
  ])("no prompts: %s", async (_what, code) => {
    expect((await imported("tests/order-status/triggers.test.ts", code)).triggers).toEqual([]);
    expect((await imported("tests/buttons.test.ts", code)).triggers).toEqual([]);
  });

  test("lists that double without end", async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `const a${at + 1} = [...a${at}, ...a${at}];`).join("\n");
    const { triggers } = await imported(
      "tests/order-status/triggers.test.ts",
      `const a0 = ["Where is my parcel?"];\n${lines}\nconst shouldTrigger = [...loop];\nconst loop = [...shouldTrigger];\n`,
    );
    expect(triggers).toEqual([]);
  });

  test("check and run name what only import can read, until it is there", async () => {
    const code = 'test.each(["Where is my parcel?"])("%s", (p) => expect(fires("order-status", p)).toBe(true));\n';
    const told = async (files: Record<string, string>) => {
      const { problems } = await readFolder(folderOf(files));
      return problems.filter(({ code }) => code === "suite/not-read").map(({ message, fix }) => `${message} ${fix}`);
    };
    expect(await told({ "tests/triggers.test.ts": code })).toEqual([
      "1 labelled prompt in this code is not asked: code is not run. proctor import tests/triggers.test.ts --to evals writes a suite of it.",
    ]);
    expect(
      await told({
        "tests/triggers.test.ts": code,
        "evals/order-status/triggers.json": '[{"query":"Where is my parcel?","should_trigger":true}]',
      }),
    ).toEqual([]);
  });
});

test.each([
  ["too long", `const x = [${'"Where is my parcel?", '.repeat(10_000)}];`],
  ["too broken", '"__proto__": {}'.repeat(6_000)],
])("code that is %s is named, and quickly passed over", async (_what, code) => {
  const { triggers, told } = await imported("tests/order-status/triggers.test.ts", `// order-status\n${code}`);
  expect(triggers).toEqual([]);
  expect(told).toContain("This code is too long, too broken or too deeply nested to be read.");
});
