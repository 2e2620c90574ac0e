// Two records of 100,000 trials side by side, in a process of its own (npm run build first): npm run bench -- compare [--trials 100000] [--simulate] [--rounds 500] [--json]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createMask } from "../src/base/index.ts";
import { createRecord } from "../src/exam/record/index.ts";
import type { QuestionLine } from "../src/model/index.ts";
import { simulate } from "./compare-simulate.ts";

const { values } = parseArgs({
  options: {
    trials: { type: "string", default: "100000" },
    simulate: { type: "boolean" },
    rounds: { type: "string", default: "500" },
    json: { type: "boolean" },
  },
});

interface Found {
  seconds: number;
  cpu: number;
  megabytes: number;
}

if (values.simulate) console.log(simulate(Number(values.rounds)));
else await measure(Number(values.trials));

/** 20 skills, 5 runs of each prompt, every other prompt a positive of one skill and a negative of its sibling. */
async function measure(trials: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "proctor-bench-compare-"));
  try {
    const files = [await write(home, trials, 0.9, "2026-11-15"), await write(home, trials, 0.88, "2026-11-16")];
    const found = measured(home, files);
    const holds = trials > 100_000 || (found.seconds < 5 && found.megabytes < 300);
    if (values.json) console.log(JSON.stringify({ trials, ...found }));
    else
      console.log(
        `two records of ${trials} trials: ${found.seconds.toFixed(2)} s (${found.cpu.toFixed(2)} s of CPU), ${Math.round(found.megabytes)} MB at most`,
      );
    if (!holds) console.log("more than 5 s or 300 MB");
    process.exitCode = holds ? 0 : 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** `proctor compare` as it is shipped: the built command, in a process of its own. */
function measured(home: string, [before = "", now = ""]: string[]): Found {
  const meter = join(home, "meter.json");
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const args = ["--import", file("./scale/meter.mjs"), file("../dist/cli/main.js"), "compare", before, now];
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home, SCALE_METER: meter },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0 && status !== 1 && status !== 3)
    throw new Error(`proctor compare ended with ${status}: ${stderr.slice(-2_000)}`);
  const { cpuSeconds, peakMb } = JSON.parse(readFileSync(meter, "utf8")) as { cpuSeconds: number; peakMb: number };
  return { seconds, cpu: cpuSeconds, megabytes: peakMb };
}

async function write(home: string, trials: number, rate: number, day: string): Promise<string> {
  const target = "claude:haiku";
  const skills = Array.from({ length: 20 }, (_, index) => `skill-${index}`);
  const identity = { options: {}, deterministic: false };
  const start = {
    proctor: "0.0.0",
    node: process.version,
    platform: process.platform,
    startedAt: `${day}T10:00:00.000Z`,
    library: {
      name: "bench",
      root: home,
      fingerprint: rate.toString(),
      skills: skills.map((id) => ({ id, fingerprint: `${id} ${rate}`, modelInvocable: true })),
    },
    suite: { fingerprint: "suite", files: ["triggers.yaml"] },
    targets: [{ id: target, kind: "agent", predicted: false, identity, fingerprint: "same" }],
    options: { earlyStop: false },
    optionsFingerprint: "same",
  };
  const record = await createRecord(home, start, { mask: createMask([]) });
  const asks = Math.ceil(trials / 5);
  const question = (ask: number, skill: string, positive: boolean): QuestionLine => ({
    type: "question",
    id: `triggers.yaml#${ask}-${skill}`,
    kind: "trigger",
    skill,
    positive,
    ask: `ask ${ask}`,
    prompt: `What about case ${ask} of the things that people ask?`,
    expect: {
      required_skills: positive ? [skill] : [],
      forbidden_skills: positive ? [] : [skill],
      also_fine: [],
      mode: "any_order",
      allow_extra: true,
    },
    source: { file: "triggers.yaml", line: ask + 1 },
    tags: [],
    runs: { [target]: 5 },
    skipped: {},
  });
  const { seeded } = await import("../src/exam/score/statistics/distributions.ts");
  const random = seeded(`${day} ${rate}`);
  const both = Array.from({ length: asks }, (_, ask) => {
    const own = question(ask, skills[ask % 20]!, true);
    return ask % 2 === 0 ? [own] : [own, question(ask, skills[(ask + 1) % 20]!, false)];
  });
  for (const questions of both) await Promise.all(questions.map((one) => record.question(one)));
  for (const [ask, questions] of both.entries()) {
    await Promise.all(
      Array.from({ length: 5 }, (_, run) => {
        const right = random() < rate;
        const fired = skills[(ask + (right ? 0 : 1)) % 20]!;
        return record.trial({
          type: "trial",
          target,
          ask: `ask ${ask}`,
          run: run + 1,
          startedAt: `${day}T10:00:0${run}.000Z`,
          ms: 1000,
          how: "completed",
          turns: 1,
          activations: [{ skill: fired, turn: 1, evidence: "loaded" }],
          checks: questions.map(({ id }) => ({
            question: id,
            passed: right,
            score: Number(right),
            message: right ? "" : `${fired} fired`,
          })),
          attempts: [{ ms: 1000, costUsd: 0.01 }],
          costUsd: 0.01,
        });
      }),
    );
  }
  await record.close({
    type: "footer",
    endedAt: `${day}T11:00:00.000Z`,
    how: "complete",
    notAsked: {},
    saved: { trials: 0 },
  });
  return record.file;
}
