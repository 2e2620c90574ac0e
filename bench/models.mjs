// 1,000 judge calls of 500 ms at concurrency 50 against the ideal time, then the same with 10 % answered 429 and 5 % cut off.
// It examines with the package as it is built (npm run build).
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run as runExam } from "../dist/index.js";

const [CALLS, DELAY_MS, AT_ONCE] = [1_000, 500, 50];
const ideal = (CALLS * DELAY_MS) / AT_ONCE;

const model = fork(fileURLToPath(new URL("models-server.ts", import.meta.url)), [String(DELAY_MS)], {
  execArgv: ["--import", "jiti/register"],
});
const [url] = await once(model, "message");
const root = mkdtempSync(join(tmpdir(), "proctor-bench-models-"));
try {
  writeLibrary();
  const calm = await examine("calm");
  const rough = await examine("rough");
  model.send("rough");
  const [requests] = await once(model, "message");
  const figures = {
    ratio: round(calm.ms / ideal),
    calm: calm.counts,
    rough: rough.counts,
    rough_requests: requests,
    rough_ratio: round(rough.ms / ideal),
  };
  console.log(
    `${CALLS} judge calls of ${DELAY_MS} ms, ${AT_ONCE} at once: ${figures.ratio}× the ideal time (at most 1.15×)`,
  );
  const { yes, no, lost } = rough.counts;
  console.log(
    `10 % answered 429, 5 % cut: ${yes} yes, ${no} no, ${lost} lost, ${requests} requests, ${figures.rough_ratio}× the ideal time`,
  );
  if (process.argv.includes("--json")) console.log(JSON.stringify(figures));
  process.exitCode = figures.ratio <= 1.15 && yes === CALLS ? 0 : 1;
} finally {
  model.disconnect();
  rmSync(root, { recursive: true, force: true });
}

async function examine(scenario) {
  const env = { ANTHROPIC_API_KEY: "dummy-key", ANTHROPIC_BASE_URL: `${url}/${scenario}` };
  const config = { targets: [{ target: "judge:anthropic/claude-haiku-4-5", concurrency: AT_ONCE }] };
  const start = performance.now();
  const [run] = await runExam({ cwd: root, env, config, jobs: AT_ONCE, runs: 1, cache: false });
  const ms = performance.now() - start;
  const verdicts = run.scores.targets[0].questions.map(({ verdict }) => verdict);
  const [yes, no] = ["pass", "fail"].map((wanted) => verdicts.filter((verdict) => verdict === wanted).length);
  return { ms, counts: { yes, no, lost: CALLS - yes - no } };
}

function writeLibrary() {
  const skill = join(root, "skills", "only");
  mkdirSync(join(root, ".git"));
  mkdirSync(join(skill, "evals"), { recursive: true });
  writeFileSync(
    join(skill, "SKILL.md"),
    "---\nname: only\ndescription: Answers everything. Use when anything is asked.\n---\nBody.\n",
  );
  const triggers = Array.from({ length: CALLS }, (_, index) => ({ query: `query ${index}`, should_trigger: true }));
  writeFileSync(join(skill, "evals", "triggers.json"), JSON.stringify({ triggers }));
}

function round(value) {
  return Math.round(value * 1000) / 1000;
}
