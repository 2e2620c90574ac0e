import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { isAlive, readText, statOf, toPosix, UsageError } from "../../base/index.ts";
import { files } from "./fs-calls.ts";

/** Writing a lock or replacing a dead one never takes longer than this. */
const WRITING_MS = 10_000;
const MOST_BYTES = 10_000;

/** Locks a run's folder for this process until `release`. The lock of a dead process is taken over. */
export function lockRun(dir: string): { release(): void } {
  const file = join(dir, "lock");
  if (!claim(file) && !(isDead(file) && takeOver(file))) throw held(file);
  return { release: () => release(file) };
}

export function isLocked(dir: string): boolean {
  const file = join(dir, "lock");
  return modifiedMs(file) !== undefined && !isDead(file);
}

function release(file: string): void {
  const leftovers = namesIn(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.`));
  for (const name of leftovers) if (isDead(join(dirname(file), name))) remove(join(dirname(file), name));
  remove(file);
}

/** A folder that has become read-only keeps its lock, which blocks nobody once this process has ended. */
function remove(file: string): void {
  try {
    files.rmSync(file, { force: true });
  } catch {}
}

/** Written under another name first, so that a lock is never seen without its owner. */
function claim(file: string): boolean {
  const own = `${file}.${randomUUID().slice(0, 8)}`;
  try {
    files.writeFileSync(own, JSON.stringify(ownerNow()));
    files.linkSync(own, file);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    // Not every file system has hard links.
    if (isCode(error, "EPERM") || isCode(error, "ENOTSUP") || isCode(error, "ENOSYS")) return claimWithoutLink(file);
    throw error;
  } finally {
    remove(own);
  }
}

function claimWithoutLink(file: string): boolean {
  try {
    files.writeFileSync(file, JSON.stringify(ownerNow()), { flag: "wx" });
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

/**
 * Only one process at a time may replace a dead lock; otherwise a second one would remove the first one's new lock. It
 * holds a guard named after the dead lock. A guard whose process was killed is a dead lock in turn, with a guard of its
 * own, so nobody has to wait for it to age.
 */
function takeOver(file: string): boolean {
  const guards: string[] = [];
  for (let dead: string | undefined = file; dead !== undefined; dead = guards.at(-1)) {
    const guard = guardAfter(file, dead);
    if (guard === undefined) return false;
    guards.push(guard);
    if (claim(guard)) break;
    if (!isDead(guard)) return false;
  }
  try {
    const now = guardAfter(file, file);
    // Another process has taken it over and may hold it.
    if (now !== undefined && (now !== guards[0] || !isDead(file))) return false;
    // A lock that is gone by now may be another process's in a moment, so only the dead one is removed.
    if (now !== undefined) files.rmSync(file, { force: true });
    return claim(file);
  } finally {
    for (const guard of guards) remove(guard);
  }
}

function guardAfter(file: string, dead: string): string | undefined {
  if (modifiedMs(dead) === undefined) return undefined;
  const read = readText(dead, { mostBytes: MOST_BYTES });
  const text = read.status === "unreadable" ? "" : read.text;
  return `${file}.after-${createHash("sha256")
    .update(`${basename(dead)}\n${text}`)
    .digest("hex")
    .slice(0, 12)}`;
}

/**
 * Process ids are reused, at the latest after a reboot, so a lock also says when its process and the machine started.
 */
interface LockOwner {
  pid: number;
  host: string;
  boot?: string;
  began?: string;
}

function isDead(file: string): boolean {
  const owner = readOwner(file);
  if (owner === undefined) {
    // Either its process was killed between creating and writing it, or it is being written now; then it is young.
    const since = modifiedMs(file);
    return since === undefined || isOld(since);
  }
  if (owner.host !== hostname()) return false;
  if (differs(owner.boot, bootId())) return true;
  return !isAlive(owner.pid) || differs(owner.began, beginningOf(owner.pid));
}

function differs(then: string | undefined, now: string | undefined): boolean {
  return then !== undefined && now !== undefined && then !== now;
}

function ownerNow(): LockOwner {
  return { pid: process.pid, host: hostname(), boot: bootId(), began: beginningOf(process.pid) };
}

/** Linux only; elsewhere the process id must do. */
function bootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return undefined;
  }
}

function beginningOf(pid: number): string | undefined {
  try {
    return statOf(pid)[19];
  } catch {
    return undefined;
  }
}

function readOwner(file: string): LockOwner | undefined {
  const read = readText(file, { mostBytes: MOST_BYTES });
  if (read.status === "unreadable") return undefined;
  try {
    const { pid, host, boot, began } = JSON.parse(read.text) as Record<string, unknown>;
    if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== "string") return undefined;
    return {
      pid,
      host,
      boot: typeof boot === "string" ? boot : undefined,
      began: typeof began === "string" ? began : undefined,
    };
  } catch {
    return undefined;
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function modifiedMs(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** Also true if the clock was set back since. */
function isOld(since: number): boolean {
  return Math.abs(Date.now() - since) > WRITING_MS;
}

function held(file: string): UsageError {
  const owner = readOwner(file);
  const who =
    owner === undefined
      ? "another process"
      : owner.host === hostname()
        ? `process ${owner.pid}`
        : `process ${owner.pid} on ${owner.host}`;
  return new UsageError(
    `This run is being written by ${who}`,
    `Wait for it to end. If it no longer exists, delete ${toPosix(file)}.`,
  );
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
