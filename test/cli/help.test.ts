import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nameReporters } from "../../src/cli/flags/help.ts";
import { program } from "../../src/cli/program.ts";
import { reporterNames } from "../../src/reporters/index.ts";
import { targetKinds } from "../../src/targets/index.ts";
import { runMain } from "./run-main.ts";

const whole = await nameReporters(program());
const helpOf = (name: string) => {
  const command = whole.commands.find((one) => one.name() === name)!;
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
};

test.each(program().commands.map((command) => command.name()))(
  "the help of %s has no default that says nothing",
  (name) => {
    expect(helpOf(name)).not.toMatch(/default: (?:\[\]|false)/);
  },
);

test("the help of run lists every kind of target", () => {
  const help = helpOf("run");
  for (const { prefix } of targetKinds) expect(help).toMatch(new RegExp(`\\b${prefix}(?::[A-Z]+|\\b)`));
  expect(help).toMatch(/^Targets:$/m);
});

test.each(["check", "run", "report", "route", "collisions", "init"])(
  "the help of %s has examples that its flags allow",
  (name) => {
    const help = helpOf(name);
    const lines = /^Examples:\n((?: {2}.*\n)+)/m.exec(help)![1]!.trim().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const flag of lines.join(" ").match(/ --[a-z-]+/g) ?? [])
      expect(help.split("Examples:")[0]).toContain(flag.trim());
  },
);

const root = join(import.meta.dirname, "..", "..");

test("the pages that --help names are there, and in the package", () => {
  const named = program()
    .commands.flatMap((command) => {
      let text = "";
      command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
      return [...text.matchAll(/More: (docs\/\S+)/g)].map((match) => match[1]!);
    })
    .filter((page, index, all) => all.indexOf(page) === index);
  expect(named.length).toBeGreaterThan(3);
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const page of named) {
    expect(existsSync(join(root, page)), page).toBe(true);
    expect(
      files.some((pattern: string) => matchesGlob(page, pattern)),
      page,
    ).toBe(true);
  }
});

function matchesGlob(path: string, pattern: string): boolean {
  return pattern === "docs/*.md" ? /^docs\/[^/]+\.md$/.test(path) : path.startsWith(`${pattern}/`);
}

test.each(["run", "compare", "check"] as const)("the help of %s names the reporters that can show it", async (name) => {
  const { stdout } = await runMain(root, [name, "--help"]);
  const named = /--reporter <list>\s+([\s\S]*?), each with/.exec(stdout)![1]!.split(/,\s+/);
  expect(named).toEqual(reporterNames(name === "run" ? "render" : name));
});

test("what help says is below is there", () => {
  for (const command of program().commands) {
    const help = helpOf(command.name());
    if (/targets\s+below/.test(help)) expect(help, command.name()).toMatch(/^Targets:$/m);
  }
});
