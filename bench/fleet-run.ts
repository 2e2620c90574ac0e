import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { run } from "../src/verbs/index.ts";

/** A run on workers in a process of its own: prints what it took, from the first trial that is handed out to the last that comes back. */
// As the command line has it (src/cli/main.ts).
setFlagsFromString("--heap-growing-percent=50");
const [workers = "", runs = "1", maxTrials] = process.argv.slice(2);
let first = 0;
let last = 0;
let kept = 0;
let peakMb = 0;
let cpu = process.cpuUsage();
await run({
  targets: ["script:answers.yaml"],
  workers,
  runs: Number(runs),
  maxTrials: maxTrials === undefined ? undefined : Number(maxTrials),
  earlyStop: false,
  cache: false,
  on(event) {
    if (event.type === "trial" && ++kept % 500 === 0) peakMb = peak();
    if (event.type !== "schedule") return;
    if (event.event.type === "started" && first === 0) {
      first = performance.now();
      cpu = process.cpuUsage();
    }
    if (event.event.type === "ended") last = performance.now();
  },
});
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(
  `${JSON.stringify({ ms: last - first, cpuMs: (user + system) / 1000, peakMb, scoredMb: peak(), kept })}\n`,
);

/** The most memory that was resident, in MB. (`maxRSS` of Node begins with that of the process which started this one.) */
function peak(): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
}
