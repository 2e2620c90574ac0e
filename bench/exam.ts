import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { loadConfig, type RunSettings } from "../src/base/options/index.ts";
import { askExam, planExams } from "../src/exam/index.ts";
import { makeLibrary } from "./exam-library.ts";
import { simulateConfidence, simulateEarlyStop } from "./exam-simulate.ts";

/** What the exam must show, in one run. Ratios are to a yardstick measured in the same run, since machines are noisy. */
const json = process.argv.includes("--json");
const say = (line: string) => json || process.stdout.write(`${line}\n`);

const overhead = await measureOverhead(10_000);
say(
  `overhead     ${overhead.msPerTrial.toFixed(3)} ms per trial over ${overhead.trials} trials, all in the record (limit 0.5; ${overhead.cpuMsPerTrial.toFixed(3)} ms of processor time; ${overhead.toWriting.toFixed(1)}× writing the same lines by hand)`,
);

const schedule = await measureSchedule();
say(
  `schedule     400 trials of 50 ms at --jobs 16: ${schedule.toIdeal.toFixed(3)}× the ideal time, ${schedule.toBare.toFixed(3)}× a bare loop of timers (limit 1.1)`,
);
say(`             with one trial of 2 s among 400 of 20 ms: ${schedule.slowToIdeal.toFixed(3)}× the slow trial alone`);

const scale = await measureScale();
say(
  `scale        ${scale.trials} trials in one record: peak ${scale.peakMb.toFixed(0)} MB (limit 300), sat in ${scale.sitSeconds.toFixed(1)} s`,
);
say(
  `             scored in ${scale.scoreSeconds.toFixed(1)} s (limit 10; ${scale.scoreCpuSeconds.toFixed(1)} s of processor time), peak ${scale.scorePeakMb.toFixed(0)} MB; twice the trials take ${scale.doubling.toFixed(2)}× the processor time to sit, ${scale.scoreDoubling.toFixed(2)}× to score`,
);

const early = await simulateEarlyStop(2_000, 25);
say(
  `early stop   ${((100 * early.saved) / early.trials).toFixed(1)} % of ${early.trials} trials saved, ${early.verdictsChanged} of ${early.trials / 3} verdicts changed`,
);
for (const [name, { value, error, naive }] of Object.entries({
  recall: early.recall,
  "false-positive rate": early.fpr,
})) {
  say(
    `             bias of the ${name}: ${signed(value)} ± ${error.toFixed(4)} (had every run made counted: ${signed(naive)})`,
  );
}

const sure = await simulateConfidence(2_000, 100);
say(
  `confidence   ${sure.wrong} of ${sure.questions} questions at true rates 0.3 to 0.7 decided wrongly: ${((100 * sure.wrong) / sure.questions).toFixed(2)} % (promised: 5 % at most); ${sure.decided} decided, ${sure.meanRuns.toFixed(1)} runs each`,
);

if (json)
  process.stdout.write(`${JSON.stringify({ overhead, schedule, scale, early_stop: early, confidence: sure })}\n`);

async function sit(
  questions: number,
  script: object,
  flags: RunSettings,
): Promise<{ seconds: number; asking: number; record: string; trials: number }> {
  const library = makeLibrary(10, questions, { ...script });
  try {
    const started = performance.now();
    const config = await loadConfig({ cwd: library.dir, env: {} });
    const [exam] = await planExams({
      cwd: library.dir,
      config,
      env: {},
      flags: { targets: ["script:answers.yaml"], runs: 1, ...flags },
    });
    let first = 0;
    let last = 0;
    let trials = 0;
    const { place } = await askExam(exam!, {
      on(event) {
        if (event.type === "trial") trials++;
        if (event.type !== "schedule") return;
        if (event.event.type === "started" && first === 0) first = performance.now();
        if (event.event.type === "ended") last = performance.now();
      },
    });
    return {
      seconds: (performance.now() - started) / 1000,
      asking: last - first,
      record: readFileSync(place.file, "utf8"),
      trials,
    };
  } finally {
    library.remove();
  }
}

async function measureOverhead(trials: number) {
  await sit(1_000, {}, {});
  const before = process.cpuUsage();
  const { seconds, record, trials: kept } = await sit(trials, {}, {});
  const { user, system } = process.cpuUsage(before);
  if (kept !== trials || record.split('"type":"trial"').length !== trials + 1)
    throw new Error("trials are missing from the record");
  return {
    trials,
    msPerTrial: (seconds * 1000) / trials,
    cpuMsPerTrial: (user + system) / 1000 / trials,
    toWriting: seconds / writeByHand(record),
  };
}

/** The yardstick: the record's own lines, made into JSON again and appended one by one. */
function writeByHand(record: string): number {
  const dir = mkdtempSync(join(import.meta.dirname, "..", "node_modules", ".cache", "proctor-bench-"));
  const lines = record.trimEnd().split("\n");
  const parsed = lines.map((line) => JSON.parse(line) as unknown);
  const started = performance.now();
  for (const line of parsed) appendFileSync(join(dir, "lines.jsonl"), `${JSON.stringify(line)}\n`);
  const seconds = (performance.now() - started) / 1000;
  rmSync(dir, { recursive: true });
  return seconds;
}

async function measureSchedule() {
  const flags = { jobs: 16, cache: false };
  const { asking } = await sit(400, { latency: 50 }, flags);
  const bare = await bareTimers(400, 50, 16);
  const answers = [{ pattern: "^Question 1 ", skills: [], latency: 2_000 }];
  const slow = await sit(400, { latency: 20, answers }, flags);
  return { toIdeal: asking / ((400 / 16) * 50), toBare: asking / bare, slowToIdeal: slow.asking / 2_000 };
}

async function bareTimers(count: number, ms: number, jobs: number): Promise<number> {
  const started = performance.now();
  let left = count;
  const worker = async () => {
    while (left-- > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return performance.now() - started;
}

/** In processes of their own, bundled, so that only the exam's memory is measured. */
async function measureScale() {
  const cache = join(import.meta.dirname, "..", "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, "proctor-bench-"));
  try {
    const bundle = await rolldown({
      input: { main: join(import.meta.dirname, "exam-scale.ts") },
      platform: "node",
      external: isOutside(),
    });
    await bundle.write({ dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
    await bundle.close();
    const half = runScale(join(dir, "main.mjs"), 20_000, 5);
    const whole = runScale(join(dir, "main.mjs"), 20_000, 10);
    const { trials, peakMb, sitSeconds, scoreSeconds, scoreCpuSeconds, scorePeakMb } = whole;
    return {
      trials,
      peakMb,
      sitSeconds,
      scoreSeconds,
      scoreCpuSeconds,
      scorePeakMb,
      doubling: whole.sitCpuSeconds / half.sitCpuSeconds,
      scoreDoubling: scoreCpuSeconds / half.scoreCpuSeconds,
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function runScale(program: string, questions: number, runs: number) {
  const child = (...args: string[]) =>
    JSON.parse(execFileSync(process.execPath, [program, ...args], { encoding: "utf8" })) as Record<
      string,
      number | string
    >;
  const sat = child("sit", String(questions), String(runs));
  try {
    const scored = child("score", "", "", String(sat["file"]));
    if (scored["trials"] !== questions * runs) throw new Error(`${scored["trials"]} trials are in the record`);
    return {
      trials: questions * runs,
      peakMb: Number(sat["peakMb"]),
      sitSeconds: Number(sat["sitSeconds"]),
      sitCpuSeconds: Number(sat["cpuSeconds"]),
      scoreSeconds: Number(scored["scoreSeconds"]),
      scoreCpuSeconds: Number(scored["cpuSeconds"]),
      scorePeakMb: Number(scored["peakMb"]),
    };
  } finally {
    rmSync(String(sat["dir"]), { recursive: true });
  }
}

function isOutside(): (id: string) => boolean {
  const file = join(import.meta.dirname, "..", "package.json");
  const { dependencies } = JSON.parse(readFileSync(file, "utf8")) as { dependencies: Record<string, string> };
  const names = Object.keys(dependencies);
  return (id) => id.startsWith("node:") || names.some((name) => id === name || id.startsWith(`${name}/`));
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(4)}`;
}
