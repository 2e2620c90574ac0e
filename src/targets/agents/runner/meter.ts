import { readFileSync } from "node:fs";

export interface Resources {
  peakMemoryMb?: number;
  cpuMs?: number;
}

/** Looks at a process from time to time; what it saw last is all there is once the process is gone. Linux only. */
export class Meter {
  #pid: number;
  #timer: NodeJS.Timeout | undefined;
  #seen: Resources = {};

  constructor(pid: number | undefined) {
    this.#pid = pid ?? 0;
    if (pid === undefined || process.platform !== "linux") return;
    this.#timer = setInterval(() => this.look(), 200);
    this.#timer.unref();
  }

  look(): void {
    if (this.#timer === undefined) return;
    try {
      const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.#pid}/status`, "utf8"))?.[1];
      if (peak !== undefined) this.#seen.peakMemoryMb = Math.round(Number(peak) / 1024);
      // After the command's name in brackets: state is field 0, user and system time (also of ended children) are 11 to 14, in 1/100 s.
      const fields = readFileSync(`/proc/${this.#pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
      this.#seen.cpuMs = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]) * 10, 0);
    } catch {
      // Ended meanwhile.
    }
  }

  stop(): Resources {
    clearInterval(this.#timer);
    this.#timer = undefined;
    return this.#seen;
  }
}
