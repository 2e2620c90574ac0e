import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Ask, Library, TrialEvent } from "../../src/model/index.ts";
import { skillText } from "../find/tree.ts";

// All that adding a host takes beside its folder: a line in the list. Everything is loaded anew, with that line and afterwards without it.
vi.resetModules();
vi.doMock("../../src/hosts/list.ts", async (original) => {
  const [{ hosts }, { acme }] = await Promise.all([
    original<typeof import("../../src/hosts/list.ts")>(),
    import("./acme/index.ts"),
  ]);
  return { hosts: [...hosts, acme] };
});
const { program } = await import("../../src/cli/program.ts");
const { RUN_HELP } = await import("../../src/cli/asking/help.ts");
const { cardOnHost, listing, longestDescription } = await import("../../src/hosts/index.ts");
const { checkSkills } = await import("../../src/check/index.ts");
const { discover } = await import("../../src/exam/find/index.ts");
const { loadAgents, resolveTarget, targetKinds } = await import("../../src/targets/index.ts");
afterAll(() => {
  vi.doUnmock("../../src/hosts/list.ts");
  vi.resetModules();
});

/** A CLI that uses the skills its prompt names. */
const script = `#!${process.execPath}
const { existsSync, readFileSync } = require("node:fs");
if (process.argv[2] === "--version") { console.log("acme 1.2.3"); process.exit(0); }
const prompt = readFileSync(0, "utf8");
const ok = (skill) => existsSync(".acme/skills/" + skill + "/SKILL.md") && process.env.ACME_KEY === "k";
const uses = [...prompt.matchAll(/(?:skill "|use )([a-z-]+)/g)].map(([, skill]) => ({ skill, ok: ok(skill) }));
console.log(JSON.stringify({ type: "turn", says: "Ready.", uses }));
console.log(JSON.stringify({ type: "turn", says: "Done." }));
console.log(JSON.stringify({ type: "bye" }));
`;

const root = mkdtempSync(join(tmpdir(), "add-a-host-"));
const bin = join(root, "bin");
let library: Library;

beforeAll(async () => {
  mkdirSync(bin);
  writeFileSync(join(bin, "acme"), script);
  chmodSync(join(bin, "acme"), 0o755);
  put(".acme/skills/boxes/SKILL.md", skillText("boxes").replace("---\n\n", "mood: bad\n---\n\n"));
  put(".acme/skills/lids/SKILL.md", `\uFEFF${skillText("lids")}`);
  put(".acme/skills/shop/tape/SKILL.md", skillText("tape"));
  put(".acme/skills/string/SKILL.md", skillText("string"));
  library = (await discover({ cwd: root, root })).libraries[0]!;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("discovery finds the skills in its folder", () => {
  expect(library.skills.map(({ id }) => id)).toEqual(["boxes", "lids", "string", "tape"]);
});

test("its own folder is searched like any other, not only for a skills folder in it", async () => {
  put("elsewhere/.acme/more/glue/SKILL.md", skillText("glue"));
  const elsewhere = join(root, "elsewhere");
  const { libraries } = await discover({ cwd: elsewhere, root: elsewhere });
  expect(libraries[0]!.skills.map(({ id }) => id)).toEqual(["glue"]);
});

test("check speaks of it: by default, by name, and by its own rules and fields", () => {
  const said = (hosts?: string[]) =>
    checkSkills(library, { hosts }).map(({ code, message }) => `${code.slice(6)} ${message}`);
  expect(said()).toEqual(
    expect.arrayContaining([
      "bom Codex, Gemini CLI and Acme CLI drop this skill: its file starts with a byte order mark. Claude Code, Copilot CLI and OpenCode load it.",
      "nested-folder The skill is in the group shop/. Acme CLI looks only one folder deep and does not find it.",
      "wrong-type Acme CLI wants a good mood.",
      expect.stringMatching(
        /^listing-budget With all 4 skills installed, Acme CLI shows the descriptions of 2 of 3 and only the names/,
      ),
    ]),
  );
  expect(said(["acme-cli"])).toContain("bom Acme CLI drops this skill: its file starts with a byte order mark.");
  expect(said(["acme-cli"]).join("\n")).not.toMatch(/Codex|unknown-key/);
});

test("its cards and its listing follow its rules, and see goes by them where there is no CLI", async () => {
  expect(cardOnHost(library.skills[0]!, "acme-cli")).toMatchObject({ status: "listed", name: "BOXES" });
  expect(listing(library, "acme-cli").entries.map(({ shown }) => shown)).toEqual(["whole", "whole", "bare", "absent"]);
  expect(longestDescription(library, "acme-cli")).toBe(0);
  const { seeSkills } = await loadAgents();
  const seen = await seeSkills("acme", library, { env: { PATH: join(root, "nowhere") } });
  expect(seen).toMatchObject({ host: "acme", title: "Acme CLI", computed: "not installed", model: "small" });
  expect(seen.entries.map(({ skill, shown }) => `${skill} ${shown}`)).toEqual([
    "boxes whole",
    "string whole",
    "tape bare",
    "lids absent",
  ]);
});

test("help, the kinds of targets and their errors name it", async () => {
  expect(targetKinds).toContainEqual(
    expect.objectContaining({ prefix: "acme", usage: "acme:MODEL", about: expect.stringContaining("Acme CLI") }),
  );
  expect(RUN_HELP).toMatch(/^ {2}qwen:MODEL,? acme:MODEL|^ {2}acme:MODEL {2,}the real CLI/m);
  const see = program().commands.find((command) => command.name() === "see")!;
  expect(see.registeredArguments[0]!.description).toMatch(/, qwen or acme$/);
  await expect(resolveTarget("acmee:small", context())).rejects.toMatchObject({
    hint: expect.stringContaining("Did you mean acme?"),
  });
  await expect(resolveTarget("judge:cli/nobody", context())).rejects.toMatchObject({
    hint: expect.stringContaining("cli/codex and cli/acme"),
  });
  await expect(resolveTarget("firstmove:acme:small", context())).rejects.toMatchObject({
    hint: expect.stringContaining("ACME_BASE_URL (and ACME_KEY)"),
  });
});

test("doctor surveys it", async () => {
  const { surveyAgents } = await loadAgents();
  const { agents } = await surveyAgents({ PATH: bin });
  expect(agents.at(-1)).toMatchObject({
    id: "acme",
    version: "1.2.3",
    tested: ["1.0.0", "1.9.0"],
    speaks: true,
    ready: "no",
  });
});

test("it is an agent target: canary, control and questions are put to its CLI", async () => {
  expect((await resolveTarget("acme:large", context())).id).toBe("acme:large");
  const { openAgent } = await loadAgents();
  const target = await openAgent("acme", "large", { ...context(), cacheDir: join(root, "cache") });
  expect(await target.identify()).toMatchObject({
    host: "acme",
    version: "1.2.3",
    provider: "acme-ai",
    model: "large",
  });
  const sitting = await target.open(library);
  const ask: Ask = {
    key: "1",
    library: library.name,
    kind: "trigger",
    prompt: "Please use boxes.",
    messages: [],
    files: [],
    limits: {},
  };
  const answer = await sitting.ask(ask, { run: 1, signal: new AbortController().signal, decided: () => false });
  const events: TrialEvent[] = [];
  for await (const event of answer.events) events.push(event);
  await answer.dispose();
  await sitting.close();
  expect(events.filter(({ type }) => type === "activation")).toEqual([
    { type: "activation", skill: "boxes", turn: 1, evidence: "loaded" },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "end", how: "completed" });
  expect(existsSync(answer.workspace!)).toBe(false);
  expect(existsSync(join(root, "cache/canary/acme-last.jsonl"))).toBe(true);
});

function context() {
  return { cwd: root, env: { PATH: `${bin}:${process.env["PATH"]}`, ACME_KEY: "k", HOME: root } };
}

function put(path: string, content: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), content);
}
