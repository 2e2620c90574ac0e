import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * The name of the variable that marks every process of a trial. Agents start shells in sessions of their own, which neither the process
 * group nor the parent's id leads to once the agent is dead; the environment they inherited still does.
 */
export const MARKER = "PROCTOR_TRIAL";

/** Sends a signal to the process group of a child that was started detached. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    if (process.platform === "win32") execFileSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    else process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
}

/** Kills what is left of a trial, however far it went from its parent. Returns how many processes that were. */
export function killMarked(marker: string): number {
  const pids = marked(marker);
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
  return pids.length;
}

/** Processes that carry the marker. Linux shows every process's environment in /proc, other Unixes with `ps -E`. */
function marked(marker: string): number[] {
  if (process.platform === "linux") return fromProc(`${MARKER}=${marker}`);
  if (process.platform === "win32") return [];
  return fromPs(`${MARKER}=${marker}`);
}

function fromProc(entry: string): number[] {
  const found: number[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      if (readFileSync(`/proc/${name}/environ`, "latin1").split("\0").includes(entry)) found.push(pid);
    } catch {
      // Ended meanwhile, or another user's.
    }
  }
  return found;
}

function fromPs(entry: string): number[] {
  try {
    const lines = execFileSync("ps", ["-axwwE", "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 64_000_000 }).split("\n");
    return lines
      .filter((line) => line.split(" ").includes(entry))
      .map((line) => Number.parseInt(line, 10))
      .filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  } catch {
    return [];
  }
}
