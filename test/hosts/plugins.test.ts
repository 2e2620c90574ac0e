import { describe, expect, test } from "vitest";
import { check } from "../../src/api/index.ts";
import { folderOf } from "../suites/library.ts";

/** Manifests as the hosts read them; compared by hand with `claude plugin validate` of Claude Code 2.1.325. */
const card = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: All about ${name}. Use when ${name} is asked for.\n${more}---\nBody.\n`;
const skill = (plugin: string, name: string) => ({ [`plugins/${plugin}/skills/${name}/SKILL.md`]: card(name) });
const json = (value: object) => JSON.stringify(value, null, 1);

async function told(files: Record<string, string>, hosts?: string[]) {
  const root = folderOf(files, []);
  const { problems } = await check({ cwd: root, env: {}, ...(hosts && { hosts }) });
  return problems
    .filter(({ code }) => code.startsWith("plugin/"))
    .map(({ code, severity, message, fix, location }) => {
      expect(fix, message).toMatch(/\S/);
      return `${location.file.slice(root.length + 1)}:${location.line} ${severity} ${code.slice("plugin/".length)}: ${message}`;
    });
}

test("a repository with a dozen faults: each is told with its place and a fix", async () => {
  const root = folderOf(
    {
      ".claude-plugin/marketplace.json": json({
        name: "shop",
        owner: {},
        plugins: [
          { name: "oops", source: "plugins/oops" },
          { name: "ghost", source: "./plugins/ghost" },
          { name: "vers", source: "./plugins/vers" },
        ],
      }),
      ".agents/plugins/marketplace.json": json({
        name: "shop",
        plugins: [
          { name: "oops", source: { source: "local", path: "./plugins/oops" } },
          { name: "other", source: "./plugins/vers" },
        ],
      }),
      ".claude-plugin/plugin.json": json({ name: "stray" }),
      "plugins/oops/.claude-plugin/plugin.json": json({ name: "oops", version: "0.1.0" }),
      "plugins/oops/hooks/hooks.json": json({ hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } }),
      "plugins/oops/skills/bad-skill/SKILL.md":
        "---\nname: wrong-name\ndescription: Handles refunds, returns and exchanges of parcels that our customers have bought in the shop, and writes the letters.\nlicense: MIT\n---\nBody.\n",
      "plugins/vers/.claude-plugin/plugin.json": json({ name: "vers", version: "0.1.0" }),
      "plugins/vers/.codex-plugin/plugin.json": json({ name: "vers", version: "0.2" }),
    },
    [],
  );
  const { problems } = await check({ cwd: root, env: {} });
  const found = problems.map(
    ({ code, location, fix }) =>
      `${location.file.slice(root.length + 1)}:${location.line ?? 1} ${code}${fix === undefined ? " without a fix" : ""}`,
  );
  expect(found).toEqual(
    expect.arrayContaining([
      ".claude-plugin/marketplace.json:3 plugin/marketplace", // no owner.name
      ".claude-plugin/marketplace.json:7 plugin/source", // does not begin with ./
      ".claude-plugin/marketplace.json:11 plugin/source", // a ghost
      ".agents/plugins/marketplace.json:3 plugin/manifests-differ", // lists other plugins
      ".claude-plugin/plugin.json:1 plugin/stray",
      "plugins/oops/.claude-plugin/plugin.json:1 plugin/manifests-differ", // not for Codex
      "plugins/oops/hooks/hooks.json:1 plugin/hooks", // read by both hosts
      "plugins/oops/skills/bad-skill/SKILL.md:2 skill/name-not-folder",
      "plugins/oops/skills/bad-skill/SKILL.md:3 skill/description-no-when",
      "plugins/vers/.codex-plugin/plugin.json:3 plugin/manifests-differ", // versions
      "plugins/vers/.codex-plugin/plugin.json:3 plugin/version", // 0.2
      "plugins/vers/.claude-plugin/plugin.json:1 plugin/ships-nothing",
    ]),
  );
});

test("a plugin and a marketplace in order have no problems", async () => {
  expect(
    await told({
      ".claude-plugin/marketplace.json": json({
        name: "shop",
        owner: { name: "Me" },
        plugins: [
          { name: "good", source: "./plugins/good" },
          { name: "far", source: { source: "github", repo: "a/b" } },
        ],
      }),
      "plugins/good/.claude-plugin/plugin.json": json({
        name: "good",
        version: "1.2.3-beta.1",
        description: "d",
        author: { name: "Me" },
        keywords: ["a"],
        skills: "./skills",
        hooks: "./hooks/own.json",
        mcpServers: { x: { command: "true" } },
      }),
      "plugins/good/hooks/own.json": json({ hooks: {} }),
      "plugins/good/agents/helper.md": "---\nname: helper\ndescription: >-\n  Helps.\n---\nBody\n",
      ...skill("good", "one"),
    }),
  ).toEqual([]);
});

describe("plugin.json", () => {
  const plugin = (manifest: object, files: Record<string, string> = {}) =>
    told({ ".claude-plugin/plugin.json": json(manifest), "skills/one/SKILL.md": card("one"), ...files });
  test.each<[string, object, RegExp]>([
    ["no name", { version: "1.0.0" }, /error name: .*no name/],
    ["a name with a space", { name: "My Plugin" }, /error name: "My Plugin"/],
    ["a name in capitals", { name: "MyPlugin" }, /warning name: "MyPlugin"/],
    ["an author that is a text", { name: "p", author: "me" }, /error field-type: author/],
    ["keywords that are a text", { name: "p", keywords: "a" }, /error field-type: keywords/],
    ["a version that is none", { name: "p", version: "1.x" }, /warning version: "1\.x"/],
    ["a path without ./", { name: "p", commands: "commands" }, /error path: commands: "commands" does not start/],
    ["a path that leads out", { name: "p", skills: ["./../x"] }, /error path: skills: .* leads out/],
    ["a path to nothing", { name: "p", agents: ["./agents/x.md"] }, /error path: agents: there is no/],
    ["servers in a file that is not there", { name: "p", mcpServers: "./mcp.json" }, /error path: mcpServers: .*skipped silently/],
    ["a misspelt field", { name: "p", descripton: "x" }, /warning ignored-field: .*"descripton"/],
    ["a field of the marketplace", { name: "p", category: "x" }, /warning ignored-field: "category" belongs/],
  ])("%s", async (_what, manifest, message) => {
    expect(await plugin(manifest)).toEqual([expect.stringMatching(message)]);
  });

  test("is not looked at in test data and examples, nor for hosts without plugins", async () => {
    const bad = json({ author: "x" });
    expect(
      await told({
        "test/fixtures/p/.claude-plugin/plugin.json": bad,
        "examples/p/.claude-plugin/plugin.json": bad,
        "skills/one/SKILL.md": card("one"),
      }),
    ).toEqual([]);
    expect(await told({ ".claude-plugin/plugin.json": bad, "skills/one/SKILL.md": card("one") }, ["gemini"])).toEqual([]);
  });
});

describe("hooks.json and agents", () => {
  const plugin = (files: Record<string, string>) =>
    told({ ".claude-plugin/plugin.json": json({ name: "p" }), "skills/one/SKILL.md": card("one"), ...files });
  const entry = [{ matcher: "Bash", hooks: [{ type: "command", command: "true" }] }];
  test.each<[string, object, RegExp]>([
    ["an event that does not exist", { hooks: { PreTooluse: entry } }, /no event "PreTooluse"/],
    ["an entry without its list", { hooks: { Stop: [{ type: "command", command: "x" }] } }, /no list `hooks`/],
    ["a type that does not exist", { hooks: { Stop: [{ hooks: [{ type: "comand", command: "x" }] }] } }, /type "comand"/],
    ["a hook without a command", { hooks: { Stop: [{ hooks: [{ type: "command" }] }] } }, /no command/],
    ["events at the top", { Stop: entry }, /no "hooks"/],
  ])("%s", async (_what, hooks, message) => {
    expect(await plugin({ "hooks/hooks.json": json(hooks) })).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    ["no frontmatter", "Just text\n", /no frontmatter/],
    ["no description", "---\nname: x\n---\nBody\n", /no description/],
  ])("an agent with %s", async (_what, text, message) => {
    expect(await plugin({ "agents/x.md": text, "agents/README.md": "Notes" })).toEqual([expect.stringMatching(message)]);
  });
});
