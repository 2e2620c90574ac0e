/**
 * `npm run test:cases`: cases as evolve, waza and skill-creator write them, unchanged, on the real Claude Code and Codex. The models are
 * scripted on 127.0.0.1: they load skills, write files, run commands and answer follow-ups. Cases of several messages are put to Copilot
 * too, and with `--all` to all six CLIs. With `-- FOLDER…`, the suites of other repositories are asked, by a model that does nothing: each
 * of their cases must be asked and get a verdict, or have been refused with a reason.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import { type LoopbackRequest, type Scenario, type ScriptedMove, startLoopback } from "../../src/loopback/index.ts";
import type { Scores } from "../../src/model/index.ts";
import { type Dialect, dialects } from "../agents/dialects.ts";
import { install } from "../agents/install.ts";

const here = dirname(fileURLToPath(import.meta.url));
const home = mkdtempSync(join(tmpdir(), "proctor-cases-"));
const main = resolve(here, "..", "..", "dist", "cli", "main.js");

interface Expected {
  suite: string;
  /** Case, and how it ends. */
  verdicts: Record<string, "pass" | "fail">;
  /** By case: what the skill adds. */
  lift?: Record<string, string>;
}

const expected: Expected[] = [
  { suite: "evolve", verdicts: { fills: "pass", misses: "fail" }, lift: { fills: "helps", misses: "fails both ways" } },
  { suite: "waza", verdicts: { explain: "pass", "asks-first": "pass", "as-documented": "pass" } },
  { suite: "skill-creator", verdicts: { "1": "pass" }, lift: { "1": "passes both ways" } },
];

const followUps: Expected = { suite: "follow-ups", verdicts: { told: "pass", answered: "pass" } };

const folders = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const all = process.argv.includes("--all");

/** What the model does where it is shown the skill, and where it is not. */
function scenario(d: Dialect): Scenario {
  const shell = d.work ?? d.shell;
  const job = (skill: string, command: string, done: string) =>
    [
      (request: LoopbackRequest): ScriptedMove =>
        isShown(request, skill) ? { calls: [d.load(skill)] } : { text: "I cannot do that." },
      { calls: [shell(command)] },
      { text: done },
    ] as const;
  return {
    steps: [{ text: "Done." }],
    rules: [
      { when: "FILL-FORM", steps: job("form-filler", "sh tools/fill.sh", "It is filled in.") },
      { when: "MISS-FORM", steps: job("form-filler", "echo x > elsewhere.txt", "Done.") },
      {
        when: "EXPLAIN-CODE",
        steps: job("explainer", "cat code.py && echo 'It prints hi.' > note.md", "I have explained it."),
      },
      {
        when: "ASK-FIRST",
        steps: [{ text: "Which language?" }, { calls: [shell("echo 'Il affiche hi.' > note.md")] }, { text: "Voilà." }],
      },
      {
        when: "TOLD-LATER",
        steps: [
          { text: "Which language?" },
          { calls: [shell("echo 'Il affiche hi.' > note.md")] },
          { text: "Voilà." },
          { text: "You are welcome." },
        ],
      },
      {
        when: "ANSWERED",
        steps: [{ text: "Which language?" }, { calls: [shell("echo 'Il affiche hi.' > note.md")] }, { text: "Voilà." }],
      },
      {
        when: "TITLE-CASE",
        steps: job("title-caser", "echo 'The Old Man and the Sea' > title.txt", "It is in title.txt."),
      },
    ],
  };
}

function isShown({ body }: LoopbackRequest, skill: string): boolean {
  const descriptions = {
    "form-filler": "Fills text forms",
    explainer: "Explains code in a short",
    "title-caser": "Writes titles in title",
  };
  return JSON.stringify(body).includes(descriptions[skill as keyof typeof descriptions]);
}

/** Finds everything true: it is the machinery that is examined here. */
const judge: Scenario = {
  steps: [
    ({ body }) => {
      const ids = [...JSON.stringify(body).matchAll(/ID=(S\d+)/g)].map(([, id]) => id);
      const verdicts = [...new Set(ids)].map((id) => `ID=${id} VERDICT=TRUE EVIDENCE=seen`);
      return { text: verdicts.length > 0 ? verdicts.join("\n") : "VERDICT=TRUE REASON=seen" };
    },
  ],
};

let wrong = 0;
const say = (right: boolean, text: string) => {
  if (!right) wrong++;
  console.log(`${right ? "✓" : "✗"} ${text}`);
};

async function examine(d: Dialect, folder: string, baseline: boolean) {
  const server = await startLoopback({ it: scenario(d), judge });
  const { file, path } = install(d.id);
  const target = `${d.id}:${d.model}`;
  const cwd = join(mkdtempSync(join(home, "suite-")), basename(folder));
  cpSync(folder, cwd, { recursive: true });
  const settings = { targets: [{ target, endpoint: `${server.url}/it/1${d.base}`, options: { canary: false } }] };
  writeFileSync(join(cwd, "proctor.config.json"), JSON.stringify(settings));
  const words = [
    "run",
    "--only",
    "cases",
    "--runs",
    "1",
    "--judge",
    "ollama/scripted",
    "--keep-going",
    "--timeout",
    "120",
  ];
  try {
    await proctor([...words, "--reporter", "json=scores.json", ...(baseline ? ["--baseline"] : [])], cwd, {
      PATH: [...path, "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      // Whatever is kept between runs is this one's own.
      HOME: home,
      [d.key]: "sk-dummy",
      [`PROCTOR_${d.id.toUpperCase()}_PATH`]: file,
      OLLAMA_BASE_URL: `${server.url}/judge/v1`,
    });
    const report = join(cwd, "scores.json");
    if (!existsSync(report)) throw new Error(`${folder} has no case that could be asked`);
    const { targets } = JSON.parse(readFileSync(report, "utf8")) as Scores;
    return { scores: targets[0]! };
  } finally {
    await server.close();
  }
}

/** The built package, as a user starts it. */
function proctor(args: string[], cwd: string, env: Record<string, string>): Promise<void> {
  return new Promise((done) => {
    execFile(process.execPath, [main, ...args], { cwd, env, maxBuffer: 64_000_000 }, (_error, stdout, stderr) => {
      if (process.env["CASES_VERBOSE"]) console.log(stdout, stderr, attemptErrors(cwd));
      done();
    });
  });
}

function attemptErrors(cwd: string): string[] {
  const records = globSync("**/.proctor/runs/*/record.jsonl", { cwd, absolute: true, dot: true });
  return records.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/"error":\{[^}]*\}/g)].map(([text]) => text),
  );
}

/** One suite on one CLI, against what it must come to. */
async function examineSuite(d: Dialect, { suite, verdicts, lift = {} }: Expected) {
  const { scores } = await examine(d, join(here, suite), Object.keys(lift).length > 0);
  for (const [id, verdict] of Object.entries(verdicts)) {
    const found = scores.questions.find((question) => question.id.endsWith(`#${id}`));
    say(
      found?.verdict === verdict,
      `${d.id} ${suite} ${id}: ${found?.verdict ?? "not asked"} ${found?.reason ?? found?.why ?? ""}`,
    );
  }
  for (const [id, mark] of Object.entries(lift)) {
    const found = scores.lift?.cases.find(({ question }) => question.endsWith(`#${id}`));
    say(
      found?.mark === mark,
      `${d.id} ${suite} ${id} without the skill: ${found?.mark} (loaded ${found?.with.loaded} of ${found?.with.trials}, without ${found?.without.loaded})`,
    );
  }
}

/** Of another repository: whatever its cases come to, each comes to something, or was refused with a reason when it was read. */
async function examineFolder(d: Dialect, folder: string) {
  const { scores } = await examine(d, resolve(folder), false);
  const cases = scores.questions.filter(({ kind }) => kind === "case");
  const refused = cases.filter(({ status }) => status === "invalid");
  const open = cases.filter((one) => one.verdict === "inconclusive" && !refused.includes(one));
  const first = ({ id, reason, why }: (typeof cases)[number]) => `(${id}: ${reason ?? why ?? "no reason"})`;
  say(
    open.length === 0 && cases.length > refused.length && refused.every(({ reason }) => reason !== undefined),
    [
      `${d.id} ${folder}: ${cases.length - refused.length} cases asked, ${open.length} of them without a verdict ${open.slice(0, 1).map(first).join("")}`,
      ...(refused.length > 0 ? [`, ${refused.length} refused ${first(refused[0]!)}`] : []),
    ].join(""),
  );
}

try {
  for (const d of dialects) {
    const main = d.id === "claude" || d.id === "codex";
    if (main || d.id === "copilot" || all) await examineSuite(d, followUps);
    if (!main) continue;
    for (const one of expected) await examineSuite(d, one);
    for (const folder of folders) await examineFolder(d, folder);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
if (!all) console.log("not asked: follow-ups on Gemini CLI, OpenCode and Qwen Code (-- --all)");
if (folders.length === 0) console.log("not asked: suites of other repositories (-- FOLDER…)");
console.log(wrong === 0 ? "cases: all as they should be" : `cases: ${wrong} are not as they should be`);
process.exitCode = wrong === 0 ? 0 : 1;
