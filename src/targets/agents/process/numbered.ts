import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isAlive, remember } from "../../../base/index.ts";
import { findOnPath, isExecutable } from "./on-path.ts";

/*
 * Everything a trial starts inherits a number: its hard limit on file locks, which Linux has kept but no longer heeds.
 * It survives every change of parent, session, folder, environment and program, and only a process that may raise
 * limits (root, outside of most containers) can reset it. So a process with one of our numbers is ours, however it
 * tried to get away.
 */

const PER_PROCESS = 2 ** 20;
const live = new Set<number>();
let issued = 0;

export interface Numbered {
  /** Sets the number on itself, then becomes the given command. */
  command: { file: string; args: string[] };
  number: number | undefined;
  release(): void;
}

/** Unchanged if there is no `prlimit`, or if the file cannot be executed: starting it reports that. */
export function numbered(command: { file: string; args: string[] }): Numbered {
  const prlimit = isAbsolute(command.file) && isExecutable(command.file) ? program("/usr/bin:/bin") : undefined;
  if (prlimit === undefined) return { command, number: undefined, release() {} };
  const number = process.pid * PER_PROCESS + (issued++ % PER_PROCESS);
  live.add(number);
  return {
    command: { file: prlimit, args: [`--locks=${number}:${number}`, "--", command.file, ...command.args] },
    number,
    release: () => void live.delete(number),
  };
}

/** A lower number that is not in use is one the process gave itself. */
export function hasNumber(pid: number, number: number): boolean {
  const own = numberOf(pid);
  if (own === undefined || own > number) return false;
  if (own === number) return true;
  const issuer = Math.floor(own / PER_PROCESS);
  return issuer === process.pid ? !live.has(own) : issuer === 0 || !isAlive(issuer);
}

function numberOf(pid: number | "self"): number | undefined {
  try {
    const hard = /^Max file locks\s+\S+\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "latin1"))?.[1];
    return hard === undefined ? undefined : Number(hard);
  } catch {
    // Ended meanwhile.
    return undefined;
  }
}

/** Not inside another Proctor's trial: a limit cannot be raised. */
const program = remember((path) =>
  process.platform === "linux" && numberOf("self") === undefined ? findOnPath("prlimit", { PATH: path }) : undefined,
);
