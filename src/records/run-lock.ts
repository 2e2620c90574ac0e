import { closeSync, mkdirSync, openSync, readFileSync, rmdirSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { toPosix, UsageError } from "../base/index.ts";

/** Replacing a dead lock never takes longer than this. */
const REPLACING_MS = 10_000;

/** Holds a run's folder for this process until `release`. A lock whose process is gone is taken over. */
export function lockRun(dir: string): { release(): void } {
  const file = join(dir, "lock");
  if (!claim(file) && !(isDead(file) && takeOver(file))) throw held(file);
  return { release: () => rmSync(file, { force: true }) };
}

function claim(file: string): boolean {
  try {
    const fd = openSync(file, "wx");
    writeSync(fd, JSON.stringify({ pid: process.pid, host: hostname() }));
    closeSync(fd);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Only one process at a time may replace a dead lock; otherwise a second one would remove the new lock of the first. */
function takeOver(file: string): boolean {
  const guard = `${file}.replacing`;
  try {
    mkdirSync(guard);
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    if (Date.now() - statSync(guard).mtimeMs > REPLACING_MS) rmdirSync(guard);
    return false;
  }
  try {
    if (!isDead(file)) return false;
    rmSync(file, { force: true });
    return claim(file);
  } finally {
    rmdirSync(guard);
  }
}

function isDead(file: string): boolean {
  const owner = readOwner(file);
  if (owner === undefined || owner.host !== hostname()) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return isCode(error, "ESRCH");
  }
}

function readOwner(file: string): { pid: number; host: string } | undefined {
  try {
    const owner = JSON.parse(readFileSync(file, "utf8")) as { pid?: unknown; host?: unknown } | null;
    return typeof owner?.pid === "number" && typeof owner.host === "string" ? { pid: owner.pid, host: owner.host } : undefined;
  } catch {
    return undefined;
  }
}

function held(file: string): UsageError {
  const owner = readOwner(file);
  const who =
    owner === undefined ? "another process" : owner.host === hostname() ? `process ${owner.pid}` : `process ${owner.pid} on ${owner.host}`;
  return new UsageError(`This run is being written by ${who}`, `Wait for it to end. If it no longer exists, delete ${toPosix(file)}.`);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
