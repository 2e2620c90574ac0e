// 1,000 judge calls of 500 ms at concurrency 50 against the ideal time, then the same with 10 % answered 429 and 5 % cut off.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runExam } from "../src/exam/index.ts";
import { type LoopbackRequest, startLoopback } from "../src/loopback/index.ts";

const CALLS = 1_000;
const DELAY_MS = 500;
const AT_ONCE = 50;
const yes = { text: "DECISION=YES REASON=It fits.", delayMs: DELAY_MS };

const server = await startLoopback({ calm: { steps: [yes] }, rough: { steps: [rough] } });
const root = mkdtempSync(join(tmpdir(), "proctor-bench-models-"));
try {
  writeLibrary();
  const calm = await examine("calm");
  const troubled = await examine("rough");
  const ratio = calm.ms / ((CALLS * DELAY_MS) / AT_ONCE);
  const figures = {
    ratio: round(ratio),
    calm: calm.counts,
    rough: troubled.counts,
    rough_requests: server.requests.filter(({ scenario }) => scenario === "rough").length,
    rough_ratio: round(troubled.ms / ((CALLS * DELAY_MS) / AT_ONCE)),
  };
  console.log(`${CALLS} judge calls of ${DELAY_MS} ms, ${AT_ONCE} at once: ${round(ratio)}× the ideal time (at most 1.15×)`);
  console.log(
    `10 % answered 429, 5 % cut: ${troubled.counts.yes} yes, ${troubled.counts.no} no, ${troubled.counts.lost} lost, ${figures.rough_requests} requests, ${figures.rough_ratio}× the ideal time`,
  );
  if (process.argv.includes("--json")) console.log(JSON.stringify(figures));
  process.exitCode = ratio <= 1.15 && troubled.counts.yes === CALLS ? 0 : 1;
} finally {
  await server.close();
  rmSync(root, { recursive: true, force: true });
}

/** Every tenth query is turned away once, and every twentieth of the others is cut off once. */
function rough({ opening }: LoopbackRequest) {
  const number = Number(/query (\d+)/.exec(opening)?.[1]);
  if (number % 10 === 0) return { fault: "status" as const, status: 429, retryAfterSeconds: 0, times: 1, after: yes };
  if (number % 20 === 1) return { fault: "cut" as const, times: 1, after: yes };
  return yes;
}

async function examine(scenario: string) {
  const env = { ANTHROPIC_API_KEY: "dummy-key", ANTHROPIC_BASE_URL: `${server.url}/${scenario}` };
  const target = "judge:anthropic/claude-haiku-4-5";
  const start = performance.now();
  const [run] = await runExam({
    cwd: root,
    env,
    config: { targets: [{ target, concurrency: AT_ONCE }] },
    jobs: AT_ONCE,
    runs: 1,
    cache: false,
  });
  const ms = performance.now() - start;
  const questions = run!.scores.targets[0]!.questions;
  const yesses = questions.filter(({ verdict }) => verdict === "pass").length;
  const noes = questions.filter(({ verdict }) => verdict === "fail").length;
  return { ms, counts: { yes: yesses, no: noes, lost: CALLS - yesses - noes } };
}

function writeLibrary(): void {
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, "skills", "only", "evals"), { recursive: true });
  writeFileSync(
    join(root, "skills", "only", "SKILL.md"),
    "---\nname: only\ndescription: Answers everything. Use when anything is asked.\n---\nBody.\n",
  );
  const triggers = Array.from({ length: CALLS }, (_, index) => ({ query: `query ${index}`, should_trigger: true }));
  writeFileSync(join(root, "skills", "only", "evals", "triggers.json"), JSON.stringify({ triggers }));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
