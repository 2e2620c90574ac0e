/**
 * How time and memory grow with the library: `check`, `run`, `collisions` and `report` on two made-up libraries, the second four times as large.
 *
 *   npm run bench -- scale [--small SKILLS] [--large SKILLS] [--trials N] [--json]
 *
 * An exponent of 1 is in proportion to the size. It is that of the processor time, so that a busy machine matters less.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { QUESTIONS_PER_SKILL, writeLibrary } from "./scale/library.ts";
import { writeRecord } from "./scale/record.ts";

const project = fileURLToPath(new URL("..", import.meta.url));
const main = join(project, "dist", "cli", "main.js");
const meter = join(project, "bench", "scale", "meter.mjs");
const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    small: { type: "string", default: "1250" },
    large: { type: "string", default: "5000" },
    trials: { type: "string", default: "500000" },
  },
});
const sizes = [Number(values.small), Number(values.large)] as const;

interface Taken {
  seconds: number;
  cpuSeconds: number;
  peakMb: number;
}

const scratch = mkdtempSync(join(tmpdir(), "proctor-scale-"));
try {
  spawnSync(process.execPath, [join(project, "scripts", "build.mjs")], { cwd: project, stdio: ["ignore", 2, 2] });
  const commands: Record<string, readonly [Taken, Taken]> = {};
  const taken = sizes.map((skills) => {
    const dir = join(scratch, String(skills));
    mkdirSync(join(dir, ".git"), { recursive: true });
    writeLibrary(dir, skills);
    return { check: measure(dir, "check"), run: measure(dir, "run"), collisions: measure(dir, "collisions", "--json") };
  });
  for (const name of ["check", "run", "collisions"] as const) commands[name] = [taken[0]![name], taken[1]![name]];
  const trials = Number(values.trials);
  commands["report"] = [reportOf(trials / 4), reportOf(trials)];

  const growth = Math.log(sizes[1] / sizes[0]);
  const result = Object.fromEntries(
    Object.entries(commands).map(([name, [small, large]]) => {
      const exponent = Math.log(large.cpuSeconds / small.cpuSeconds) / (name === "report" ? Math.log(4) : growth);
      return [name, { small, large, exponent: Math.round(exponent * 100) / 100 }];
    }),
  );
  for (const [name, { small, large, exponent }] of Object.entries(result)) {
    const size =
      name === "report"
        ? [`${trials / 4} trials`, `${trials} trials`]
        : sizes.map((n) => `${n} × ${QUESTIONS_PER_SKILL * n}`);
    process.stderr.write(
      `${name.padEnd(11)} n^${exponent}   ${size[0]}: ${text(small)}   ${size[1]}: ${text(large)}\n`,
    );
  }
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function text({ seconds, cpuSeconds, peakMb }: Taken): string {
  return `${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} of processor time), ${peakMb.toFixed(0)} MB`;
}

function reportOf(trials: number): Taken {
  const dir = join(scratch, `record-${trials}`);
  writeRecord(dir, trials);
  return measure(dir, "report");
}

/** A command in a process of its own. Questions that fail are no fault; a command that breaks is. */
function measure(dir: string, ...args: string[]): Taken {
  const file = join(scratch, "meter.json");
  rmSync(file, { force: true });
  const { status, stderr } = spawnSync(process.execPath, ["--import", meter, main, ...args], {
    cwd: dir,
    env: { PATH: process.env["PATH"], HOME: dir, SCALE_METER: file },
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (status !== 0 && status !== 1 && status !== 3)
    throw new Error(`proctor ${args[0]} ended with ${status}: ${stderr.slice(-2_000)}`);
  return JSON.parse(readFileSync(file, "utf8")) as Taken;
}
