import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { seeText } from "../../../../src/reporters/index.ts";
import { loadAgents, type Seen } from "../../../../src/targets/index.ts";
import { found, writeSkill } from "../../../agents/library.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "see-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("shows each description whole or not at all, the budget by which that is so, the text itself, and what would fit", async () => {
  for (let at = 0; at < 40; at++) writeSkill(root, `skill-${10 + at}`, `About ${at}. ${"Words ".repeat(50)}end.`);
  const seen = await look({ lines: claudeLines(8_000), model: "claude-sonnet-4-5" });
  expect(seen).toMatchObject({ version: "2.1.325", requestModel: "claude-sonnet-4-5", budget: { characters: 8_000 } });
  expect(count(seen, "whole")).toBe(23);
  expect(count(seen, "bare")).toBe(17);
  expect(seen.text).toContain(
    "The following skills are available for use with the Skill tool:\n\n- skill-10: About 0. Words",
  );
  expect(seen.text!.split("\n").at(-1)).toBe("- skill-49");
  expect(seen.entries[0]).toMatchObject({ skill: "skill-10", text: expect.stringContaining("About 0.") });
  expect(seen.longest).toBeGreaterThan(150);
  expect(seen.elsewhere).toEqual([{ model: "claude-opus-5-5", characters: 30_000, whole: 40, cut: 0, bare: 0 }]);

  for (let at = 0; at < 40; at++)
    writeSkill(root, `skill-${10 + at}`, `About ${at}. ${"Words ".repeat(50)}end.`.slice(0, seen.longest!).trim());
  const again = await look({ lines: claudeLines(8_000), model: "claude-sonnet-4-5" });
  expect(count(again, "whole")).toBe(40);
  expect(again.longest).toBeUndefined();
  expect(again.elsewhere).toEqual([]);
});

test("where the rules do not lead to what is seen, no budget is told and no length is promised", async () => {
  for (let at = 0; at < 40; at++) writeSkill(root, `skill-${10 + at}`, `About ${at}. ${"Words ".repeat(50)}end.`);
  const seen = await look({ lines: claudeLines(5_000), model: "claude-sonnet-4-5" });
  expect(seen.budget).toBeUndefined();
  expect(seen.longest).toBeUndefined();
  expect(seeText({ library: "mine", seen, command: "proctor see claude" }, 100)).toContain(
    "does not follow from the rules",
  );
});

test("a model that nobody knows is said to be one", async () => {
  writeSkill(root, "alpha", "Draws charts.");
  const seen = await look({ lines: claudeLines(8_000), model: "bogus" });
  expect(seen.unknownModel).toBe(true);
  expect(seeText({ library: "mine", seen, command: "proctor see claude" }, 100)).toContain(
    "Proctor does not know the model bogus",
  );
  expect(
    (await look({ lines: claudeLines(8_000), model: "haiku", sends: "claude-haiku-4-5" })).unknownModel,
  ).toBeUndefined();
});

test.each([
  [
    "does not run",
    'console.error("postinstall script was not run"); process.exit(1);',
    /^installed, but it asked its model nothing.*postinstall/,
  ],
  ["asks without a listing", "ask([]);", /no listing in its first request/],
])("a CLI that %s: the same is worked out from its rules, with the reason", async (_, body, why) => {
  writeSkill(root, "alpha", "Draws charts.");
  const seen = await look({ body, model: "sonnet" });
  expect(seen.computed).toMatch(why);
  expect(seen.version).toBe("2.1.325");
  expect(seen.entries).toMatchObject([{ skill: "alpha", shown: "whole" }]);
  expect(seeText({ library: "mine", seen, command: "proctor see claude" }, 100)).toMatch(
    /worked out from its rules, not seen/,
  );
});

test("of two skills with one name, the one that is not listed is said to be so", async () => {
  writeTwins();
  const lines = `["<available_skills>", ...skills.filter((name) => name !== "twin-b").map((name) => "<skill><name>twin</name><description>" + about(name) + "</description></skill>"), "</available_skills>"].join("\\n")`;
  const { seeSkills } = await loadAgents();
  const seen = await seeSkills("copilot", await found(root), {
    env: { PATH: process.env["PATH"], PROCTOR_COPILOT_PATH: copilot(lines) },
    cacheDir: join(root, "cache"),
  });
  expect(seen.entries.map(({ skill, shown, why }) => [skill, shown, why])).toEqual([
    ["skills/twin-a", "whole", undefined],
    ["skills/twin-b", "absent", "skills/twin-a has the same name, and only that one is listed"],
  ]);
});

test("says what it starts before it starts it", async () => {
  writeSkill(root, "alpha", "Draws charts.");
  const started: string[] = [];
  await look({ lines: claudeLines(8_000), model: "sonnet", starting: (cli) => started.push(cli) });
  expect(started).toEqual(["Claude Code 2.1.325"]);
});

test.each([60, 80, 120])("with many skills the screen fits %i columns, and says how to see the rest", (width) => {
  const entries = Array.from({ length: 200 }, (_, at) => ({
    skill: `a-skill-number-${at}`,
    shown: at < 60 ? ("whole" as const) : ("bare" as const),
    characters: 0,
    of: 400,
  }));
  const off = Array.from({ length: 9 }, (_, at) => ({
    skill: `off-${at}`,
    shown: "absent" as const,
    characters: 0,
    of: 40,
    why: at < 7 ? "disable-model-invocation" : "it has no description",
  }));
  const seen: Seen = {
    host: "claude",
    title: "Claude Code",
    version: "2.1.325",
    model: "sonnet",
    characters: 29_900,
    bundledCharacters: 0,
    longest: 120,
    elsewhere: [{ model: "claude-sonnet-4-5", characters: 8_000, whole: 17, cut: 0, bare: 183 }],
    budget: { characters: 30_000, how: "1 % of a window of 1M tokens" },
    entries: [...entries, ...off],
    bundled: [],
  };
  const lines = seeText({ library: "mine", seen, command: "proctor see claude" }, width).trimEnd().split("\n");
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
  expect(lines.length).toBeLessThan(32);
  expect(lines.filter((line) => line.includes("more: --json lists all")).length).toBe(2);
  const text = lines.join(" ").replace(/\s+/g, " ");
  expect(text).toContain(
    "off-0, off-1, off-2, off-3, off-4, off-5, off-6 (disable-model-invocation), off-7, off-8 (it has no description)",
  );
  expect(text).toContain(
    "With no description longer than 120 characters, all would be shown whole; or split the library.",
  );
  expect(text).toContain(
    "On claude-sonnet-4-5 (8,000 characters): 17 whole, 183 bare names. proctor see claude --model claude-sonnet-4-5",
  );
});

function count({ entries }: Seen, shown: string): number {
  return entries.filter((entry) => entry.shown === shown).length;
}

/** Claude Code's listing: names always, descriptions while they fit. */
function claudeLines(budget: number): string {
  return `(() => {
    let used = skills.reduce((sum, name) => sum + name.length + 3, -1);
    return skills.map((name) => {
      const text = ": " + about(name);
      if (used + text.length > ${budget}) return "- " + name;
      used += text.length;
      return "- " + name + text;
    });
  })()`;
}

interface Look {
  lines?: string;
  body?: string;
  model: string;
  sends?: string;
  starting?: (cli: string) => void;
}

/** Looks through a CLI that asks like Claude Code. */
async function look({ lines = "[]", body = `ask(${lines});`, model, sends = model, starting }: Look): Promise<Seen> {
  const file = join(root, `claude-${Math.random()}`);
  const ask = `const ask = (lines) => fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", body: JSON.stringify({ model: ${JSON.stringify(sends)}, stream: true, max_tokens: 9,
    messages: [{ role: "user", content: process.argv.at(-1) }, ...(lines.length > 0 ? [{ role: "user", content: "The following skills are available for use with the Skill tool:\\n\\n" + lines.join("\\n") + "\\n\\nToday is a day." }] : [])] }) }).then((r) => r.text());`;
  writeCli(file, "2.1.325", ".claude/skills", `${ask}\n${body}`);
  const { seeSkills } = await loadAgents();
  const env = { PATH: process.env["PATH"], PROCTOR_CLAUDE_PATH: file };
  return seeSkills("claude", await found(root), {
    env,
    model,
    hermetic: true,
    cacheDir: join(root, "cache"),
    ...(starting && { starting }),
  });
}

function copilot(lines: string): string {
  const file = join(root, "copilot");
  const ask = `fetch(process.env.COPILOT_PROVIDER_BASE_URL + "/chat/completions", { method: "POST", body: JSON.stringify({ model: "gpt-4.1", stream: true, messages: [{ role: "system", content: ${lines} }, { role: "user", content: fs.readFileSync(0, "utf8") }] }) }).then((r) => r.text());`;
  writeCli(file, "1.0.102", ".agents/skills", ask);
  return file;
}

function writeCli(file: string, version: string, dir: string, body: string): void {
  const script = `#!${process.execPath}
if (process.argv[2] === "--version") { console.log(${JSON.stringify(version)}); process.exit(0); }
const fs = require("node:fs");
const skills = fs.readdirSync(${JSON.stringify(dir)}).sort();
const about = (name) => /^description: (.*)$/m.exec(fs.readFileSync(${JSON.stringify(dir)} + "/" + name + "/SKILL.md", "utf8"))[1];
${body}
`;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
}

function writeTwins(): void {
  for (const letter of ["a", "b"]) {
    mkdirSync(join(root, "skills", `twin-${letter}`), { recursive: true });
    writeFileSync(
      join(root, "skills", `twin-${letter}`, "SKILL.md"),
      `---\nname: twin\ndescription: The twin ${letter}.\n---\nBody of twin ${letter}.\n`,
    );
  }
}
