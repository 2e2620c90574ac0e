import { spawnSync } from "node:child_process";
import { type Dirent, existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { remember } from "../../../base/index.ts";
import { insideWords, type Sandbox, type SandboxPlace, type Wrappable } from "./sandbox.ts";

/** Top-level folders that programs need. All others, such as homes, projects and disks, are hidden. */
const SYSTEM = new Set("bin boot dev etc gnu lib lib32 lib64 libx32 nix opt proc sbin snap sys usr".split(" "));
const SECRET_FOLDERS = ["/boot", "/etc/ssh", "/etc/ssl/private", "/etc/sudoers.d"];
const SHARED_TMP = "/tmp";
/** File-size limit (512-byte blocks) and process limit. Limits the kernel refuses are skipped. */
const LIMITS =
  'ulimit -f 2097152 2>/dev/null; ulimit -u 4096 2>/dev/null || ulimit -p 4096 2>/dev/null; ulimit -c 0 2>/dev/null; exec "$@"';

/** Root owns the kernel's settings and needs no capability to write them. */
const READ_ONLY_PROC = ["--remount-ro", "/proc"];
/** In a user namespace of its own a process could remount what is read-only here, such as root's cgroups. */
const NO_NAMESPACES = ["--unshare-user", "--disable-userns"];

/** A sandbox of namespaces: only the trial's own folders are writable, and of the rest only programs are visible. */
export function bubblewrap(bwrap: string): Sandbox | undefined {
  const isRoot = process.getuid?.() === 0;
  // A version before 0.8 and some containers cannot forbid namespaces.
  const fences = isRoot ? [[...READ_ONLY_PROC, ...NO_NAMESPACES], READ_ONLY_PROC] : [[]];
  return fences.map((fence) => sandboxOf(bwrap, { fence, hidden: homes(), prompt: "" })).find(works);
}

/** Containers often forbid what it needs; only trying it tells. */
function works(made: Sandbox): boolean {
  const trial = made.wrap(
    { file: "/bin/true", args: [], env: {} },
    { root: SHARED_TMP, tmp: SHARED_TMP, writable: [] },
  );
  return spawnSync(trial.file, trial.args, { stdio: "ignore", timeout: 5_000 }).status === 0;
}

interface Walls {
  fence: readonly string[];
  hidden: readonly string[];
  prompt: string;
}

function sandboxOf(bwrap: string, walls: Walls): Sandbox {
  return {
    name: "bubblewrap",
    wrap: (command, place) => ({ file: bwrap, args: argsOf(command, place, walls), sandboxed: true }),
    hiding: (folders, prompt = "") => sandboxOf(bwrap, { ...walls, hidden: [...walls.hidden, ...folders], prompt }),
  };
}

function argsOf(command: Wrappable, { root, tmp, writable }: SandboxPlace, { fence, hidden, prompt }: Walls): string[] {
  const folders = [...hidden, dirname(root)].flatMap(real).filter(mayBeHidden);
  const covered = outermost(
    [...topLevel(), ...SECRET_FOLDERS, ...closedIn("/etc").folders, ...folders].filter((dir) => existsSync(dir)),
  );
  const isCovered = (path: string) => covered.some((dir) => isIn(path, dir));
  const needed = outermost(neededBy(command, prompt, folders).filter(isCovered)).filter((path) => !isIn(path, root));
  // A library that lies where the CLI is installed.
  const again = folders.filter((dir) => needed.some((path) => path !== dir && isIn(dir, path)));
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...fence],
    // Whatever it starts ends with it, and it with Proctor: both however they end.
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"],
    // Root's would let it mount, and so write, anything.
    ...["--cap-drop", "ALL"],
    ...covered.filter((dir) => dir !== SHARED_TMP).flatMap((dir) => ["--tmpfs", dir]),
    ...closedIn("/etc")
      .files.filter((file) => !isCovered(file))
      .flatMap((file) => ["--ro-bind", "/dev/null", file]),
    // Some CLIs write to /tmp whatever TMPDIR says.
    ...["--bind", tmp, SHARED_TMP],
    ...needed.flatMap((path) => ["--ro-bind", path, path]),
    ...again.flatMap((dir) => ["--tmpfs", dir]),
    ...[root, ...writable].flatMap((dir) => ["--bind", dir, dir]),
    ...[...covered, ...again]
      .filter((dir) => dir !== SHARED_TMP && dir !== root)
      .flatMap((dir) => ["--remount-ro", dir]),
    ...["--", "/bin/sh", "-c", LIMITS, "sh", ...insideWords(command)],
  ];
}

/** What is not world-readable: even without capabilities, root can read root's files. */
const closedIn = remember((folder) => {
  const closed = { files: [] as string[], folders: [] as string[] };
  const look = (dir: string) => {
    for (const entry of entriesOf(dir)) {
      const path = join(dir, entry.name);
      const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
      if (entry.isDirectory() && (mode & 0o005) !== 0o005) closed.folders.push(path);
      else if (entry.isDirectory()) look(path);
      else if (entry.isFile() && (mode & 0o004) === 0) closed.files.push(path);
    }
  };
  look(folder);
  return closed;
});

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Includes the real home if HOME says something else. */
function homes(): string[] {
  const own = (() => {
    try {
      return [userInfo().homedir];
    } catch {
      // A user without an entry.
      return [];
    }
  })();
  return [...new Set([homedir(), ...own])];
}

function topLevel(): string[] {
  const entries = readdirSync("/", { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && !SYSTEM.has(entry.name)).map(({ name }) => `/${name}`);
}

/** Hiding /usr, because the project is there, would leave nothing to run. */
function mayBeHidden(dir: string): boolean {
  const parts = dir.split("/").filter((part) => part !== "");
  // `!`: its length is one.
  return parts.length > 1 || (parts.length === 1 && !SYSTEM.has(parts[0]!));
}

/** What the command needs: itself, PATH, and paths in its arguments and variables, unless the prompt contains them. */
function neededBy({ file, args, env, needs }: Wrappable, prompt: string, hidden: readonly string[]): string[] {
  const words = args.filter((word) => isAbsolute(word) && !prompt.includes(word));
  const values = Object.values(env)
    .flatMap((value) => value.split(delimiter))
    .filter(isAbsolute);
  const path = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const programs = needs === undefined ? [...(isAbsolute(file) ? [file] : []), ...path, ...words] : [...path, ...needs];
  // What lies beside a certificate may be its key.
  const alone = needs === undefined ? withReal(values) : [];
  const all = [...withReal(programs).flatMap((path) => withNeighbours(path, hidden)), ...alone];
  // What names are resolved with is in /run, most of which is nobody's business.
  return [...all, ...real("/etc/resolv.conf")].filter(
    (path) => !hidden.some((dir) => isIn(dir, path)) && path.split("/").length > 2,
  );
}

function withReal(paths: readonly string[]): string[] {
  return [...new Set(paths.filter((path) => existsSync(path)).flatMap((path) => [path, ...real(path)]))];
}

/** A program needs the rest of its package, or what is beside it, unless a hidden folder is among that. */
function withNeighbours(path: string, hidden: readonly string[]): string[] {
  const modules = path.split("/").indexOf("node_modules");
  if (modules > 0)
    return [
      path
        .split("/")
        .slice(0, modules + 1)
        .join("/"),
    ];
  if (isFolder(path)) return path.endsWith("/bin") ? [path, ...libraries(dirname(path))] : [path];
  const beside = dirname(path);
  return hidden.some((dir) => isIn(dir, beside)) || beside === SHARED_TMP ? [path] : [path, beside];
}

function libraries(prefix: string): string[] {
  return ["lib", "lib64", "libexec"].map((name) => join(prefix, name)).filter((dir) => existsSync(dir));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function real(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isIn(path, other))).sort();
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
