import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBundle } from "../../../../src/fleet/bundle/bundle.ts";
import { runTarget } from "../../../../src/fleet/coordinator/remote-target.ts";
import { contextNote, readContext } from "../../../../src/targets/agents/workspace/project-context.ts";
import { resolveTarget } from "../../../../src/targets/index.ts";
import { type RunResult, run } from "../../../../src/verbs/index.ts";
import { fakeAgent, saidByAgent } from "../../../fake-agent.ts";
import { readSat, World } from "../../../world.ts";

const world = new World();
/** It loads alpha unless the project's instructions tell it otherwise, and says what lies beside the skills. */
const cli = `
const told = fs.existsSync("AGENTS.md") ? fs.readFileSync("AGENTS.md", "utf8") : "";
say({ type: "text", text: process.argv[2] + " " + fs.readdirSync(".").sort().join(" ") });
if (!told.includes("never load skills")) { say({ type: "tool", id: "1", skill: "alpha" }); say({ type: "done", id: "1", ok: true }); }
`;

beforeAll(() => {
  world.skill("alpha", [{ query: "a chart of alpha", should_trigger: true }]);
  const args = '[trial.context ? "with" : "without"]';
  fakeAgent(world, cli, { args, members: 'contextFiles: ["AGENTS.md", "docs/RULES.md"],' });
  fakeAgent(world, cli, { args, file: "plain.mjs" });
  world.write("AGENTS.md", "In this project, never load skills.\n");
  world.write("CLAUDE.md", "Of another host.\n");
  world.write(".claude/settings.json", '{ "hooks": {} }');
});
afterAll(() => world.remove());

test("the project's instructions stay out of a trial, and come in when they are asked for", async () => {
  const [without, withThem] = [await examine(), await examine({ withContext: true })];
  const seen = async ({ record }: RunResult) => {
    const { scores, trials } = await readSat(record);
    expect(trials.flatMap(({ error }) => error ?? [])).toEqual([]);
    return { verdict: scores.targets[0]!.questions[0]!.verdict, note: scores.targets[0]!.note };
  };
  expect(await seen(without)).toEqual({ verdict: "pass", note: expect.not.stringContaining("AGENTS.md") });
  expect(await seen(withThem)).toEqual({
    verdict: "fail",
    note: expect.stringContaining("with the project's AGENTS.md"),
  });
});

test("only the files that the host reads are staged, without settings or another host's", async () => {
  expect(await saidByAgent(world, context({ with_context: true }))).toBe("with .git .skills AGENTS.md");
  expect(await saidByAgent(world, context({}))).toBe("without .git .skills");
  world.write("elsewhere/docs/RULES.md", "Rules.\n");
  expect(await saidByAgent(world, context({ with_context: "elsewhere" }))).toBe("with .git .skills docs");
});

test("answers with and without them are never mixed, nor those with other instructions", async () => {
  const cached = async (withContext: boolean) => {
    const { trials } = await readSat((await examine({ withContext })).record);
    return trials.every((trial) => trial.cached !== undefined);
  };
  await examine({ withContext: true });
  expect(await cached(true)).toBe(true);
  world.write("AGENTS.md", "In this project, never load skills. Never.\n");
  expect(await cached(true)).toBe(false);
  const { header } = await readSat((await examine({ withContext: true })).record);
  expect(header.targets[0]!.identity.options).toMatchObject({
    with_context: { "AGENTS.md": expect.stringMatching(/^[0-9a-f]{16}$/) },
  });
  expect(header.options).toMatchObject({ agentOptions: { with_context: true } });
});

test("a project without such a file is said to have none", async () => {
  const { note } = await resolveTarget("agent:fake.mjs", context({ with_context: "skills" }));
  expect(note).toContain("without instructions of the project, which has no AGENTS.md or docs/RULES.md");
});

test.each([
  [
    "an agent of which it is not known where it finds them",
    "agent:plain.mjs",
    { with_context: true },
    /Which file fake takes/,
  ],
  [
    "a first move",
    "firstmove:claude:haiku",
    { with_context: true },
    /cannot be asked with the project's own instructions/,
  ],
  [
    "a link that leads out of the project",
    "agent:fake.mjs",
    { with_context: "linked" },
    /AGENTS\.md cannot be read for --with-context/,
  ],
])("%s is refused before anything runs", async (_, target, options, message) => {
  world.write("linked/.keep", "");
  try {
    symlinkSync(join(world.dir, "AGENTS.md"), join(world.dir, "linked", "AGENTS.md"));
  } catch {
    // It is there from the row before.
  }
  await expect(resolveTarget(target, context(options))).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringMatching(message),
  });
});

test("what Claude Code's instructions import is read with them, as far as it lies in the project", () => {
  const content =
    "Follow @docs/rules.md, and @docs/rules.md again. Ask @alice.\n@~/.claude/own.md @../secret.md @out.md @.claude/settings.json @huge.md\n```\n@docs/shown.md\n```\nor `@docs/shown.md`\n";
  world.write("imports/CLAUDE.md", content);
  world.write("imports/docs/rules.md", "Rules, with @more/style.md.\n");
  world.write("imports/docs/more/style.md", "Style, by @../rules.md.\n");
  world.write("imports/docs/shown.md", "Only shown.\n");
  world.write("imports/.claude/settings.json", "{}");
  world.write("imports/huge.md", "x".repeat(1024 * 1024));
  world.write("secret.md", "Outside.\n");
  symlinkSync(join(world.dir, "secret.md"), join(world.dir, "imports/out.md"));
  const claude = { title: "Claude Code", contextFiles: ["CLAUDE.md", "AGENTS.md"], contextImports: true };
  const told = readContext(claude, join(world.dir, "imports"));
  expect(told.files.map(({ path }) => path)).toEqual(["CLAUDE.md", "docs/rules.md", "docs/more/style.md"]);
  expect(Object.keys(told.prints)).toEqual(told.files.map(({ path }) => path));
  expect(told.leftOut).toEqual(["~/.claude/own.md", "../secret.md", "out.md", ".claude/settings.json", "huge.md"]);
  expect(contextNote(told, claude)).toMatch(
    /with the project's CLAUDE\.md and docs\/rules\.md and .*, without what they import from elsewhere \(~/,
  );
  expect(readContext({ ...claude, contextImports: false }, join(world.dir, "imports")).files).toHaveLength(1);
});

test("workers get them with the target: the files of its host alone", async () => {
  const sent = await runTarget("claude:haiku", context({ with_context: true }));
  expect(sent.target.options).toMatchObject({ with_context: "context" });
  const files = await openBundle(sent.packed ?? Buffer.alloc(0), sent.target.files!);
  expect(files.map(({ path }) => path)).toEqual(["context/AGENTS.md", "context/CLAUDE.md"]);
});

function context(options: Record<string, unknown>) {
  return { cwd: world.dir, env: { PATH: process.env["PATH"] }, settings: { options: { canary: false, ...options } } };
}

async function examine(flags: { withContext?: boolean } = {}): Promise<RunResult> {
  const env = { PATH: process.env["PATH"] };
  const runs = await run({
    cwd: world.dir,
    targets: ["agent:fake.mjs"],
    agentOptions: { canary: false },
    runs: 1,
    env,
    config: {},
    ...flags,
  });
  return runs[0]!;
}
