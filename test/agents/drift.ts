import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Library } from "../../src/model/index.ts";
import { seeSkills } from "../../src/targets/agents/index.ts";
import { alone } from "./alone.ts";
import { dialects } from "./dialects.ts";
import { allNames, benchOf, type Examinee, examine, examinee, OUT_OF_TIME, type Rows } from "./examine.ts";
import { environment } from "./harness.ts";
import { install, newestVersion, pinnedVersion } from "./install.ts";
import { writeLibrary } from "./library.ts";

// What the newest CLIs on npm do differently from the versions that Proctor was tested with; exit code 1 if anything.
// npm run hosts:drift -- [claude codex@0.169.0 …] [--minutes=10]

/** A scenario or two for each thing that CLIs change: flags, events, tools, errors, the listing. */
const PART = [
  "skill on turn 1",
  "skill on turn 2, after a command",
  "SKILL.md read as a file",
  "refused load",
  "skill inside a sub-agent",
  "no skill",
  "stopped when decided",
  "turn limit",
  "HTTP 401",
  "HTTP 429",
  "canary and control",
  "a case writes in its workspace",
  "the listing of 120 skills",
];
for (const name of PART) if (!allNames.includes(name)) throw new Error(`There is no scenario "${name}".`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  // For the scenarios of one CLI: none begins later.
  options: { minutes: { type: "string", default: "10" } },
});
const newer = (positionals.length > 0 ? positionals : dialects.map(({ id }) => id)).map(newest).filter(isUntested);
const installed = newer.filter(isInstalled);
if (installed.length > 0) {
  // The program is started again where npm cannot be asked: by then the versions have names.
  const words = installed.map(({ dialect, version }) => `${dialect.id}@${version}`);
  process.argv.splice(2, process.argv.length, ...words, `--minutes=${values.minutes}`);
  process.exitCode = alone() ?? (await compareAll());
}
if (installed.length < newer.length) process.exitCode = 1;

/** The version that the word names, or the newest. */
function newest(word: string): Examinee {
  const one = examinee(word);
  return word.includes("@") ? one : { ...one, version: newestVersion(one.dialect.id) };
}

function isUntested(one: Examinee): boolean {
  const untested = one.version !== tested(one).version;
  if (!untested) console.log(`${nameOf(one)} is tested`);
  return untested;
}

/** A package that is laid out differently is a difference, too. */
function isInstalled(one: Examinee): boolean {
  install(one.dialect.id);
  try {
    install(one.dialect.id, one.version);
    return true;
  } catch (error) {
    console.log(`${nameOf(one)} cannot be installed: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

function tested({ dialect }: Examinee): Examinee {
  return { dialect, version: pinnedVersion(dialect.id) };
}

function nameOf({ dialect, version }: Examinee): string {
  return `${dialect.id} ${version}`;
}

async function compareAll(): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), "proctor-drift-"));
  const found: { name: string; differences: string[] }[] = [];
  try {
    const library = await writeLibrary(root);
    for (const one of installed) {
      console.log(`${nameOf(one)}, against ${tested(one).version}`);
      const differences = [...(await seenDifferently(one, library)), ...(await examinedDifferently(one, library))];
      found.push({ name: nameOf(one), differences });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  for (const { name, differences } of found)
    console.log(
      [`\n${name}: ${differences.length === 0 ? "nothing differs" : "differs"}`, ...differences].join("\n  "),
    );
  return found.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

/** What `proctor see` shows with one version and not with the other, line by line. */
async function seenDifferently(one: Examinee, library: Library): Promise<string[]> {
  const [before, now] = [await seen(tested(one), library), await seen(one, library)];
  const short = (line: string) => (line.length > 160 ? `${line.slice(0, 160)}…` : line);
  return [
    ...before.filter((line) => !now.includes(line)).map((line) => `see no longer shows: ${short(line)}`),
    ...now.filter((line) => !before.includes(line)).map((line) => `see now shows: ${short(line)}`),
  ];
}

async function seen(one: Examinee, library: Library): Promise<string[]> {
  const { id, model } = one.dialect;
  const bench = await benchOf(one, library);
  const request = { env: environment(one.dialect, bench), model, hermetic: false, cacheDir: bench.cacheDir };
  try {
    const { computed = "seen", budget, bundled, entries, text = "" } = await seeSkills(id, library, request);
    return [
      `listing: ${computed}`,
      `budget: ${JSON.stringify(budget)}`,
      `its own skills: ${bundled.join(", ")}`,
      ...entries.map(({ skill, shown }) => `${skill} ${shown}`),
      // Each workspace has another name.
      ...text.replaceAll(/\/prw-[^/]+\//g, "/…/").split("\n"),
    ];
  } catch (error) {
    return [`listing: ${String(error)}`];
  }
}

/** Scenarios that are told wrong of this version and otherwise of the tested one, and those that there was no time for. */
async function examinedDifferently(one: Examinee, library: Library): Promise<string[]> {
  const now = await rowsOf(one, library, PART);
  const late = PART.filter((name) => now[name] !== undefined && "why" in now[name] && now[name].why === OUT_OF_TIME);
  const wrong = PART.filter((name) => now[name] !== undefined && "right" in now[name] && !now[name].right);
  if (wrong.length > 0) console.log(`the same with ${nameOf(tested(one))}`);
  const before = await rowsOf(tested(one), library, wrong);
  return [
    ...wrong
      .filter((name) => said(now[name]) !== said(before[name]))
      .map((name) => `${name}: ${said(now[name])}; with ${tested(one).version}: ${said(before[name])}`),
    ...late.map((name) => `${name}: ${said(now[name])}`),
  ];
}

async function rowsOf(one: Examinee, library: Library, names: readonly string[]): Promise<Rows> {
  const until = performance.now() + Number(values.minutes) * 60_000;
  return examine(one.dialect, await benchOf(one, library), { chosen: (name) => names.includes(name), until });
}

function said(row: Rows[string] | undefined): string {
  if (row === undefined) return "not run";
  return "why" in row ? `not run: ${row.why}` : row.said;
}
