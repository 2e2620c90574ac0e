import { execFileSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { isAlive, statOf } from "../../../base/index.ts";

/**
 * Names a folder after this process, so that a later one can tell whether its owner is alive. The process id is not
 * enough: ids are reused, and mean something else in another container.
 */
export function ownName(prefix: string): string {
  own ??= `${process.pid}-${idSpace()}.${startOf(process.pid) ?? UNKNOWN}`;
  return `${prefix}-${own}-`;
}

/** `unknown`: cannot be told from here. Undefined: not a name of ours. */
export function ownerState(name: string, prefix: string): "alive" | "dead" | "unknown" | undefined {
  const found = new RegExp(`^${prefix}-(\\d+)-(?:([0-9a-z]+)\\.([0-9a-z_]+)-)?`).exec(name);
  if (found === null) return undefined;
  const [, pid, space, start] = found;
  if (space !== undefined && space !== idSpace()) return "unknown";
  if (!isAlive(Number(pid))) return "dead";
  const now = startOf(Number(pid));
  if (start === undefined || start === UNKNOWN || now === undefined) return "unknown";
  return start === now ? "alive" : "dead";
}

const UNKNOWN = "_";
/** Linux's number for the initial pid namespace; those of containers follow. */
const FIRST_SPACE = 4_026_531_836;
let own: string | undefined;

function idSpace(): string {
  try {
    const number = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
    return Math.abs(Number(number) - FIRST_SPACE).toString(36);
  } catch {
    return "0";
  }
}

function startOf(pid: number): string | undefined {
  try {
    if (process.platform === "linux") return Number(statOf(pid)[19]).toString(36);
    if (process.platform === "win32") return undefined;
    const told = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env: { LC_ALL: "C" } });
    const started = Date.parse(told.trim());
    return Number.isNaN(started) ? undefined : (started / 1000).toString(36);
  } catch {
    return undefined;
  }
}
