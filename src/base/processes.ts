import { readFileSync } from "node:fs";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  try {
    // A killed process keeps its id until its parent notices.
    return process.platform !== "linux" || statOf(pid)[0] !== "Z";
  } catch {
    return true;
  }
}

/** Fields of /proc/PID/stat after the name, which may hold blanks and brackets: state, parent, group, … */
export function statOf(pid: number | string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
