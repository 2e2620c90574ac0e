import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { discover } from "../../src/skills/index.ts";
import { importSuites, readSuites } from "../../src/suites/index.ts";
import { folderOf, sentence } from "./library.ts";

/** Labels that live in test code: the code is read, never run. */
async function imported(path: string, code: string) {
  const root = folderOf({ [path]: code });
  const { libraries, files } = await discover({ cwd: root, root });
  const library = libraries[0]!;
  try {
    const { written, problems, changed } = await importSuites({ library, files, from: root, to: join(root, "native") });
    const { suites } = await readSuites({ library, files: written.map(({ file }) => file) });
    return { triggers: suites.flatMap(({ triggers }) => triggers.map(sentence)), told: problems.map(({ message }) => message), changed };
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
    expect(told).toEqual([expect.stringMatching(/shouldTrigger has items that are computed/)]);
  });

  test("a test about triggers in which nothing is found is named; other tests are nobody's business", async () => {
    const found = (path: string) => imported(path, "test('x', () => expect(trigger(1)).toBe(2));\n").then(({ told }) => told);
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
