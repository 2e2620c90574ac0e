import { spawnSync } from "node:child_process";
import { cacheFolder } from "./install.ts";

/** Of util-linux, where it is allowed. */
const UNSHARE = "unshare";
const UP = "ip link set lo up";
const SHARED = ["/tmp", "/var/tmp", "/dev/shm"];
/** With folders of its own in place of those that all share, whatever is new in them is the CLIs'. */
const EMPTY = SHARED.map((dir) => `mount -t tmpfs -o mode=1777 none ${dir}`).join(" && ");
/** What is nobody else's here: sockets and shared memory, and with "folders" also those above. Unset outside of a namespace. */
const ALONE = "PROCTOR_AGENTS_ALONE";
const GIVE_UP = "setpriv --ambient-caps=-all --inh-caps=-all";

/** The same as a namespace of root's, or of a user's own; in the latter the leave to change it is given up before the CLIs start. */
const WAYS = [
  { options: ["-n", "-i", "-m"], script: `${UP} && ${EMPTY} && exec "$@"` },
  { options: ["-n", "-i"], script: `${UP} && exec "$@"` },
  { options: ["-c", "-n", "-i", "-m", "--keep-caps"], script: `${UP} && ${EMPTY} && exec ${GIVE_UP} "$@"` },
  { options: ["-c", "-n", "-i", "--keep-caps"], script: `${UP} && exec ${GIVE_UP} "$@"` },
];

/**
 * Runs this program once more where only 127.0.0.1 can be reached and nothing of the outside is in the environment.
 * Returns its exit code; undefined where this program itself is to do the work.
 */
export function alone(quiet = false): number | undefined {
  const say = quiet ? console.error : console.log;
  if (process.env[ALONE] !== undefined) {
    say("in a network of its own: only 127.0.0.1 can be reached");
    return undefined;
  }
  const way = process.platform === "linux" ? WAYS.find(works) : undefined;
  if (way === undefined) {
    say("network namespaces are not allowed here: CLIs are kept to 127.0.0.1 by their settings only");
    return undefined;
  }
  const { PATH, HOME, PROCTOR_AGENTS_CACHE } = process.env;
  const env = {
    PATH,
    HOME,
    [ALONE]: way.options.includes("-m") ? "folders" : "network",
    ...(PROCTOR_AGENTS_CACHE && { PROCTOR_AGENTS_CACHE }),
  };
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  return (
    spawnSync(UNSHARE, [...way.options, "sh", "-c", way.script, "sh", ...again], { stdio: "inherit", env }).status ?? 1
  );
}

/** Whether anything new in such a place can only be of this program and the CLIs it started. */
export function isPrivate(place: "folders" | "network"): boolean {
  const alone = process.env[ALONE];
  return alone === "folders" || alone === place;
}

function works({ options, script }: (typeof WAYS)[number]): boolean {
  // What it needs must not lie in a folder that it would no longer see.
  const needed = [process.cwd(), process.execPath, cacheFolder()];
  if (options.includes("-m") && needed.some((path) => SHARED.some((dir) => path.startsWith(`${dir}/`)))) return false;
  return spawnSync(UNSHARE, [...options, "sh", "-c", script, "sh", "true"], { stdio: "ignore" }).status === 0;
}
