import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { loadConfig } from "../../src/base/options/index.ts";
import { program } from "../../src/cli/program.ts";
import { graders } from "../../src/graders/index.ts";
import { startLoopback } from "../../src/loopback/index.ts";
import { skill } from "./route-world.ts";
import { proctor } from "./run-main.ts";

const root = join(import.meta.dirname, "..", "..");
let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "proctor-docs-")));
  await files({
    "proctor.config.yaml": "jobs: 2\n",
    "skills/order-status/SKILL.md": skill(
      "order-status",
      "Finds where a parcel is. Use when a customer asks where their order or parcel is.",
    ),
    "skills/refund-policy/SKILL.md": skill(
      "refund-policy",
      "Says what can be sent back. Use when a customer wants to return something.",
    ),
    "skills/shipping-address/SKILL.md": skill(
      "shipping-address",
      "Changes where a parcel goes. Use when a customer has moved house.",
    ),
    "skills/faq/SKILL.md": skill(
      "faq",
      "Answers what customers ask about opening hours. Use when somebody asks when the shop is open.",
    ),
  });
  process.chdir(folder);
});
afterEach(async () => {
  process.chdir(root);
  process.exitCode = undefined;
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

type Use = (example: string) => Promise<void>;

/** What is done with the examples of each page, in their order. */
const uses: Record<string, Use[]> = {
  "README.md": [asSuite("skills/refund-policy/evals/triggers.yaml")],
  "docs/suites.md": [
    asSuite("skills/order-status/evals/triggers.yaml", "files/order.txt"),
    asSuite("skills/order-status/evals/evals.json", "files/order-17.txt"),
  ],
  "docs/models.md": [asConfig("yaml"), asConfig("yaml")],
  "docs/check.md": [asConfig("yaml"), asCheckReport],
  "docs/run.md": [asConfig("ts"), asProgram],
  "docs/api.md": [asLibraryProgram, asConfig("ts")],
  "docs/agents.md": [asConfig("yaml"), asAgent],
  "docs/script-target.md": [asScript],
  "docs/cases.md": [asFirstCase, asFirstCases, asCase, asGrader],
  "docs/ci.md": [asWorkflow, asWorkflow, asWorkflow, asPipeline],
};

test("every example in YAML, JSON or TypeScript is used by a test", async () => {
  const found: Record<string, number> = {};
  for (const page of await pages()) {
    const { length } = examplesIn(await readFile(join(root, page), "utf8"));
    if (length > 0) found[page] = length;
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(uses).map(([page, all]) => [page, all.length])));
});

describe.each(Object.keys(uses))("the examples of %s work as printed", (page) => {
  test.each(uses[page]!.map((use, at) => [at + 1, use] as const))("example %i", async (at, use) => {
    await use(examplesIn(await readFile(join(root, page), "utf8"))[at - 1]!);
  });
});

interface Step {
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
}

/** A workflow of GitHub: what it gives our action is an input of the action. */
async function asWorkflow(example: string): Promise<void> {
  const { inputs } = parse(await readFile(join(root, "action.yml"), "utf8")) as { inputs: Record<string, unknown> };
  const { jobs } = parse(example) as { jobs: Record<string, { steps: Step[] }> };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  expect(steps.length).toBeGreaterThan(0);
  for (const { uses, with: given = {} } of steps)
    if (uses?.startsWith("proctor/")) expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  for (const { run = "" } of steps) expectCommands(run.split("\n"));
}

async function asPipeline(example: string): Promise<void> {
  const jobs = parse(example) as Record<string, { script: string[] }>;
  for (const { script } of Object.values(jobs)) expectCommands(script);
}

test("each recipe of docs/ci.md that needs no key has a gate that predictions can breach, so that it can fail", async () => {
  const keyless = examplesIn(await readFile(join(root, "docs/ci.md"), "utf8")).filter(
    (example) => !example.includes("_API_KEY"),
  );
  expect(keyless).toHaveLength(2);
  for (const example of keyless) {
    expect(example).toMatch(/change-gates: new-thefts<=0\n|proctor compare .*--gate 'new-thefts<=0'/);
    expect(example).toMatch(/allow-predicted: true\n|proctor compare .*--allow-predicted/);
  }
});

function expectCommands(lines: readonly string[]): void {
  for (const line of lines) {
    const [name, ...words] = /\bproctor (.+)$/.exec(line)?.[1]?.split(/\s+/) ?? [];
    if (name === undefined) continue;
    const command = program().commands.find((one) => one.name() === name);
    expect(command, line).toBeDefined();
    // `!`: it was just seen to be there.
    for (const word of words) if (word.startsWith("--")) expect(hasFlag(command!, word), line).toBe(true);
  }
}

test("every command in the documents exists, with every flag it is given", async () => {
  const wrong: string[] = [];
  for (const page of await pages()) {
    for (const line of commandsIn(await readFile(join(root, page), "utf8"))) {
      const [name, ...words] = line.split(/\s+/).slice(1);
      const found = program().commands.find((one) => one.name() === name);
      const command = found?.commands.find((one) => one.name() === words[0]) ?? found;
      if (command === undefined) wrong.push(`${page}: ${line}`);
      else
        for (const word of words)
          if (word.startsWith("-") && word !== "-" && !hasFlag(command, word)) wrong.push(`${page}: ${line}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("the screen in docs/route.md is what the example library gives", async () => {
  const page = await readFile(join(root, "docs/route.md"), "utf8");
  process.chdir(join(root, "examples/shop"));
  const { out } = await proctor("route", /^proctor route "(.+?)"/m.exec(page)![1]!);
  expect(out).toContain(/^```\n([\s\S]+?)^```/m.exec(page)![1]);
});

test("the table of graders in docs/suites.md has every grader with every field, and no other", async () => {
  const table = /\| grader \| its `config` \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(
    await readFile(join(root, "docs/suites.md"), "utf8"),
  )![1]!;
  const rows = table.trim().split("\n");
  const told = rows.map((row) => {
    const [, type = "", fields = ""] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return [type.replaceAll("`", ""), [...fields.matchAll(/`(\w+)/g)].map((match) => match[1])];
  });
  const real = graders.map(({ type, config }) => {
    const { properties } = z.toJSONSchema(config, { io: "input" }) as { properties: object };
    return [type, Object.keys(properties)];
  });
  expect(told).toEqual(real);
});

function asSuite(place: string, ...beside: string[]): Use {
  return async (example) => {
    const staged = Object.fromEntries(beside.map((file) => [join(dirname(place), file), "Order 17, late.\n"]));
    await files({
      [place]: example,
      ...staged,
      "answers.yaml": "default: { skills: [], text: Order 17 comes on Friday. }\n",
    });
    const { problems } = JSON.parse((await proctor("check", dirname(place), "--format", "json")).out);
    expect(
      problems.filter(
        ({ code, severity }: { code: string; severity: string }) => code.startsWith("suite/") && severity === "error",
      ),
    ).toEqual([]);
    const judge = await startLoopback({ yes: { steps: [{ text: "ID=S1 VERDICT=TRUE EVIDENCE=It does." }] } });
    try {
      vi.stubEnv("OLLAMA_BASE_URL", `${judge.url}/yes/v1`);
      const ran = await proctor("run", place, "-t", "script:answers.yaml", "--judge", "ollama/qwen3", "--no-cache");
      expect(ran.out).not.toMatch(/no verdict|not measured|invalid/);
      expect([0, 1]).toContain(ran.code);
    } finally {
      await judge.close();
    }
  };
}

function asConfig(kind: "yaml" | "ts"): Use {
  return async (example) => {
    await rm(join(folder, "proctor.config.yaml"));
    await files({ [`proctor.config.${kind}`]: example });
    expect((await loadConfig({ cwd: folder, env: {} })).config).toMatchObject({});
  };
}

async function asCheckReport(example: string): Promise<void> {
  await files({
    "skills/broken/SKILL.md": "---\nname: broken\ndescription: Breaks things: all of them, when asked\n---\nBody\n",
  });
  const { out } = await proctor("check", "skills/broken", "--format", "json");
  const [shown, real] = [JSON.parse(example), JSON.parse(out)];
  expect(Object.keys(shown)).toEqual(Object.keys(real));
  expect(Object.keys(shown.summary)).toEqual(Object.keys(real.summary));
  expect(Object.keys(real.problems[0])).toEqual(expect.arrayContaining(Object.keys(shown.problems[0])));
}

async function asProgram(example: string): Promise<void> {
  await files({
    "program.ts": ours(example).replace("path/to/library", folder),
    "skills/faq/evals/triggers.yaml": "triggers:\n  - { query: When are you open?, should_trigger: true }\n",
    "answers.yaml": "default: { skills: [faq] }\n",
  });
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await import(pathToFileURL(join(folder, "program.ts")).href);
    expect(log).toHaveBeenCalledWith(0, expect.stringMatching(/the only question passes/));
  } finally {
    log.mockRestore();
  }
}

/** The program has no loop over time or network: what it prints is known. */
async function asLibraryProgram(example: string): Promise<void> {
  await files({
    "program.ts": ours(example).replace("path/to/library", folder),
    "skills/faq/evals/triggers.yaml": `triggers:
  - { query: Is there a faq about opening hours?, should_trigger: true }
  - { query: When is the shop open?, should_trigger: true }
`,
  });
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await import(pathToFileURL(join(folder, "program.ts")).href);
    const lines = log.mock.calls.map(([line]) => String(line));
    expect(lines).toContainEqual(expect.stringMatching(/^embedded: 1 \[/));
    expect(lines).toContainEqual(expect.stringMatching(/^by-name: 0\.5 \[/));
    expect(lines).toContainEqual(expect.stringMatching(/When is the shop open\?: No skill was used/));
  } finally {
    log.mockRestore();
  }
}

async function asAgent(example: string): Promise<void> {
  await files({ "my-agent.ts": ours(example) });
  expect((await import(pathToFileURL(join(folder, "my-agent.ts")).href)).default).toMatchObject({
    id: "my-agent",
    keys: ["MY_AGENT_KEY"],
  });
}

async function asScript(example: string): Promise<void> {
  await files({
    "answers.yaml": example
      .replace("latency: [200, 900]", "latency: 0")
      .replace("3: { fault: hang }", "3: { fault: crash }"),
    "skills/order-status/evals/triggers.yaml": "triggers:\n  - { query: Where is my parcel?, should_trigger: true }\n",
  });
  const ran = await proctor("run", "-t", "script:answers.yaml");
  expect([ran.code, ran.err]).toEqual([0, ""]);
}

/** The steps of the first five minutes, on a target that answers from a file. */
async function asFirstCase(example: string): Promise<void> {
  const evals = "skills/letter-writer/evals/evals.json";
  await files({
    "skills/letter-writer/SKILL.md": skill(
      "letter-writer",
      "Writes letters to customers. Use when a customer needs an answer.",
    ),
    [evals]: example,
    "answers.yaml": "default: { text: We regret the delay. }\n",
  });
  expect((await proctor("check", "skills/letter-writer/evals")).out).toMatch(/^No problems/);
  const run = ["run", "-t", "script:answers.yaml", "--only", "cases"];
  expect((await proctor(...run, "--dry-run")).out).toContain("Nothing was asked");
  expect((await proctor(...run)).out).toMatch(/should pass its checks\s+"late-order"/);
  expect((await proctor("report", "--trials", "late-order")).out).toContain("✗ regex: nothing in the reply matches");
  await files({ [evals]: example.replace("sorry|apolog", "sorry|apolog|regret") });
  expect((await proctor("grade")).out).toContain("the only question passes");
}

/** On a target that answers once it is skipped, and says so; nothing is wrong with it. */
async function asFirstCases(example: string): Promise<void> {
  await files({
    "skills/letter-writer/SKILL.md": skill(
      "letter-writer",
      "Writes letters to customers. Use when a customer needs an answer.",
    ),
    "skills/letter-writer/evals/evals.json": example,
    "skills/letter-writer/evals/files/order-17.txt": "Order 17, Ada\n",
    "answers.yaml": 'default: { text: Done, files: { letter.txt: "Dear Ada,\\nSorry.\\n" } }\n',
  });
  expect((await proctor("check", "skills/letter-writer/evals")).out).toMatch(/^No problems/);
  const judge = await startLoopback({
    yes: { steps: [{ text: "ID=S1 VERDICT=TRUE EVIDENCE=Sorry\nID=S2 VERDICT=TRUE EVIDENCE=Dear Ada" }] },
  });
  try {
    vi.stubEnv("OLLAMA_BASE_URL", `${judge.url}/yes/v1`);
    const run = ["run", "-t", "script:answers.yaml", "--only", "cases", "--no-sandbox"];
    const judged = await proctor(...run, "--judge", "ollama/qwen3");
    expect(judged.out).toContain("both questions pass");
    expect(judged.out).toMatch(/not asked: 1 \(.*it answers once/);
    expect((await proctor(...run)).out.replace(/\s+/g, " ")).toContain("needs a judge, and none is set: --judge MODEL");
    const { out } = await proctor("report", "--trials", "late order");
    expect(out).toMatch(/✓ file_exists: letter\.txt exists\n.*✓ regex: .*\n.*✓ command: .*exited with 0/);
  } finally {
    await judge.close();
  }
}

async function asCase(example: string): Promise<void> {
  await files({ "skills/order-status/evals/evals.json": example, "answers.yaml": "default: { text: To Ada. }\n" });
  const { problems } = JSON.parse((await proctor("check", "skills/order-status", "--format", "json")).out);
  expect(problems.filter(({ severity }: { severity: string }) => severity === "error")).toEqual([]);
  expect(
    (await proctor("run", "skills/order-status", "-t", "script:answers.yaml", "--reporter", "json")).out,
  ).toContain("it answers once");
}

async function asGrader(example: string): Promise<void> {
  await rm(join(folder, "proctor.config.yaml"));
  expect(example.trim().split("\n").slice(3, -2).length).toBeLessThanOrEqual(20);
  const evals = [2, 1].map((lines) => ({
    id: `at-most-${lines}`,
    prompt: "Write it",
    assertions: [{ type: "shorter_than", path: "out.txt", lines }],
  }));
  await files({
    "proctor.config.ts": example,
    "skills/faq/evals/evals.json": JSON.stringify({ evals }),
    "answers.yaml": 'default: { text: Done, files: { out.txt: "one\\ntwo\\n" } }\n',
  });
  const ran = await proctor("run", "-t", "script:answers.yaml");
  expect(ran.out).toContain("out.txt has 2 lines, at most 1 are allowed");
  expect(ran.out).toContain("1 of 2 questions fail");
}

/** The package is what is in this checkout. */
function ours(example: string): string {
  return example.replace('from "proctor"', `from ${JSON.stringify(join(root, "src/index.ts"))}`);
}

async function pages(): Promise<string[]> {
  const names = await readdir(join(root, "docs"));
  return ["README.md", ...names.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];
}

function examplesIn(page: string): string[] {
  return [...page.matchAll(/^```(?:yaml|json|ts)\n(.*?)^```/gms)].map((match) => match[1]!);
}

/** Of shell blocks and indented lines, and what stands in backticks with a flag. */
function commandsIn(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].flatMap((match) => match[1]!.split("\n"));
  const indented = [...page.matchAll(/^ {4}(proctor .*)$/gm)].map((match) => match[1]!);
  const inline = [...page.matchAll(/`(?:npx )?(proctor [a-z]+ [^`]*)`/g)].map((match) => match[1]!);
  return [...blocks, ...indented, ...inline]
    .map((line) =>
      line
        .replace(/\s+#.*$/, "")
        .replace(/'[^']*'|"[^"]*"/g, "QUOTED")
        .replace(/\s*\|.*$/, "")
        .trim(),
    )
    .filter((line) => /^proctor [a-z]/.test(line));
}

function hasFlag(command: Command, word: string): boolean {
  const flag = word.split("=")[0]!.replace(/[\][,;:.)]+$/, "");
  return ["--help", ...command.options.flatMap(({ long, short }) => [long, short])].includes(flag);
}

async function files(contents: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
