import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { basename, join } from "node:path";
import { isPrivate } from "./alone.ts";

/** What trials of this process could leave on the machine, in words for people. What is new afterwards has been left behind. */
export interface Surroundings {
  /** In places that nobody else uses: Proctor's cache, marked processes, and whatever a namespace of our own holds. */
  own: Set<string>;
  /** In places that other programs use at the same time: only names that tell whose they are can be blamed on a trial. */
  shared: Set<string>;
}

export function surroundings(cacheDir: string): Surroundings {
  const folders = SHARED.flatMap(namesIn);
  const inHome = [homedir(), userInfo().homedir]
    .flatMap((home) => IN_HOME.map((dir) => join(home, dir)))
    .flatMap(namesIn);
  const memory = ["shm", "sem", "msg"].flatMap((kind) =>
    rows(`/proc/sysvipc/${kind}`).map((row) => `${kind} ${row.split(/\s+/)[1]}`),
  );
  const network = [...sockets(), ...memory];
  return {
    own: new Set([
      ...filesBelow(cacheDir),
      ...processes(`prw-${process.pid}-`),
      ...(isPrivate("folders") ? folders : []),
      ...(isPrivate("network") ? network : []),
    ]),
    shared: new Set([...inHome, ...(isPrivate("folders") ? [] : folders), ...(isPrivate("network") ? [] : network)]),
  };
}

/** Empty when nothing was left. `cli`: the CLI's id, which is in the names of files that it makes outside of its workspace. */
export function leftBehind(before: Surroundings, cacheDir: string, cli: string): string[] {
  const { own, shared } = surroundings(cacheDir);
  const isTold = (thing: string) =>
    thing.includes(`prw-${process.pid}-`) || basename(thing).toLowerCase().includes(cli);
  const left = [
    ...[...own].filter((thing) => !before.own.has(thing)),
    ...[...shared].filter((thing) => !before.shared.has(thing) && isTold(thing)),
  ];
  return left.filter((thing) => !OURS.some((pattern) => pattern.test(thing)));
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
