import { chmodSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { renderTerminal } from "../../src/reporters/terminal/index.ts";
import { type RunOptions, type RunResult, run } from "../../src/verbs/index.ts";
import { runMain } from "../cli/run-main.ts";
import { fakeAgent } from "../fake-agent.ts";
import { readSat, type Sat, World } from "../world.ts";

/** Loads alpha if what it finds in its workspace is what the library had at the start. */
const cli = `
const read = (file) => fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
const good = ["SKILL.md", "references/steps.md"].every((name) => read(".skills/alpha/" + name).includes("GOOD"));
if (good && !read("data.txt").includes("BAD")) {
  say({ type: "tool", id: "1", skill: "alpha" });
  say({ type: "done", id: "1", ok: true });
}
`;

const QUESTIONS = 4;

let world: World;
beforeEach(() => {
  world = new World();
  write("GOOD");
  world.write("skills/beta/SKILL.md", "---\nname: beta\ndescription: Does the work of beta.\n---\nBody.\n");
  world.write("skills/alpha/evals/files/data.txt", "GOOD");
  world.write(
    "skills/alpha/evals/triggers.json",
    Array.from({ length: QUESTIONS }, (_, index) => ({
      query: `Question ${index}`,
      should_trigger: true,
      files: ["files/data.txt"],
    })),
  );
  fakeAgent(world, cli);
});
afterEach(() => world.remove());

function write(word: string): void {
  world.write("skills/alpha/SKILL.md", `---\nname: alpha\ndescription: Does the work of alpha.\n---\n${word}\n`);
  world.write("skills/alpha/references/steps.md", word);
}

/** Sits the exam, and edits once two trials have ended. */
async function examine(
  edit: () => void = () => {},
  agentOptions: RunOptions["agentOptions"] = { canary: false },
): Promise<{ result: RunResult; sat: Sat }> {
  let trials = 0;
  const on: RunOptions["on"] = (event) => {
    if (event.type === "trial" && ++trials === 2) edit();
  };
  const env = { PATH: process.env["PATH"] };
  const options = { cwd: world.dir, targets: ["agent:fake.mjs"], agentOptions, runs: 1, jobs: 1, env, config: {}, on };
  const [result] = await run(options);
  return { result: result!, sat: await readSat(result!.record) };
}

const fired = ({ trials }: Sat) =>
  trials.filter(({ activations }) => activations.some(({ skill }) => skill === "alpha")).length;

describe("an edit during a run", () => {
  test.each<[string, () => void, string[]]>([
    [
      "of a skill's body",
      () => world.write("skills/alpha/SKILL.md", "---\nname: alpha\ndescription: Other.\n---\nBAD\n"),
      ["alpha"],
    ],
    ["of a skill's other files", () => world.write("skills/alpha/references/steps.md", "BAD"), ["alpha"]],
    [
      "of a question's file",
      () => world.write("skills/alpha/evals/files/data.txt", "BAD"),
      ["skills/alpha/evals/files/data.txt"],
    ],
    [
      "that adds a skill",
      () => world.write("skills/gamma/SKILL.md", "---\nname: gamma\ndescription: Does the work of alpha.\n---\nBAD\n"),
      ["skills/gamma/SKILL.md"],
    ],
    ["that removes one", () => rmSync(join(world.dir, "skills/beta"), { recursive: true }), ["beta"]],
    ["of a suite", () => world.write("skills/alpha/evals/triggers.json", []), ["skills/alpha/evals/triggers.json"]],
  ])("%s changes no trial, and is told at the end", async (_what, edit, changed) => {
    const { result, sat } = await examine(edit);
    expect(sat.trials.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(fired(sat)).toBe(QUESTIONS);
    expect(result.footer.changed).toEqual(changed);
    expect(renderTerminal(sat.scores, { width: 160 })).toContain(`edited while it ran: ${changed.join(", ")}.`);
  });

  test("that is undone leaves no wrong answer in the cache", async () => {
    await examine(() => write("BAD"));
    write("GOOD");
    const { sat, result } = await examine();
    expect(sat.trials.filter(({ cached }) => cached !== undefined)).toHaveLength(QUESTIONS);
    expect(fired(sat)).toBe(QUESTIONS);
    expect(result.footer.changed).toBeUndefined();
    write("BAD");
    const after = await examine();
    expect(after.sat.trials.filter(({ cached }) => cached !== undefined)).toHaveLength(0);
    expect(fired(after.sat)).toBe(0);
  });
});

describe("an edit of the skills that are staged beside the library", () => {
  let others: World;
  beforeEach(() => {
    others = new World();
    others.skill("delta");
    others.write("skills/delta/steps.md", "GOOD");
    // It looks at the distractor, too.
    fakeAgent(world, cli.replace("if (good ", 'if (good && read(".skills/delta/steps.md").includes("GOOD") '));
  });
  afterEach(() => others.remove());

  test.each<[string, () => void, string]>([
    ["changes no trial, and is told", () => others.write("skills/delta/steps.md", "BAD"), "skills/delta"],
    ["that adds one is told", () => others.skill("epsilon"), "skills/epsilon"],
  ])("%s", async (_what, edit, path) => {
    const { result, sat } = await examine(edit, { canary: false, with_skills: [others.dir] });
    expect(sat.trials.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(fired(sat)).toBe(QUESTIONS);
    expect(result.footer.changed).toEqual([join(realpathSync(others.dir), path)]);
  });
});

test("it is told on the screen, too", async () => {
  world.write("skills/alpha/evals/triggers.json", [{ query: "Question", should_trigger: true }]);
  world.write("proctor.config.yaml", "targets:\n  - target: agent:fake.mjs\n    options: { canary: false }\n");
  // The one who answers is the one who edits.
  const file = JSON.stringify(join(world.dir, "skills/alpha/references/steps.md"));
  fakeAgent(world, cli.replace("if (good ", `fs.writeFileSync(${file}, "BAD"); if (good `));
  const { stdout, stderr } = await runMain(world.dir, ["run", "--runs", "1", "--no-sandbox"]);
  expect(stdout).toContain("edited while it ran: alpha.");
  expect(stderr).toContain("alpha changed during the run, which examined it as it was at the start.");
});

test("a run leaves no copy of the library behind", async () => {
  const own = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`prw-${process.pid}-`));
  const before = own();
  await examine();
  expect(own().filter((name) => !before.includes(name) && !name.endsWith("-gone"))).toEqual([]);
});

test("the copy has the skills' files, executable as they were, and nothing of the exam", async () => {
  const { copyLibrary, skillFilesFingerprint } = await import("../../src/exam/find/index.ts");
  world.write("skills/alpha/scripts/run.sh", "#!/bin/sh\n");
  chmodSync(join(world.dir, "skills/alpha/scripts/run.sh"), 0o755);
  const { library } = await world.prepare({ targets: ["embedded"] });
  const copy = await copyLibrary(library, join(world.dir, "copy"));
  const [alpha] = copy.skills;
  const files = readdirSync(alpha!.dir, { recursive: true, encoding: "utf8" }).sort();
  expect(files).toEqual(["SKILL.md", "references", "references/steps.md", "scripts", "scripts/run.sh"]);
  expect(statSync(join(alpha!.dir, "scripts/run.sh")).mode & 0o777).toBe(0o755);
  expect(readFileSync(alpha!.file, "utf8")).toContain("GOOD");
  expect(await skillFilesFingerprint(alpha!)).toBe(await skillFilesFingerprint(library.skills[0]!, "now"));
});
