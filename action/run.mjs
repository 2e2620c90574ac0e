// Asks, compares with the base, and leaves the reports in a folder. It never fails the step itself: finish.mjs does, after the comment.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addSummary, event, lines, setOutput, warn } from "./github.mjs";

const bin = process.env.PROCTOR_ACTION_BIN ?? "";
const reports = join(process.env.RUNNER_TEMP ?? tmpdir(), `proctor-reports-${process.env.GITHUB_RUN_ID ?? process.pid}`);
mkdirSync(reports, { recursive: true });
const file = (name) => join(reports, name);

// A value is part of its option, so that none of them can be an option itself.
const targets = lines("PROCTOR_ACTION_TARGETS").map((target) => `--target=${target}`);
const budget = lines("PROCTOR_ACTION_BUDGET").map((amount) => `--budget=${amount}`);
const paths = lines("PROCTOR_ACTION_PATHS");
const gates = (name) => lines(name).map((gate) => `--gate=${gate}`);
const reporters = [
  `github=${file("annotations.txt")}`,
  `junit=${file("junit.xml")}`,
  `json=${file("report.json")}`,
  `html=${file("report.html")}`,
  `markdown=${file("run.md")}`,
];

dropAnswersOfTheCheckout();
const ran = proctor([
  "run",
  ...targets,
  ...budget,
  ...gates("PROCTOR_ACTION_GATES"),
  ...lines("PROCTOR_ACTION_ARGS"),
  ...reporters.map((one) => `--reporter=${one}`),
  "--",
  ...paths,
]);
// Its lines are commands on purpose, and what they quote is escaped.
writeSync(1, text("annotations.txt"));
const compared = compareWith(baseOf());
writeFileSync(file("comment.md"), [compared.text, text("run.md")].filter((part) => part !== "").join("\n---\n\n"));

setOutput("reports", reports);
setOutput("exit-code", first([ran, compared.code]));

/** The base of the pull request, unless another one is named. */
function baseOf() {
  const given = (process.env.PROCTOR_ACTION_BASE ?? "").trim();
  if (given === "none") return undefined;
  return given || event().pull_request?.base?.sha;
}

function compareWith(base) {
  if (base === undefined) return { code: 0, text: "" };
  const more = [`--reporter=markdown=${file("changes.md")}`, `--reporter=json=${file("changes.json")}`];
  const code = proctor([
    "compare",
    `--base=${base}`,
    ...targets,
    ...budget,
    ...gates("PROCTOR_ACTION_CHANGE_GATES"),
    ...more,
    "--",
    ...paths,
  ]);
  // The first pull request that brings skills has nothing to be compared with, and that is no fault of it.
  if (code === 3 && hasNoSkills()) return { code: 0, text: "❔ **not compared with the base**: it has no skills yet.\n" };
  const changes = text("changes.md");
  if (changes !== "") {
    addSummary(changes);
    return { code, text: changes };
  }
  // What could not be compared is not green: a gate that nobody can read would never fail.
  warn(
    `Nothing was compared with ${base}; the log says why. actions/checkout needs fetch-depth: 0 for it, and base: none compares with nothing.`,
  );
  return { code, text: "❔ **not compared with the base**: the log of the job says why (`actions/checkout` needs `fetch-depth: 0`).\n" };
}

/** At the base; undefined where nothing could be read of it. */
function hasNoSkills() {
  try {
    return JSON.parse(text("changes.json")).before.skills === 0;
  } catch {
    return false;
  }
}

/**
 * Arguments as a list: no shell reads them. What is printed quotes prompts, names and answers, which somebody else wrote: until a word that
 * nobody can guess, the runner takes none of it for a command.
 */
function proctor(args) {
  const word = randomUUID();
  writeSync(1, `::stop-commands::${word}\n`);
  const { status, error } = spawnSync(process.execPath, [bin, ...args], { stdio: "inherit" });
  if (error !== undefined) console.error(error.message);
  writeSync(1, `\n::${word}::\n`);
  return status ?? 2;
}

/**
 * Answers and records that were committed would be taken for measured ones. What lies in .proctor because it was kept from an earlier job is not
 * tracked. The folder may be whatever a pull request brings: git is told to run nothing for it.
 */
function dropAnswersOfTheCheckout() {
  const quiet = ["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false"];
  const { stdout } = spawnSync("git", [...quiet, "ls-files", "-z", "--", ".proctor"], { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (!stdout) return;
  warn(
    ".proctor is tracked by git: its answers and records are those of whoever committed them, and are not used. Add .proctor to .gitignore.",
  );
  rmSync(".proctor", { recursive: true, force: true });
}

function text(name) {
  return existsSync(file(name)) ? readFileSync(file(name), "utf8") : "";
}

/** As Proctor orders them. */
function first(codes) {
  return [130, 2, 1, 3].find((code) => codes.includes(code)) ?? 0;
}
