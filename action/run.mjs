// Asks, compares with the base, and leaves the reports in a folder. It never fails the step itself: finish.mjs does, after the comment.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addSummary, event, lines, setOutput, warn } from "./github.mjs";

const bin = process.env.PROCTOR_ACTION_BIN ?? "";
const reports = join(process.env.RUNNER_TEMP ?? tmpdir(), `proctor-reports-${process.env.GITHUB_RUN_ID ?? process.pid}`);
mkdirSync(reports, { recursive: true });
const file = (name) => join(reports, name);

const targets = lines("PROCTOR_ACTION_TARGETS").flatMap((target) => ["-t", target]);
const budget = lines("PROCTOR_ACTION_BUDGET").flatMap((amount) => ["--budget", amount]);
const paths = lines("PROCTOR_ACTION_PATHS");
const gates = (name) => lines(name).flatMap((gate) => ["--gate", gate]);
const reporters = [
  "github",
  `junit=${file("junit.xml")}`,
  `json=${file("report.json")}`,
  `html=${file("report.html")}`,
  `markdown=${file("run.md")}`,
];

const ran = proctor([
  "run",
  ...targets,
  ...budget,
  ...gates("PROCTOR_ACTION_GATES"),
  ...lines("PROCTOR_ACTION_ARGS"),
  ...reporters.flatMap((one) => ["--reporter", one]),
  "--",
  ...paths,
]);
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
  const more = ["--reporter", `markdown=${file("changes.md")}`, "--reporter", `json=${file("changes.json")}`];
  const code = proctor([
    "compare",
    "--base",
    base,
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

/** Arguments as a list: no shell reads them. */
function proctor(args) {
  const { status, error } = spawnSync(process.execPath, [bin, ...args], { stdio: "inherit" });
  if (error !== undefined) console.error(error.message);
  return status ?? 2;
}

function text(name) {
  return existsSync(file(name)) ? readFileSync(file(name), "utf8") : "";
}

/** As Proctor orders them. */
function first(codes) {
  return [130, 2, 1, 3].find((code) => codes.includes(code)) ?? 0;
}
