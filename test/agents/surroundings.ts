import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * Everything that trials of this process could leave on the machine: names in the folders that all share, in the user's own and in Proctor's
 * cache, sockets, shared memory, and processes. What is here afterwards and was not before has been left behind.
 */
export function surroundings(cacheDir: string): Set<string> {
  const own = `prw-${process.pid}-`;
  return new Set([
    ...SHARED.flatMap(namesIn),
    ...[homedir(), userInfo().homedir].flatMap((home) => IN_HOME.map((dir) => join(home, dir))).flatMap(namesIn),
    ...filesBelow(cacheDir),
    ...sockets(),
    ...["shm", "sem", "msg"].flatMap((kind) => rows(`/proc/sysvipc/${kind}`).map((row) => `${kind} ${row.split(/\s+/)[1]}`)),
    ...processes(own),
  ]);
}

/** In words for people; empty when nothing was left. */
export function leftBehind(before: ReadonlySet<string>, cacheDir: string): string[] {
  return [...surroundings(cacheDir)].filter((thing) => !before.has(thing) && !OURS.some((pattern) => pattern.test(thing)));
}

const SHARED = [...new Set([tmpdir(), "/tmp", "/var/tmp", "/dev/shm", "/run", `/run/user/${process.getuid?.()}`])];
const IN_HOME = ["", ".cache", ".config", ".local", ".local/share", ".local/state"];
/**
 * Of this test program itself: its libraries, which it removes at its end, what compiles it, and canaries that passed; and what Copilot unpacks of itself
 * at its first start on a machine, for all trials.
 */
const OURS = [
  /[\\/](proctor|bench)-[\w-]+$/,
  /[\\/](jiti|node-compile-cache)$/,
  /[\\/]canary[\\/]/,
  /[\\/]copilot[\\/](copilot([\\/]pkg([\\/]|$)|$)|Microsoft([\\/]|$))/,
];

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).map((name) => join(dir, name));
  } catch {
    return [];
  }
}

function filesBelow(dir: string): string[] {
  try {
    return readdirSync(dir, { recursive: true }).map((name) => join(dir, String(name)));
  } catch {
    return [];
  }
}

function sockets(): string[] {
  return rows("/proc/net/unix").flatMap((row) => {
    const path = row.split(/\s+/)[7];
    return path ? [`socket ${path}`] : [];
  });
}

function rows(table: string): string[] {
  try {
    return readFileSync(table, "utf8")
      .split("\n")
      .slice(1)
      .filter((row) => row !== "");
  } catch {
    return [];
  }
}

/** Those that carry the mark of a trial of ours, or work in its folder, whatever they are by now. */
function processes(own: string): string[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    const look = (read: () => string) => {
      try {
        return read();
      } catch {
        return "";
      }
    };
    const marked = look(() => readFileSync(`/proc/${pid}/environ`, "latin1")).includes(`PROCTOR_TRIAL=${own}`);
    const inside = look(() => readlinkSync(`/proc/${pid}/cwd`)).includes(`/${own}`);
    const command = look(() => readFileSync(`/proc/${pid}/cmdline`, "latin1")).replaceAll("\0", " ");
    return (marked || inside) && command !== "" ? [`process ${pid} ${command.slice(0, 80)}`] : [];
  });
}
