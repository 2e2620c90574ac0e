// What a fleet takes and what it survives, with a real Redis and real worker processes. Everything is on this machine: with fewer processors
// than workers, the times say how the processes share them.
// npm run bench -- fleet [throughput memory chaos] [TRIALS of memory or chaos] [--json]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { type Built, build, startCommand } from "../test/cli/run-built.ts";
import { chaos } from "../test/fleet/world/chaos.ts";
import { FleetWorld } from "../test/fleet/world/fleet-world.ts";
import { Processes, until } from "../test/fleet/world/processes.ts";
import type { RedisOptions } from "../test/fleet/world/redis.ts";
import { isHere } from "../test/tools.ts";

const words = process.argv.slice(2);
const json = words.includes("--json");
const chosen = words.filter((word) => !word.startsWith("--"));
const wants = (name: string) => chosen.length === 0 || chosen.includes(name);
const say = (line: string) => json || process.stdout.write(`${line}\n`);
if (!isHere("redis")) throw new Error("redis-server is not installed");

const processes = await Processes.build();
const coordinator = await build(join(import.meta.dirname, "fleet-run.ts"));
const results: Record<string, unknown> = {};
try {
  if (wants("throughput")) results["throughput"] = await throughput();
  const trials = chosen.find((word) => /^\d+$/.test(word));
  if (wants("memory")) results["memory"] = await memory(Number(trials ?? 200_000));
  if (wants("chaos")) results["chaos"] = await chaosOf(Number(trials ?? 1_000));
} finally {
  await processes.killAll();
  processes.remove();
  coordinator.remove();
}
if (json) process.stdout.write(`${JSON.stringify(results)}\n`);

/** 2,000 trials of 50 ms on 1, 2 and 4 workers of 8 jobs. */
async function throughput() {
  const rows: object[] = [];
  for (const workers of [1, 2, 4]) {
    const world = await worldOf(2_000, 50);
    try {
      const started = Array.from({ length: workers }, (_, index) =>
        processes.worker(world, `w${index + 1}`, { jobs: 8 }),
      );
      await until("all workers are ready", () => started.every((worker) => worker.out().includes("at once")));
      // Workers live long: their code is warm.
      await measuredRun(coordinator, world, 1, 400 * workers);
      const before = await usage(world);
      const cpuBefore = workerCpu(started);
      const run = await measuredRun(coordinator, world);
      const after = await usage(world);
      const ideal = (2_000 * 50) / (workers * 8);
      // What one slot spends on a trial beyond the trial itself.
      const overhead = ((run.ms - ideal) * workers * 8) / 2_000;
      const row = {
        workers,
        seconds: run.ms / 1000,
        toIdeal: run.ms / ideal,
        overheadMs: overhead,
        cpuMsPerTrial: {
          run: run.cpuMs / 2_000,
          workers: (workerCpu(started) - cpuBefore) / 2_000,
          redis: (after.cpuMs - before.cpuMs) / 2_000,
        },
        redis: {
          commandsPerTrial: (after.commands - before.commands) / 2_000,
          bytesPerTrial: (after.bytes - before.bytes) / 2_000,
          peakMb: after.peakMb,
        },
      };
      rows.push(row);
      say(
        `${workers} workers of 8   2,000 trials of 50 ms in ${row.seconds.toFixed(2)} s: ${row.toIdeal.toFixed(3)}× the ideal (limit 1.15), ${overhead.toFixed(2)} ms a trial beyond it (limit 5); processor time a trial: run ${row.cpuMsPerTrial.run.toFixed(2)} ms, worker ${row.cpuMsPerTrial.workers.toFixed(2)} ms, Redis ${row.cpuMsPerTrial.redis.toFixed(2)} ms; ${row.redis.commandsPerTrial.toFixed(1)} commands and ${(row.redis.bytesPerTrial / 1024).toFixed(1)} KB through Redis, at most ${row.redis.peakMb.toFixed(1)} MB in it`,
      );
    } finally {
      await processes.killAll();
      await world.close();
    }
  }
  return rows;
}

async function memory(trials: number) {
  const runs = 10;
  const world = await worldOf(trials / runs, 0);
  // One that is deterministic would be asked once.
  world.script({ answers: [{ pattern: "[02468] for 0$", skills: ["skill-0"] }], default: { skills: [] } });
  try {
    for (const name of ["w1", "w2"]) processes.worker(world, name, { jobs: 8 });
    const { ms, peakMb, scoredMb, kept } = await measuredRun(coordinator, world, runs);
    const { peakMb: redisMb } = await usage(world);
    if (kept !== trials) throw new Error(`${kept} of ${trials} trials are in the record`);
    say(
      `memory         ${trials.toLocaleString("en")} instant trials in ${(ms / 1000).toFixed(0)} s (${(ms / trials).toFixed(2)} ms each): the run at most ${peakMb.toFixed(0)} MB (limit 300), ${scoredMb.toFixed(0)} MB once it is scored, Redis ${redisMb.toFixed(0)} MB`,
    );
    return { trials, seconds: ms / 1000, msPerTrial: ms / trials, peakMb, scoredMb, redisMb };
  } finally {
    await processes.killAll();
    await world.close();
  }
}

async function chaosOf(trials: number) {
  const world = await worldOf(trials, 100, { persistent: true });
  world.env["PROCTOR_FLEET_LEASE"] = "2";
  try {
    const after = await chaos(world, processes, trials);
    const { distinct, errors, kills, seconds, same } = after;
    say(
      `chaos          ${after.trials} trials in the record, ${distinct} distinct, ${errors} errors, after ${kills} workers were killed, Redis restarted twice and the run killed once (${seconds.toFixed(0)} s); ${same ? "the same scores as a quiet run" : "OTHER SCORES than a quiet run"}`,
    );
    if (after.trials !== trials || distinct !== trials || errors > 0 || kills === 0 || !same) process.exitCode = 1;
    return after;
  } finally {
    await processes.killAll();
    await world.close();
  }
}

async function worldOf(questions: number, latency: number, redis: RedisOptions = {}): Promise<FleetWorld> {
  const world = await FleetWorld.open(redis);
  world.exam(questions, latency);
  return world;
}

interface Measured {
  ms: number;
  cpuMs: number;
  /** While trials were made, and with the report that follows. */
  peakMb: number;
  scoredMb: number;
  kept: number;
}

async function measuredRun(
  built: Built,
  { dir, env, redis }: FleetWorld,
  runs = 1,
  maxTrials?: number,
): Promise<Measured> {
  const args = [redis.url, String(runs), ...(maxTrials === undefined ? [] : [String(maxTrials)])];
  const { code, stdout, stderr } = await startCommand(built, dir, args, env).ended;
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Measured;
}

function workerCpu(workers: { process: { pid?: number | undefined } }[]): number {
  return workers.reduce((sum, { process: { pid } }) => sum + cpuOf(pid ?? 0), 0);
}

/** User and system time of a process so far, in ms. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function usage({ redis: { url } }: FleetWorld) {
  const client = new Redis(url);
  const info = await client.info();
  client.disconnect();
  const number = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(info)?.[1] ?? 0);
  return {
    cpuMs: (number("used_cpu_user") + number("used_cpu_sys")) * 1000,
    commands: number("total_commands_processed"),
    bytes: number("total_net_input_bytes") + number("total_net_output_bytes"),
    peakMb: number("used_memory_peak") / 1024 ** 2,
  };
}
