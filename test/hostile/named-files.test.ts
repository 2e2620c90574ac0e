import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runMain } from "../cli/run-main.ts";
import { World } from "../world.ts";

/** What a person names inside a clone may be a link that its author committed, to a place that both can guess. */
let world: World;
let outside: string;
beforeEach(() => {
  world = new World("clone");
  outside = mkdtempSync(join(tmpdir(), "proctor-outside-"));
  writeFileSync(join(outside, ".bashrc"), "mine\n");
  world.skill("alpha", [
    { query: "alpha please", should_trigger: true },
    { query: "nothing", should_trigger: false },
  ]);
  mkdirSync(join(world.dir, ".git"));
});
afterEach(() => {
  world.remove();
  rmSync(outside, { recursive: true, force: true });
});

const at = (...path: string[]) => join(world.dir, ...path);
const proctor = (...words: string[]) => runMain(world.dir, words);

function link(target: string, path: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(target, at(path));
}

function untouched(...others: string[]): void {
  expect(readdirSync(outside).sort()).toEqual([".bashrc", ...others].sort());
  expect(readFileSync(join(outside, ".bashrc"), "utf8")).toBe("mine\n");
}

const refused = {
  code: 2,
  stderr: expect.stringMatching(/cannot be written: .* is a link that leads (?:out of|nowhere)/) as unknown as string,
};

describe.runIf(process.platform !== "win32")("a link that leads out of the clone is refused", () => {
  test.each([
    ["check", "markdown=report.md"],
    ["check", "sarif=report.md"],
    ["run", "markdown=report.md"],
    ["run", "html=report.md"],
    ["run", "waza=report.md.json"],
  ])("in the place of a report: %s --reporter %s", async (verb, reporter) => {
    link(join(outside, ".bashrc"), "report.md");
    link(join(outside, ".bashrc"), "report.md.json");
    expect(await proctor(verb, "--reporter", reporter)).toMatchObject(refused);
    // It is told before anything is asked.
    expect(existsSync(at(".proctor"))).toBe(false);
    untouched();
  });

  test("in the place of a report of a stored run, and of a comparison", async () => {
    await proctor("run");
    await proctor("run");
    link(join(outside, ".bashrc"), "report.md");
    for (const verb of ["report", "compare", "grade"])
      expect(await proctor(verb, "--reporter", "markdown=report.md"), verb).toMatchObject(refused);
    untouched();
  });

  test.each([
    "junit=reports/junit.xml",
    "junit=reports/deep/junit.xml",
    "skill-creator=reports",
    "skill-creator=reports/deep",
    "waza=reports/waza.json",
  ])("on the way to it: run --reporter %s", async (reporter) => {
    // A repository that the link leads to is not the one that is examined.
    mkdirSync(join(outside, ".git"));
    link(outside, "reports");
    expect(await proctor("run", "--reporter", reporter)).toMatchObject(refused);
    untouched(".git");
  });

  test("in the place of the report of one library of several", async () => {
    world.write("other/one/SKILL.md", "---\nname: one\ndescription: Does one thing.\n---\nBody.\n");
    world.write("other/one/evals/triggers.json", [{ query: "one thing", should_trigger: true }]);
    world.write("proctor.config.json", { libraries: { first: ["skills"], second: ["other"] } });
    for (const name of ["report.second.md", "folder/second"])
      link(name.endsWith(".md") ? join(outside, ".bashrc") : outside, name);
    expect(await proctor("run", "--reporter", "markdown=report.md")).toMatchObject(refused);
    expect(await proctor("run", "--reporter", "skill-creator=folder")).toMatchObject(refused);
    expect(existsSync(at("report.first.md"))).toBe(true);
    untouched();
  });

  test("to a place where nothing is yet", async () => {
    link(join(outside, "new.md"), "report.md");
    link(join(outside, "new"), "reports");
    for (const file of ["report.md", "reports/report.md"])
      expect(await proctor("check", "--reporter", `markdown=${file}`)).toMatchObject(refused);
    untouched();
  });

  test("from above the clone, by an absolute path, and without a repository", async () => {
    link(join(outside, ".bashrc"), "report.md");
    const above = (file: string) => runMain(dirname(world.dir), ["check", "clone", "--reporter", `markdown=${file}`]);
    expect(await above("clone/report.md")).toMatchObject(refused);
    expect(await above(at("report.md"))).toMatchObject(refused);
    rmSync(at(".git"), { recursive: true });
    expect(await above("clone/report.md")).toMatchObject(refused);
    expect(await proctor("check", "--reporter", "markdown=report.md")).toMatchObject(refused);
    untouched();
  });

  test("in the place of the folder of an import, of a skill's questions, and of the lock", async () => {
    link(outside, "imported");
    expect(await proctor("import", "skills/alpha/evals", "--to", "imported")).toMatchObject(refused);
    expect(await proctor("import", "skills/alpha/evals", "--to", "imported/deep")).toMatchObject(refused);
    world.skill("beta");
    link(outside, "skills/beta/evals");
    expect(await proctor("init", "beta")).toMatchObject({ code: 2 });
    link(join(outside, ".bashrc"), "proctor.lock.json");
    expect(await proctor("run", "--update-lock")).toMatchObject({ code: 2 });
    untouched();
  });

  test("in the place of a run that is noted on or resumed", async () => {
    await proctor("run");
    const [run = ""] = readdirSync(at(".proctor/runs"));
    mkdirSync(join(outside, "run"));
    const record = readFileSync(at(".proctor/runs", run, "record.jsonl"), "utf8");
    const unfinished = record.split("\n").slice(0, -3).join("\n");
    writeFileSync(join(outside, "run/record.jsonl"), unfinished);
    link(join(outside, "run"), "ci-run");
    expect(await proctor("note", "alpha please", "seen", "--run", "ci-run")).toMatchObject(refused);
    expect(await proctor("run", "--resume", "ci-run")).toMatchObject(refused);
    expect(readdirSync(join(outside, "run"))).toEqual(["record.jsonl"]);
    expect(readFileSync(join(outside, "run/record.jsonl"), "utf8")).toBe(unfinished);
    untouched("run");
  });

  test("in the place of a skill or a prompt: nothing there is fixed or promoted", async () => {
    const card = "---\nname: gamma\ndescription: Does this: and that. Use when it is needed.\n---\nBody.\n";
    const meta = "id: tidy\nstatus: tested\n";
    mkdirSync(join(outside, "gamma"));
    writeFileSync(join(outside, "gamma/SKILL.md"), card);
    mkdirSync(join(outside, "tidy"));
    writeFileSync(join(outside, "tidy/meta.yml"), meta);
    writeFileSync(join(outside, "tidy/prompt.xml"), "<prompt>Tidy.</prompt>\n");
    link(join(outside, "gamma"), "skills/gamma");
    link(join(outside, "gamma/SKILL.md"), "skills/delta/SKILL.md");
    link(join(outside, "tidy"), "prompts/tidy");
    world.write("prompts/clean/prompt.xml", "<prompt>Clean.</prompt>\n");
    link(join(outside, "tidy/meta.yml"), "prompts/clean/meta.yml");
    await proctor("check", "--fix");
    for (const id of ["tidy", "clean"])
      expect(await proctor("promote", id, "draft", "--reason", "no")).toMatchObject({ code: 2 });
    expect(readFileSync(join(outside, "gamma/SKILL.md"), "utf8")).toBe(card);
    expect(readFileSync(join(outside, "tidy/meta.yml"), "utf8")).toBe(meta);
    untouched("gamma", "tidy");
  });
});

describe.runIf(process.platform !== "win32")("what is the person's own is written as before", () => {
  test("a link that stays in the clone is replaced, a folder that stays in it is used", async () => {
    world.write("docs/kept.md", "kept\n");
    link("docs/kept.md", "report.md");
    link("docs", "reports");
    expect((await proctor("check", "--reporter", "markdown=report.md,markdown=reports/new.md")).code).not.toBe(2);
    expect(readFileSync(at("docs/kept.md"), "utf8")).toBe("kept\n");
    expect(lstatSync(at("report.md")).isFile()).toBe(true);
    expect(readdirSync(at("docs")).sort()).toEqual(["kept.md", "new.md"]);
  });

  test("links outside of the clone are followed", async () => {
    symlinkSync(".bashrc", join(outside, "latest.md"));
    symlinkSync(".", join(outside, "here"));
    expect((await proctor("check", "--reporter", `markdown=${join(outside, "here/latest.md")}`)).code).not.toBe(2);
    expect(readFileSync(join(outside, ".bashrc"), "utf8")).not.toBe("mine\n");
    expect(lstatSync(join(outside, "latest.md")).isSymbolicLink()).toBe(true);
    expect((await proctor("check", "--reporter", "markdown=/dev/null")).code).not.toBe(2);
  });

  test("a report that cannot be finished leaves the earlier one, and nothing beside it", async () => {
    world.write("report.md", "earlier\n");
    world.write(
      "proctor.config.mjs",
      'export default { reporters: [{ name: "own", async *render() { yield "half"; throw new Error("no more"); } }] };\n',
    );
    expect((await proctor("run", "--reporter", "own=report.md")).code).toBe(2);
    expect(readFileSync(at("report.md"), "utf8")).toBe("earlier\n");
    expect(readdirSync(world.dir).filter((name) => name.includes("report"))).toEqual(["report.md"]);
    expect(existsSync(at(".proctor"))).toBe(true);
  });
});
