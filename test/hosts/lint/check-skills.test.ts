import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyEdits, type Problem } from "../../../src/base/index.ts";
import { checkSkills, rules } from "../../../src/check/index.ts";
import { discover } from "../../../src/exam/find/index.ts";
import { frontmatterFields, type HostId } from "../../../src/hosts/index.ts";
import { skillText, tree } from "../../find/tree.ts";

const good = "Sorts boxes by size. Use when somebody asks to tidy boxes up.";

async function check(files: Parameters<typeof tree>[0], hosts?: HostId[]): Promise<Problem[]> {
  const root = tree(files);
  const { libraries } = await discover({ cwd: root, root });
  return libraries.flatMap((library) => checkSkills(library, hosts ? { hosts } : {}));
}

/** Problems of one skill `boxes` with this frontmatter. */
async function lint(
  frontmatter: string,
  { body = "Do it well.", hosts, folder = "boxes" }: { body?: string; hosts?: HostId[]; folder?: string } = {},
) {
  return check({ [`skills/${folder}/SKILL.md`]: `---\n${frontmatter}\n---\n${body}\n` }, hosts);
}

function seen(problems: Problem[]): string[] {
  return problems.map(({ code, severity }) => `${severity} ${code.slice("skill/".length)}`);
}

test("a good skill has no problems on any host", async () => {
  expect(await lint(`name: boxes\ndescription: ${good}\nlicense: MIT\nmetadata:\n  version: 1.0`)).toEqual([]);
});

test.each<[string, string, string[]]>([
  ["no name", `description: ${good}`, ["error name-missing"]],
  ["upper case", `name: Boxes\ndescription: ${good}`, ["error name-invalid"]],
  ["blanks", `name: my boxes\ndescription: ${good}`, ["error name-invalid"]],
  ["underscore", `name: my_boxes\ndescription: ${good}`, ["error name-invalid"]],
  ["hyphen at the end", `name: boxes-\ndescription: ${good}`, ["error name-invalid"]],
  ["two hyphens", `name: my--boxes\ndescription: ${good}`, ["error name-invalid"]],
  ["65 characters", `name: ${"b".repeat(65)}\ndescription: ${good}`, ["error name-invalid", "warning name-not-folder"]],
  ["another folder", `name: crates\ndescription: ${good}`, ["warning name-not-folder"]],
  ["a reserved word", `name: claude-boxes\ndescription: ${good}`, ["info name-reserved", "warning name-not-folder"]],
  ["no description", "name: boxes", ["error description-missing"]],
  ["an empty description", "name: boxes\ndescription:", ["error description-missing"]],
  ["a long description", `name: boxes\ndescription: Use when ${"d ".repeat(520)}`, ["error description-too-long"]],
  [
    "when_to_use beyond Claude Code's cap",
    `name: boxes\ndescription: ${good}\nwhen_to_use: ${"w ".repeat(800)}`,
    ["info extra-keys", "warning description-cut"],
  ],
  ["a vague description", "name: boxes\ndescription: Helps with boxes", ["warning description-vague"]],
  [
    "no word on when",
    "name: boxes\ndescription: Sorts the boxes of a shop by size and colour",
    ["info description-no-when"],
  ],
  ["tags", `name: boxes\ndescription: ${good} <b>Now</b>`, ["info description-tags"]],
  [
    "a comment in the description",
    "name: boxes\ndescription: Use when boxes are in C # and F",
    ["warning comment-cuts-value", "warning description-vague"],
  ],
  [
    "a mistyped key",
    `name: boxes\ndescription: ${good}\nallowed_tools: Read`,
    ["info extra-keys", "warning unknown-key"],
  ],
  [
    "a key by another word",
    `name: boxes\ndescription: ${good}\ntools: Read`,
    ["info extra-keys", "warning unknown-key"],
  ],
  ["a key of one's own", `name: boxes\ndescription: ${good}\nhomepage: x`, ["info extra-keys"]],
  ["a number for a name", `name: 42\ndescription: ${good}`, ["warning name-not-folder", "warning wrong-type"]],
  [
    "a list for a description",
    "name: boxes\ndescription:\n  - Sorts boxes by size when asked\n  - and colours",
    ["error wrong-type"],
  ],
  [
    "not a boolean",
    `name: boxes\ndescription: ${good}\ndisable-model-invocation: perhaps`,
    ["error wrong-type", "info extra-keys"],
  ],
  ["metadata that is no mapping", `name: boxes\ndescription: ${good}\nmetadata: x`, ["warning wrong-type"]],
  [
    "a long compatibility",
    `name: boxes\ndescription: ${good}\ncompatibility: ${"c".repeat(501)}`,
    ["error compatibility-too-long"],
  ],
  [
    "switched off for models",
    `name: boxes\ndescription: ${good}\ndisable-model-invocation: true`,
    ["info extra-keys", "info model-invocation-off"],
  ],
  ["gated by paths", `name: boxes\ndescription: ${good}\npaths: "**/*.ts"`, ["info extra-keys", "info paths-gated"]],
  [
    "hidden from the user",
    `name: boxes\ndescription: ${good}\nuser-invocable: false`,
    ["info extra-keys", "info hidden-from-user"],
  ],
  [
    "tools to be allowed",
    `name: boxes\ndescription: ${good}\nallowed-tools: Read Bash(git:*)`,
    ["info needs-permission"],
  ],
])("frontmatter with %s", async (_, frontmatter, expected) => {
  expect(seen(await lint(frontmatter)).sort()).toEqual(expected);
});

test("names in any script are fine, and so is a skill that is the root", async () => {
  expect(
    await lint("name: 箱子整理\ndescription: 按大小整理箱子。当有人要求整理箱子时使用。", { folder: "箱子整理" }),
  ).toEqual([]);
  expect(seen(await check({ "SKILL.md": skillText("boxes") }))).toEqual([]);
});

describe("what each host does", () => {
  const colon = `name: boxes\ndescription: Use when: boxes are untidy, or lids, or tape`;

  test("a quote that is not closed is shown where it is opened, and not mended by a guess", async () => {
    const problems = await lint(
      'name: boxes\ndescription: "Sorts boxes by size. Use when somebody asks to tidy boxes up.',
    );
    expect(problems).toMatchObject([
      {
        code: "skill/invalid-frontmatter",
        location: { line: 3, column: 14 },
        fix: "Close the quote where the description ends.",
      },
    ]);
    expect(problems[0]!.message).toContain('a quote (") is opened here and never closed');
    expect(problems[0]!.edits).toBeUndefined();
  });

  test("an unquoted colon: Copilot CLI drops the skill, the others load it, and --fix mends it", async () => {
    const text = `---\n${colon}\n---\nDo it.\n`;
    const [problem] = await lint(colon);
    expect(problem).toMatchObject({
      code: "skill/unquoted-colon",
      severity: "error",
      location: { line: 3, column: 22 },
      message:
        'Copilot CLI drops this skill silently: its description has an unquoted ": ". Claude Code, Codex, Gemini CLI and OpenCode load it.',
    });
    expect(applyEdits(text, [problem!]).text).toBe(text.replace(/Use when.*/, '"$&"'));
  });

  test.each<[HostId[], string[]]>([
    [["copilot"], ["error unquoted-colon"]],
    [["spec"], ["error unquoted-colon"]],
    [["claude-code"], ["warning unquoted-colon"]],
  ])("an unquoted colon for %j alone", async (hosts, expected) => {
    expect(seen(await lint(colon, { hosts }))).toEqual(expected);
  });

  test.each<[HostId[], string[], string]>([
    [
      ["opencode"],
      ["error invalid-frontmatter"],
      "OpenCode drops this skill silently: its description is not valid YAML",
    ],
    [["gemini"], ["warning invalid-frontmatter"], "This is not valid YAML: its description is not valid YAML"],
  ])("a value that is not YAML for %j alone", async (hosts, expected, said) => {
    const problems = await lint(
      'name: boxes\ndescription: "Sorts" boxes by size. Use when somebody asks to tidy boxes up.',
      { hosts },
    );
    expect(seen(problems)).toEqual(expected);
    expect(problems[0]!.message.startsWith(said), problems[0]!.message).toBe(true);
  });

  test("no frontmatter at all: who does what, of the hosts that are asked for", async () => {
    const said = async (hosts?: HostId[]) =>
      (await check({ "skills/boxes/SKILL.md": "Sort them." }, hosts))[0]!.message;
    expect(await said()).toBe(
      "SKILL.md has no frontmatter. Codex and Gemini CLI drop the skill. OpenCode does not list it. Claude Code and Copilot CLI show the first lines of the body instead.",
    );
    expect(await said(["codex"])).toBe("SKILL.md has no frontmatter. Codex drops the skill.");
  });

  test.each<[HostId[] | undefined, string[]]>([
    [undefined, ["error bom"]],
    [["gemini"], ["error bom"]],
    [["codex"], ["error bom"]],
    [["claude-code", "copilot", "opencode"], []],
  ])("a byte order mark for %j", async (hosts, expected) => {
    const text = `\uFEFF${skillText("boxes")}`;
    const problems = await check({ "skills/boxes/SKILL.md": text }, hosts);
    expect(seen(problems)).toEqual(expected);
    if (problems[0]) expect(applyEdits(text, problems).text).toBe(text.slice(1));
  });

  test.each<[HostId, string[]]>([
    ["spec", ["error description-too-long"]],
    ["copilot", ["error description-too-long"]],
    ["codex", ["error description-too-long"]],
    ["claude-code", []],
    ["gemini", []],
    ["opencode", []],
  ])("1,025 characters of description for %s", async (host, expected) => {
    const description = `Use when ${"d ".repeat(600)}`.slice(0, 1025).replace(/ $/, "d");
    expect(seen(await lint(`name: boxes\ndescription: ${description}`, { hosts: [host] }))).toEqual(expected);
    expect(seen(await lint(`name: boxes\ndescription: ${description.slice(1)}`, { hosts: [host] }))).toEqual([]);
  });

  test("a folder that is not the name: who calls it what", async () => {
    const [problem] = await lint(`name: crates\ndescription: ${good}`);
    expect(problem!.message).toBe(
      "The skill is called crates but is in the folder boxes/. Claude Code calls it boxes. Codex, Copilot CLI, Gemini CLI and OpenCode call it crates.",
    );
    expect(await lint(`name: crates\ndescription: ${good}`, { hosts: ["gemini"] })).toEqual([]);
  });

  test("claude.ai, asked for by name, refuses keys, names and tags", async () => {
    const frontmatter = `name: claude-boxes\ndescription: ${good} <b>x</b>\nuser-invocable: true`;
    expect(seen(await lint(frontmatter, { hosts: ["claude-ai"], folder: "claude-boxes" })).sort()).toEqual([
      "error description-tags",
      "error extra-keys",
      "error name-reserved",
    ]);
    expect(seen(await lint(frontmatter, { hosts: ["spec"], folder: "claude-boxes" }))).toEqual(["warning extra-keys"]);
    expect(seen(await lint(frontmatter, { hosts: ["codex"], folder: "claude-boxes" }))).toEqual([]);
  });

  test("a policy of Codex is a note", async () => {
    const files = {
      "skills/boxes/SKILL.md": skillText("boxes"),
      "skills/boxes/agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n",
    };
    expect(seen(await check(files))).toEqual(["info model-invocation-off"]);
    expect(seen(await check(files, ["gemini"]))).toEqual([]);
  });

  test("in a plugin Claude Code goes by the name too", async () => {
    const problems = await check({ "plugins/shop/skills/boxes/SKILL.md": skillText("crates") });
    expect(seen(problems)).toEqual(["info name-not-folder"]);
  });

  test.each<[string, string[]]>([
    [".claude/skills/shop/boxes", ["error nested-folder"]],
    [".agents/skills/shop/boxes", ["error nested-folder"]],
    [".github/skills/shop/boxes", []],
    [".claude/skills/boxes", []],
    ["skills/shop/boxes", []],
  ])("a skill in %s", async (folder, expected) => {
    expect(seen(await check({ [`${folder}/SKILL.md`]: skillText("boxes") }))).toEqual(expected);
  });

  test("a file in lower case", async () => {
    expect(seen(await check({ "skills/boxes/skill.md": skillText("boxes") }))).toEqual(["error file-name"]);
  });
});

describe("the body", () => {
  const frontmatter = `name: boxes\ndescription: ${good}`;

  test("an empty body and a long one", async () => {
    expect(seen(await lint(frontmatter, { body: " \n" }))).toEqual(["warning body-empty"]);
    expect(seen(await lint(frontmatter, { body: "x\n".repeat(501) }))).toEqual(["info body-long"]);
    expect(seen(await lint(frontmatter, { body: "x\n".repeat(1001) }))).toEqual(["warning body-long"]);
  });

  test("links to files that are not there are one problem, at the first of them", async () => {
    const body = [
      "See [sizes](references/sizes.md) and [there](references/there.md#part).",
      "",
      "And [colours](references/colours.md).",
    ].join("\n");
    const problems = await check({
      "skills/boxes/SKILL.md": `---\n${frontmatter}\n---\n${body}\n`,
      "skills/boxes/references/there.md": "",
    });
    expect(problems).toMatchObject([{ code: "skill/broken-link", location: { line: 5, column: 13 } }]);
    expect(problems[0]!.message).toContain("references/sizes.md, references/colours.md");
  });

  test.each([
    "```\n[a](missing.md)\n```",
    "~~~md\n[a](missing.md)\n~~~",
    "Write `[a](missing.md)` like this.",
    "[a](https://example.com/missing.md) [b](#part) [c](mailto:x@y.z) [d](/etc/missing.md)",
    "[text](url) [x]({path}.md) [y](<file>.md) [z](path/to/file.md)",
    "[up](../lids/SKILL.md)",
  ])("what is no broken link: %s", async (body) => {
    const files = {
      "skills/boxes/SKILL.md": `---\n${frontmatter}\n---\n${body}\n`,
      "skills/lids/SKILL.md": skillText("lids"),
    };
    expect(await check(files)).toEqual([]);
  });

  test("a link out of the root is broken, and nothing there is looked at", async () => {
    expect(
      seen(await lint(frontmatter, { body: "[x](../../../../../../../../../../etc/hosts.d/../passwd.md)" })),
    ).toEqual(["warning broken-link"]);
  });
});

test("quoting a number is a safe edit", async () => {
  const text = `---\nname: 42\ndescription: ${good}\n---\nDo it.\n`;
  const problems = await check({ "skills/42/SKILL.md": text });
  expect(seen(problems)).toEqual(["warning wrong-type"]);
  expect(applyEdits(text, problems).text).toBe(text.replace("42", '"42"'));
});

test("every code in the source is a rule, every rule is used, and its page bears its title", () => {
  const source = join(import.meta.dirname, "../../../src");
  const used = new Set<string>();
  for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    // Where a rule is declared, its severity follows.
    for (const [code] of readFileSync(join(source, file), "utf8").matchAll(
      /(?<=["`])(?:skill|plugin|suite)\/[a-z0-9-]+(?="(?!: \{ severity))/g,
    ))
      used.add(code);
  }
  expect([...used].sort()).toEqual(Object.keys(rules).sort());
  for (const [code, { title }] of Object.entries(rules)) {
    const page = readFileSync(
      join(import.meta.dirname, "../../../docs/rules", `${code.slice(code.indexOf("/") + 1)}.md`),
      "utf8",
    );
    expect(page.startsWith(`# ${title}\n\n\`${code}\``), code).toBe(true);
  }
});

test("every field says what it means for being triggered", () => {
  for (const [key, { triggering, readBy }] of Object.entries(frontmatterFields)) {
    expect(triggering, key).not.toBe("");
    expect(readBy.length, key).toBeGreaterThan(0);
  }
});
