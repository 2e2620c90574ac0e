import { describe, expect, test } from "vitest";
import { check } from "../../src/verbs/index.ts";
import { folderOf } from "../formats/library.ts";

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
        name: "Shop",
        owner: { name: "Me" },
        description: "d",
        plugins: [
          { name: "good", source: "./plugins/good", category: "shops", tags: ["a"], strict: true, relevance: {} },
          { name: "far", source: { source: "github", repo: "a/b", sha: "0123456789abcdef0123456789abcdef01234567" } },
          { name: "away", source: { source: "git-subdir", url: "https://example.com/a.git", path: "plugins/away" } },
          { name: "root", source: "." },
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
      "plugins/good/agents/README.md": "Notes",
      "plugins/good/commands/do.md": "---\ndescription: Does it.\nallowed-tools: [Bash]\n---\nDo it.\n",
      "plugins/good/.mcp.json": json({ mcpServers: { y: { type: "http", url: "https://example.com/mcp" } } }),
      "plugins/good/hooks/hooks.json": json({
        hooks: {
          Stop: [{ hooks: [{ type: "command", command: 'bash "$CLAUDE_PLUGIN_ROOT/x.sh"', timeout: 5 }] }],
          PreToolUse: [{ matcher: "Bash", hooks: [{ type: "http", url: "https://example.com" }] }],
        },
      }),
      ...skill("good", "one"),
    }),
  ).toEqual([]);
});

/** Beside the fault itself there is nothing to tell. */
const whole = { name: "p", version: "1.0.0", description: "d", author: { name: "Me" } };

describe("plugin.json", () => {
  const plugin = (manifest: object | string, files: Record<string, string> = {}) =>
    told({
      ".claude-plugin/plugin.json": typeof manifest === "string" ? manifest : json(manifest),
      "skills/one/SKILL.md": card("one"),
      ...files,
    });
  test.each<[string, object, RegExp]>([
    ["no name", { name: undefined }, /:1 error name: .*no name/],
    ["a name that is a number", { name: 3 }, /:2 error name: name must be a string/],
    ["a name with a space", { name: "My Plugin" }, /:2 error name: "My Plugin"/],
    ["a name in capitals", { name: "MyPlugin" }, /:2 warning name: "MyPlugin"/],
    ["a name of Anthropic's", { name: "claude-thing" }, /:2 warning name: "claude-thing" reads as/],
    ["a name that passes for official", { name: "my-claude-official" }, /:2 error name: .*passes for/],
    ["an author that is a text", { author: "me" }, /:5 error field-type: author must be an object with a name/],
    ["an author without a name", { author: { email: "a@b.c" } }, /:5 error field-type: author\.name is missing/],
    ["an author with an empty name", { author: { name: "" } }, /:6 error field-type: author\.name must be a name/],
    ["a version that is a number", { version: 1 }, /:3 error field-type: version must be a string/],
    ["a homepage that is no URL", { homepage: "nowhere" }, /:8 error field-type: homepage must be a URL/],
    ["a repository as in package.json", { repository: { url: "x" } }, /error field-type: repository must be a string/],
    ["keywords that are a text", { keywords: "a" }, /error field-type: keywords must be a list of strings/],
    ["keywords that are numbers", { keywords: ["a", 1] }, /:10 error field-type: keywords\.1 must be a string/],
    ["skills that are a number", { skills: 3 }, /error field-type: skills must be a path/],
    ["agents that are an object", { agents: {} }, /error field-type: agents must be a path/],
    ["hooks that are a number", { hooks: 3 }, /error field-type: hooks must be a path/],
    [
      "a command with neither source nor content",
      { commands: { c: {} } },
      /error field-type: commands\.c must be an object with either/,
    ],
    [
      "a setting without a title",
      { userConfig: { k: { type: "string", description: "d" } } },
      /userConfig\.k\.title is missing/,
    ],
    ["dependencies that are a text", { dependencies: "x" }, /error field-type: dependencies must be a list/],
    ["a switch that is a text", { defaultEnabled: "yes" }, /error field-type: defaultEnabled must be true or false/],
    ["a version that is none", { version: "1.x" }, /warning version: "1\.x"/],
    ["a path without ./", { commands: "commands" }, /error path: commands: "commands" does not start/],
    ["a path that leads out", { skills: ["./../x"] }, /:9 error path: skills: .* has "\.\." in it/],
    ["a path to nothing", { agents: ["./agents/x.md"] }, /error path: agents: there is no/],
    [
      "a command's source that is not there",
      { commands: { c: { source: "./c.md" } } },
      /error path: commands: there is no/,
    ],
    ["a folder of agents", { agents: "./agents" }, /error path: agents: "\.\/agents": an agent's file ends in \.md/],
    ["a skill's file instead of its folder", { skills: "./skills/one/SKILL.md" }, /error path: skills: .* is a file/],
    ["hooks in a script", { hooks: "./h.js" }, /error path: hooks: .*ends in \.json/],
    ["servers in a file that is not there", { mcpServers: "./mcp.json" }, /error path: mcpServers: .*skipped silently/],
    [
      "language servers in a file that is not there",
      { lspServers: "./l.json" },
      /error path: lspServers: .*reported as broken/,
    ],
    ["a theme that is not there", { experimental: { themes: "./t" } }, /error path: experimental\.themes: there is no/],
    [
      "a server without a command",
      { mcpServers: { s: {} } },
      /:9 error servers: MCP server s: it has no command\..*refuses the manifest/,
    ],
    [
      "a server with a URL and no type",
      { mcpServers: { s: { url: "https://x.y" } } },
      /error servers: MCP server s: it has no command/,
    ],
    ["a server of an unknown type", { mcpServers: { s: { type: "tcp" } } }, /:10 error servers: .*no type "tcp"/],
    [
      "a server whose arguments are a text",
      { mcpServers: { s: { command: "x", args: "y" } } },
      /error servers: .*args must be/,
    ],
    [
      "a server whose environment has a number",
      { mcpServers: { s: { command: "x", env: { A: 1 } } } },
      /error servers: .*env must be/,
    ],
    [
      "a language server without its languages",
      { lspServers: { go: { command: "x" } } },
      /error servers: .*no extensionToLanguage/,
    ],
    ["a misspelt field", { descripton: "x" }, /warning ignored-field: .*"descripton"/],
    ["a field of the marketplace", { category: "x" }, /warning ignored-field: "category" belongs/],
    ["another field of the marketplace", { relevance: {} }, /warning ignored-field: "relevance" belongs/],
    ["what is experimental", { themes: [] }, /warning ignored-field: "themes" belongs under/],
    ["engines that are no object", { engines: 3 }, /warning ignored-field: engines must be an object/],
    ["an event that does not exist, in the manifest", { hooks: { Stp: [] } }, /:9 warning hooks: .*no event "Stp"/],
    ["the same in a list", { hooks: [{ Stp: [] }] }, /:10 warning hooks: .*no event "Stp"/],
    ["events wrapped once more", { hooks: { hooks: { Stop: [] } } }, /:9 error hooks: "hooks" is no event/],
  ])("%s", async (_what, manifest, message) => {
    expect(await plugin({ ...whole, ...manifest })).toEqual([expect.stringMatching(message)]);
  });

  test("skills may be the plugin's own folder", async () => {
    expect(await plugin({ ...whole, skills: [".", "./"] })).toEqual([]);
  });

  test("without a version, a description and an author: three notes", async () => {
    expect(await plugin({ name: "p" })).toEqual(
      Array(3).fill(expect.stringMatching(/:1 info metadata: The manifest has no/)),
    );
  });

  test.each([
    ["a comma too many", '{\n "name": "p",\n}', "3:1", "property name expected"],
    ["a comment", '{\n // c\n "name": "p" }', "2:2", "invalid comment token"],
    ["no end", '{ "name": "p"', "1:14", "close brace expected"],
    ["nothing", "", "1:1", "empty"],
    ["a list", "[]", "1:1", "not an object"],
  ])("%s: an error at its place", async (_what, text, place, why) => {
    const root = folderOf(
      {
        ".claude-plugin/plugin.json": text,
        "skills/one/SKILL.md": card("one"),
        "fixtures/.claude-plugin/plugin.json": "{",
      },
      [],
    );
    const { problems } = await check({ cwd: root, env: {} });
    const found = problems.filter(({ code }) => code === "skill/plugin-manifest");
    expect(found.map(({ severity, location }) => `${severity} ${location.line}:${location.column}`)).toEqual([
      `error ${place}`,
    ]);
    expect(found[0]?.message).toContain(why);
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
    expect(await told({ ".claude-plugin/plugin.json": bad, "skills/one/SKILL.md": card("one") }, ["gemini"])).toEqual(
      [],
    );
  });
});

describe("marketplace.json", () => {
  const market = { name: "m", owner: { name: "Me" }, description: "d", plugins: [{ name: "a", source: "./a" }] };
  const shop = (value: object | string, files: Record<string, string> = {}) =>
    told({
      ".claude-plugin/marketplace.json": json(value as object),
      "a/.claude-plugin/plugin.json": json({ ...whole, name: "a" }),
      "a/skills/one/SKILL.md": card("one"),
      ...files,
    });
  test.each<[string, object, RegExp]>([
    ["no owner", { owner: undefined }, /:1 error marketplace: owner is missing/],
    ["an owner that is a text", { owner: "Me" }, /:3 error marketplace: owner must be an object/],
    ["an owner without a name", { owner: {} }, /:3 error marketplace: owner\.name is missing/],
    ["a name that is reserved", { name: "builtin" }, /:2 error name: .*reserves "builtin"/],
    ["no plugins", { plugins: undefined }, /:1 error marketplace: plugins is missing/],
    ["plugins that are an object", { plugins: {} }, /error marketplace: plugins must be a list/],
    ["a plugin that is a text", { plugins: ["a"] }, /error marketplace: plugins\.0 must be an object/],
    ["an empty list", { plugins: [] }, /warning marketplace: .*lists no plugins/],
    [
      "the same plugin twice",
      { plugins: [market.plugins[0], market.plugins[0]] },
      /:13 error marketplace: .*lists "a" twice/,
    ],
    ["metadata that are a text", { metadata: "x" }, /error marketplace: metadata must be an object/],
    ["a field that does not exist", { desciption: "x" }, /warning ignored-field: .*"desciption"/],
    ["no description", { description: undefined }, /info metadata: The marketplace has no description/],
    [
      "a folder that is not there below pluginRoot",
      { metadata: { pluginRoot: "./p" }, plugins: [{ name: "x", source: "x" }] },
      /error source: There is no folder x/,
    ],
  ])("%s", async (_what, more, message) => {
    expect(await shop({ ...market, ...more })).toEqual([expect.stringMatching(message)]);
  });

  test.each<[string, object, RegExp]>([
    [
      "no source",
      { source: undefined },
      /:9 error source: This entry has no source|:\d+ error source: This entry has no source/,
    ],
    ["a source that is a number", { source: 3 }, /error source: source must be a path or an object/],
    ["a folder that is not there", { source: "./b" }, /error source: There is no folder \.\/b/],
    ["a source that leads out", { source: "../a" }, /error source: "\.\.\/a" has "\.\."/],
    ["an absolute source", { source: "/a" }, /error source: "\/a" does not start/],
    [
      "a kind that does not exist",
      { source: { source: "gitlab", repo: "a/b" } },
      /error source: There is no kind of source "gitlab"/,
    ],
    [
      "github without a repository",
      { source: { source: "github" } },
      /error source: A source of kind github needs repo/,
    ],
    ["npm without a package", { source: { source: "npm" } }, /error source: A source of kind npm needs package/],
    ["a short commit", { source: { source: "github", repo: "a/b", sha: "abc" } }, /error source: sha must be/],
    [
      "another version than its own",
      { version: "2.0.0" },
      /warning manifests-differ: The version is "2\.0\.0" here and "1\.0\.0"/,
    ],
    ["another name than its own", { name: "b" }, /warning manifests-differ: The plugin is installed as "b"/],
    ["a version that is a number", { version: 2 }, /error field-type: version must be a string/],
    ["tags that are a text", { tags: "x" }, /error field-type: tags must be a list/],
    ["strict that is a text", { strict: "no" }, /error field-type: strict must be true or false/],
    ["a field that does not exist", { sorce: "x" }, /warning ignored-field: .*"sorce"/],
    ["a field of plugin.json alone", { icon: "./icon.svg" }, /warning ignored-field: .*"icon"/],
    ["commands without ./", { commands: "commands" }, /error path: commands: .*does not start/],
    [
      "an event that does not exist",
      { hooks: { Stp: [] } },
      /error hooks: .*no event "Stp"\. Claude Code refuses the marketplace/,
    ],
    ["a server without a command", { mcpServers: { s: {} } }, /error servers: .*refuses the marketplace/],
  ])("an entry with %s", async (_what, more, message) => {
    expect(await shop({ ...market, plugins: [{ ...market.plugins[0], ...more }] })).toEqual([
      expect.stringMatching(message),
    ]);
  });

  test("Anthropic's own may be called so", async () => {
    const plugins = [{ name: "claude-a", source: "./a" }];
    const files = { "a/.claude-plugin/plugin.json": json({ ...whole, name: "claude-a" }) };
    expect(await shop({ ...market, owner: { name: "Anthropic" }, plugins }, files)).toEqual([]);
    expect(await shop({ ...market, plugins }, files)).toEqual([
      expect.stringMatching(/a\/\.claude-plugin.*warning name: "claude-a"/),
    ]);
  });
});

describe("hooks, servers, agents and commands", () => {
  const plugin = (files: Record<string, string>, manifest: object = {}) =>
    told({
      ".claude-plugin/plugin.json": json({ ...whole, ...manifest }),
      "skills/one/SKILL.md": card("one"),
      ...files,
    });
  const entry = [{ matcher: "Bash", hooks: [{ type: "command", command: "true" }] }];
  const hook = (one: unknown, event = "Stop") => ({ hooks: { [event]: [{ hooks: [one] }] } });
  test.each<[string, object | string, RegExp]>([
    ["an event that does not exist", { hooks: { PreTooluse: entry } }, /:3 warning hooks: .*no event "PreTooluse"/],
    ["an event without a list", { hooks: { Stop: {} } }, /:3 warning hooks: The hooks of Stop must be a list/],
    [
      "an entry without its list",
      { hooks: { Stop: [{ type: "command", command: "x" }] } },
      /:4 warning hooks: .*no list `hooks`/,
    ],
    ["a type that does not exist", hook({ type: "comand", command: "x" }), /warning hooks: .*type "comand"/],
    ["a hook without a command", hook({ type: "command" }), /warning hooks: .*no command/],
    [
      "a command that is a list",
      hook({ type: "command", command: ["x"] }),
      /warning hooks: The command .*must be a string/,
    ],
    ["a prompt that is missing", hook({ type: "prompt" }), /warning hooks: .*no prompt/],
    ["a URL that is none", hook({ type: "http", url: "x" }), /warning hooks: "x" is not a URL/],
    ["a tool that is missing", hook({ type: "mcp_tool", server: "s" }), /warning hooks: .*no tool/],
    ["a timeout that is a text", hook({ type: "command", command: "x", timeout: "5" }), /warning hooks: The timeout/],
    ["arguments that are a text", hook({ type: "command", command: "x", args: "y" }), /warning hooks: The args/],
    [
      "a guard that cannot be loaded",
      hook({ type: "command" }, "PreToolUse"),
      /error hooks: .*applies none of the hooks beside it/,
    ],
    [
      "a matcher that is a number",
      { hooks: { PermissionRequest: [{ matcher: 3, hooks: [] }] } },
      /error hooks: The matcher/,
    ],
    [
      "a root without quotes",
      hook({ type: "command", command: "bash $CLAUDE_PLUGIN_ROOT/x.sh" }),
      /warning hooks: .*without quotes/,
    ],
    ["events at the top", { Stop: entry }, /:1 error hooks: This file has no "hooks"/],
    ["hooks in a list", { hooks: [] }, /:2 error hooks: hooks must be an object/],
    ["no JSON", "{\n nope", /:2 error hooks: The file cannot be read/],
  ])("%s", async (_what, hooks, message) => {
    const text = typeof hooks === "string" ? hooks : json(hooks);
    expect(await plugin({ "hooks/hooks.json": text })).toEqual([expect.stringMatching(message)]);
    expect(await plugin({ "own.json": text }, { hooks: "./own.json" })).toEqual([expect.stringMatching(message)]);
  });

  test.each<[string, object | string, RegExp]>([
    ["no JSON", "{ nope", /:1 error servers: The file cannot be read/],
    ["no command", { mcpServers: { s: {} } }, /:3 error servers: .*drops this server without a word/],
    ["no URL", { s: { type: "http" } }, /:2 error servers: .*no url/],
  ])("servers in a file with %s", async (_what, servers, message) => {
    const text = typeof servers === "string" ? servers : json(servers);
    expect(await plugin({ ".mcp.json": text })).toEqual([expect.stringMatching(message)]);
    expect(await plugin({ "own.json": text }, { mcpServers: "./own.json" })).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    ["no frontmatter", "Just text\n", /:1 warning agent: .*no frontmatter/],
    ["no description", "---\nname: x\n---\nBody\n", /:1 warning agent: .*no description/],
    ["an empty description", '---\nname: x\ndescription: ""\n---\nBody\n', /:3 warning agent: .*no description/],
    [
      "a list for a description",
      "---\nname: x\ndescription: [a, b]\n---\nBody\n",
      /:3 error agent: description must be text/,
    ],
    ["a number for a name", "---\nname: 3\ndescription: d\n---\nBody\n", /:2 error agent: name must be text/],
    [
      "a tab in its frontmatter",
      "---\nname: x\n\tdescription: d\n---\nBody\n",
      /error agent: The frontmatter cannot be read/,
    ],
  ])("an agent with %s", async (_what, text, message) => {
    expect(await plugin({ "agents/x.md": text, "agents/README.md": "Notes" })).toEqual([
      expect.stringMatching(message),
    ]);
    expect(await plugin({ "agents/deep/x.md": text })).toEqual([expect.stringMatching(message)]);
    expect(await plugin({ "helpers/x.md": text }, { agents: "./helpers/x.md" })).toEqual([
      expect.stringMatching(message),
    ]);
  });

  test("an agent whose description has a colon is read as Claude Code reads it", async () => {
    expect(await plugin({ "agents/x.md": "---\nname: x\ndescription: Use this: when asked\n---\nBody\n" })).toEqual([]);
  });

  test.each([
    ["no frontmatter", "Just text\n", /:1 info slash-command: .*no frontmatter/],
    [
      "tools in a mapping",
      "---\ndescription: d\nallowed-tools: {a: b}\n---\nBody\n",
      /:3 error slash-command: allowed-tools must be/,
    ],
  ])("a command with %s", async (_what, text, message) => {
    expect(await plugin({ "commands/x.md": text })).toEqual([expect.stringMatching(message)]);
  });
});

test("hooks in a list are told with their events", async () => {
  const hooks = [{ Stop: [{ hooks: [{ type: "command", command: "true" }] }] }];
  const root = folderOf(
    { ".claude-plugin/plugin.json": json({ ...whole, hooks }), "skills/one/SKILL.md": card("one") },
    [],
  );
  const { problems } = await check({ cwd: root, env: {} });
  expect(problems.filter(({ code }) => code === "skill/runs-commands").map(({ message }) => message)).toEqual([
    expect.stringMatching(/^A hook \(Stop\) runs/),
  ]);
});
