// Asks, compares with the base, and leaves the reports in a folder. It never fails the step itself: finish.mjs does, after the comment.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addSummary, event, lines, setOutput, warn } from "./github.mjs";

const bin = process.env.PROCTOR_ACTION_BIN ?? "";
const reports = join(
  process.env.RUNNER_TEMP ?? tmpdir(),
  `proctor-reports-${process.env.GITHUB_RUN_ID ?? process.pid}`,
);
mkdirSync(reports, { recursive: true });
const file = (name) => join(reports, name);
/** Of the comment. */
const MOST_LINES = 60;

// A value is part of its option, so that none of them can be an option itself.
const targets = lines("PROCTOR_ACTION_TARGETS").map((target) => `--target=${target}`);
const budget = lines("PROCTOR_ACTION_BUDGET").map((amount) => `--budget=${amount}`);
const paths = lines("PROCTOR_ACTION_PATHS");
/** Gates, and whether predictions are held against them: without a gate, a prediction only informs. */
function gates(name) {
  const named = lines(name).map((gate) => `--gate=${gate}`);
  return process.env.PROCTOR_ACTION_ALLOW_PREDICTED === "true" && named.length > 0
    ? [...named, "--allow-predicted"]
    : named;
}
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
writeFileSync(file("comment.md"), commentOf([compared.text, text("run.md")].filter((part) => part !== "")));

setOutput("reports", reports);
setOutput("exit-code", first([ran, compared.code]));

/**
 * What the pull request is merged into, unless another one is named. What GitHub checks out is a merge with the base branch as it is by then; the event names an older
 * commit of it where others have been merged in between, and their edits would be taken for those of this pull request.
 */
function baseOf() {
  const given = (process.env.PROCTOR_ACTION_BASE ?? "").trim();
  if (given === "none") return undefined;
  if (given !== "") return given;
  const merge = process.env.GITHUB_SHA ?? "";
  const isMerge = /^refs\/pull\/\d+\/merge$/.test(process.env.GITHUB_REF ?? "") && /^[0-9a-f]{40,64}$/.test(merge);
  if (
    isMerge &&
    git(["rev-parse", "HEAD"]).trim() === merge &&
    git(["rev-parse", "--verify", "--quiet", `${merge}^2`]) !== ""
  )
    return `${merge}^1`;
  return event().pull_request?.base?.sha;
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
  if (code === 3 && hasNoSkills())
    return { code: 0, text: "❔ **not compared with the base**: it has no skills yet.\n" };
  const changes = text("changes.md");
  if (changes !== "") {
    addSummary(changes);
    return { code, text: changes };
  }
  // What could not be compared is not green: a gate that nobody can read would never fail.
  warn(
    `Nothing was compared with ${base}; the log says why. actions/checkout needs fetch-depth: 0 for it, and base: none compares with nothing.`,
  );
  return {
    code,
    text: "❔ **not compared with the base**: the log of the job says why (`actions/checkout` needs `fetch-depth: 0`).\n",
  };
}

/** At the base, in any library. */
function hasNoSkills() {
  try {
    const found = texts("changes.json").map((json) => JSON.parse(json));
    return found.length > 0 && found.every(({ before }) => before.skills === 0);
  } catch {
    return false;
  }
}

/** At most so many lines, whatever there is: first the lists that are folded go, the last part's first, then the end. */
function commentOf(parts) {
  const joined = () => parts.join("\n---\n\n");
  const count = () => joined().trimEnd().split("\n").length;
  for (let index = parts.length - 1; index >= 0 && count() > MOST_LINES; index--)
    parts[index] = parts[index].replace(/\n<details>[\s\S]*?\n<\/details>\n?/g, "");
  const kept = joined().trimEnd().split("\n");
  return `${(kept.length > MOST_LINES ? [...kept.slice(0, MOST_LINES - 1), "…"] : kept).join("\n")}\n`;
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
  // Anywhere: the folder that holds .proctor may be above the working directory, or the one of a configuration below it.
  const tracked = git([
    "ls-files",
    "-z",
    "--",
    ":(top,icase,glob)**/.proctor",
    ":(top,icase,glob)**/.proctor/**",
  ]).split("\0");
  const folders = new Set(tracked.flatMap((path) => /^(?:.*\/)?\.proctor(?=\/|$)/i.exec(path)?.[0] ?? []));
  if (folders.size === 0) return;
  warn(
    ".proctor is tracked by git: its answers and records are those of whoever committed them, and are not used. Add .proctor to .gitignore.",
  );
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** What git prints of the checkout, relative to the working directory; "" where it fails. */
function git(args) {
  const quiet = ["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false"];
  return spawnSync("git", [...quiet, ...args], { encoding: "utf8", maxBuffer: 2 ** 28 }).stdout ?? "";
}

/** A report; of several libraries, one after the other. */
function text(name) {
  return texts(name).join("\n");
}

/** With several libraries each has a file of its own, with its name before the extension. */
function texts(name) {
  const [stem, extension] = name.split(".");
  return readdirSync(reports)
    .filter((one) => one === name || (one.startsWith(`${stem}.`) && one.endsWith(`.${extension}`)))
    .sort()
    .map((one) => readFileSync(file(one), "utf8"));
}

/** As Proctor orders them. */
function first(codes) {
  return [130, 2, 1, 3].find((code) => codes.includes(code)) ?? 0;
}
