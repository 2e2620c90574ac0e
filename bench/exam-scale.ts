import { loadConfig } from "../src/base/options/index.ts";
import { askExam, planExams } from "../src/exam/index.ts";
import { readRecord } from "../src/exam/record/index.ts";
import { scoreRecord } from "../src/exam/score/index.ts";
import { makeLibrary } from "./exam-library.ts";

/** A run of so many trials in a process of its own: prints what it took as one line of JSON. */
const [mode = "sit", questions = "66667", runs = "3", dir = ""] = process.argv.slice(2);
let cpu = process.cpuUsage();
const clock = () => performance.now() / 1000;

if (mode === "sit") {
  const library = makeLibrary(50, Number(questions), {});
  const started = clock();
  const config = await loadConfig({ cwd: library.dir, env: {} });
  const flags = { targets: ["script:answers.yaml"], runs: Number(runs), earlyStop: false, cache: false, jobs: 16 };
  const [exam] = await planExams({ cwd: library.dir, config, env: {}, flags });
  const planned = clock();
  cpu = process.cpuUsage();
  const { place } = await askExam(exam!);
  print({ dir: library.dir, file: place.file, planSeconds: planned - started, sitSeconds: clock() - planned });
} else {
  const started = clock();
  const scores = await scoreRecord(readRecord(dir));
  print({ trials: scores.targets[0]!.trials.total, scoreSeconds: clock() - started });
}

function print(values: object): void {
  const { user, system } = process.cpuUsage(cpu);
  process.stdout.write(
    `${JSON.stringify({ ...values, cpuSeconds: (user + system) / 1e6, peakMb: process.resourceUsage().maxRSS / 1024 })}\n`,
  );
}
