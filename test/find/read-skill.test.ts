import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "../../src/base/index.ts";
import { checkSkills } from "../../src/check/index.ts";
import { readSkill } from "../../src/exam/find/index.ts";
import type { Skill } from "../../src/model/index.ts";
import { tree } from "./tree.ts";

async function read(text: string | Uint8Array, folder = "sorter"): Promise<Skill> {
  return readSkill(join(tree({ [`${folder}/SKILL.md`]: text }), folder, "SKILL.md"));
}

function lint(skill: Skill) {
  return checkSkills({ root: skill.dir, name: "", skills: [skill], fingerprint: "", problems: [] });
}

function codes(skill: Skill): string[] {
  return skill.problems.map(({ code }) => code);
}

test.each([
  ["plain", "description: Sorts shelves.", "Sorts shelves."],
  ["plain over several lines", "description: Sorts\n  shelves.", "Sorts shelves."],
  ["double quotes with escapes", 'description: "Sorts: \\"all\\" shelves."', 'Sorts: "all" shelves.'],
  ["single quotes", "description: 'It''s: sorted'", "It's: sorted"],
  ["folded", "description: >-\n  Sorts\n  shelves.\n\n  And boxes.", "Sorts shelves.\nAnd boxes."],
  ["literal", "description: |\n  Sorts\n  shelves.", "Sorts\nshelves."],
  ["a comment after the value", "description: Sorts shelves. # really", "Sorts shelves."],
  ["a fence inside a literal", "description: |\n  a\n  ---\n  b", "a\n---\nb"],
])("a description is read as YAML means it: %s", async (_, yaml, expected) => {
  for (const newline of ["\n", "\r\n"]) {
    const skill = await read(`---\n# about\nname: sorter\n${yaml}\n---\nBody\n`.replaceAll("\n", newline));
    expect(skill.card.description).toBe(expected);
    expect(skill.name).toBe("sorter");
    expect(skill.body).toBe(`Body${newline}`);
    expect(skill.problems).toEqual([]);
  }
});

test("a BOM does not hide the frontmatter, and a name may be in any script", async () => {
  const skill = await read("\uFEFF---\nname: книга-учёта\ndescription: Ведёт учёт книг.\n---\nТекст\n", "книга-учёта");
  expect(skill).toMatchObject({
    name: "книга-учёта",
    card: { description: "Ведёт учёт книг." },
    problems: [],
    reading: { bom: true },
  });
});

test.each([
  ["in one line", "description: Handles refunds: when, how, for whom", "Handles refunds: when, how, for whom"],
  ["at the end", "description: Handles refunds:", "Handles refunds:"],
  ["with double quotes in it", 'description: Say "refund": it helps', 'Say "refund": it helps'],
  ["with both quotes in it", `description: Don't say "refund": it helps`, `Don't say "refund": it helps`],
  [
    "on a second line",
    "description: Handles refunds\n  and returns: all of them",
    "Handles refunds and returns: all of them",
  ],
])(
  "an unquoted colon is read as hosts do, and the edit that mends it changes nothing else: %s",
  async (_, yaml, description) => {
    const text = `---\nname: refunds # short\n${yaml}\nlicense: MIT\n---\nBody\n`;
    const skill = await read(text, "refunds");
    expect(skill.card.description).toBe(description);
    expect(skill.frontmatter["license"]).toBe("MIT");
    const repair = skill.reading!.repairs[0]!;
    expect(repair).toMatchObject({ field: "description", why: "colon" });
    expect(text[repair.place.start]).toBe(":");

    const { text: mended } = applyEdits(text, lint(skill));
    expect(mended.replace(/["']/g, "")).toBe(text.replace(/["']/g, ""));
    const again = await read(mended, "refunds");
    expect(again.reading!.repairs).toEqual([]);
    expect(again.frontmatter).toEqual(skill.frontmatter);
  },
);

test("other values that are not YAML are read as text too", async () => {
  const skill = await read("---\nname: todo\ndescription: [WIP] sorts @things\nmodel: @fast\n---\nBody\n", "todo");
  expect(skill.card.description).toBe("[WIP] sorts @things");
  expect(skill.reading!.repairs.map(({ field, why }) => [field, why])).toEqual([
    ["description", "other"],
    ["model", "other"],
  ]);
});

test("without a name, the folder names the skill", async () => {
  expect(await read("---\ndescription: Sorts shelves.\n---\nBody\n", "shelf-sorter")).toMatchObject({
    name: "shelf-sorter",
    id: "shelf-sorter",
  });
});

test.each([
  ["no frontmatter", "# Just text\n", "skill/no-frontmatter"],
  ["nothing at all", "", "skill/no-frontmatter"],
  ["no closing fence", "---\nname: a\ndescription: b\n", "skill/frontmatter-not-closed"],
  ["blank lines before it", "\n\n---\nname: a\ndescription: b\n---\nx", "skill/frontmatter-not-first"],
  ["a list", "---\n- a\n- b\n---\nx", "skill/invalid-frontmatter"],
  ["a tab for indentation", "---\nmetadata:\n\ta: [b\n---\nx", "skill/invalid-frontmatter"],
  ["a key twice", "---\nname: a\nname: b\n---\nx", "skill/invalid-frontmatter"],
  ["an alias bomb", `---\n${bomb()}\n---\nx`, "skill/invalid-frontmatter"],
  ["an anchor that holds itself", "---\na: &a [*a]\n---\nx", "skill/invalid-frontmatter"],
  ["brackets without end", `---\na: ${"[".repeat(60_000)}\n---\nx`, "skill/invalid-frontmatter"],
  ["nested lists without end", `---\n${"- ".repeat(60_000)}\n---\nx`, "skill/invalid-frontmatter"],
  ["a frontmatter of a megabyte", `---\na: ${"b".repeat(1_000_000)}\n---\nx`, "skill/invalid-frontmatter"],
  ["bytes that are not UTF-8", new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]), "skill/not-utf8"],
  ["UTF-16", new Uint8Array([0xff, 0xfe, 0x2d, 0x00]), "skill/not-utf8"],
  ["a file of 50 MB", new Uint8Array(50 * 1024 * 1024), "skill/not-readable"],
])("a bad file is a problem, not a crash: %s", async (_, content, code) => {
  const skill = await read(content, "bad");
  expect(codes(skill)).toEqual([code]);
  expect(lint(skill).map((problem) => problem.code)).toContain(code);
});

test("a folder called SKILL.md and a file that is not there are problems", async () => {
  const root = tree({ "a/x": "" });
  mkdirSync(join(root, "b/SKILL.md"), { recursive: true });
  expect(codes(await readSkill(join(root, "b/SKILL.md")))).toEqual(["skill/not-readable"]);
  expect(codes(await readSkill(join(root, "c/SKILL.md")))).toEqual(["skill/not-readable"]);
});

test.each([
  ["true", false],
  ["yes", false],
  ['"on"', false],
  ["1", false],
  ["false", true],
  ["maybe", true],
])("disable-model-invocation: %s makes modelInvocable %s", async (value, invocable) => {
  expect(
    (await read(`---\nname: sorter\ndescription: d\ndisable-model-invocation: ${value}\n---\nx`)).modelInvocable,
  ).toBe(invocable);
});

test("agents/openai.yaml is read along; a broken one is a problem of its own", async () => {
  const skill = "---\nname: a\ndescription: b\n---\nx";
  const good = tree({ "a/SKILL.md": skill, "a/agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n" });
  expect((await readSkill(join(good, "a/SKILL.md"))).reading!.openai).toEqual({
    policy: { allow_implicit_invocation: false },
  });
  const bad = tree({ "a/SKILL.md": skill, "a/agents/openai.yaml": "policy: {" });
  expect(lint(await readSkill(join(bad, "a/SKILL.md"))).map(({ code }) => code)).toContain("skill/openai-yaml");
});

test("a prompt folder gives its card from meta.yml", async () => {
  const root = tree({
    "prompts/tidy/meta.yml":
      "id: tidy-up\nsummary: Tidies code.\ntriggers:\n  - tidy this\nnot_for:\n  - explaining code\n",
    "prompts/tidy/prompt.xml": "<prompt>Tidy.</prompt>",
    "prompts/bare/meta.yml": "triggers: just one\n",
    "prompts/bare/prompt.xml": "<prompt/>",
  });
  expect(await readSkill(join(root, "prompts/tidy/meta.yml"))).toMatchObject({
    id: "tidy-up",
    source: { kind: "eva" },
    card: { name: "tidy-up", description: "Tidies code.", triggers: ["tidy this"], notFor: ["explaining code"] },
    body: "<prompt>Tidy.</prompt>",
    problems: [],
  });
  const bare = await readSkill(join(root, "prompts/bare/meta.yml"));
  expect(bare).toMatchObject({ name: "bare", card: { triggers: ["just one"] } });
  expect(codes(bare)).toEqual(["skill/eva-meta"]);
});

test("no bytes make reading or checking throw", async () => {
  const root = mkdtempSync(join(tmpdir(), "proctor-bytes-"));
  try {
    const file = join(root, "SKILL.md");
    const piece = fc.oneof(
      fc.constantFrom(
        "---\n",
        "---",
        "\r\n",
        "\n",
        ": ",
        "- ",
        "? ",
        "[",
        "]",
        "{",
        "}",
        "&a ",
        "*a",
        "!!x ",
        "|",
        ">",
        "'",
        '"',
        "#",
        "\t",
        "%",
        "@",
      ),
      fc.constantFrom("name: x\n", "description: y", "\uFEFF", "<<: *a", "__proto__: 1\n", "](../../x.md)", "```\n"),
      fc.string({ maxLength: 8 }),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc
        .array(piece, { maxLength: 24 })
        .map((pieces) => Buffer.from(`---\n${pieces.join("")}\n---\n${pieces.join("")}`)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        writeFileSync(file, content);
        const skill = await readSkill(file);
        const problems = lint(skill);
        for (const { location } of problems) expect(location.file.startsWith(root)).toBe(true);
        for (const { edits = [] } of problems)
          for (const edit of edits) expect(edit.end).toBeLessThanOrEqual(skill.reading!.text.length);
      }),
      { numRuns: 400 },
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});

function bomb(): string {
  const levels = "abcdefgh".split("");
  const refs = (name: string) => Array(9).fill(`*${name}`).join(",");
  return levels.map((name, index) => `${name}: &${name} [${index === 0 ? "1" : refs(levels[index - 1]!)}]`).join("\n");
}
