import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter } from "node:path";
import { findOnPath } from "./find-cli.ts";

/** Wraps a command so that it can write only to its own folder, which is all it finds in the temporary folder too. */
export interface Sandbox {
  name: string;
  wrap(command: Wrappable, place: SandboxPlace): { file: string; args: string[]; sandboxed?: boolean };
}

interface Wrappable {
  file: string;
  args: string[];
  env: Record<string, string>;
}

interface SandboxPlace {
  root: string;
  tmp: string;
  /** Further folders it may write to. */
  writable: string[];
}

/** The sandbox of this machine, if it has one that works. */
export function findSandbox(env: NodeJS.ProcessEnv): Sandbox | undefined {
  if (process.platform === "linux") return bubblewrap(env);
  if (process.platform === "darwin") return sandboxExec(env);
  return undefined;
}

/** What would give this machine one, where it has none. */
export function sandboxAdvice(env: NodeJS.ProcessEnv): string {
  if (process.platform !== "linux") return "there is none for this system";
  if (findOnPath("bwrap", env) === undefined) return "install bubblewrap";
  return "bubblewrap is installed but may not make user namespaces here; allow them (sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0)";
}

function bubblewrap(env: NodeJS.ProcessEnv): Sandbox | undefined {
  const bwrap = findOnPath("bwrap", env);
  if (bwrap === undefined) return undefined;
  const wrap: Sandbox["wrap"] = (command, { root, tmp, writable }) => ({
    file: bwrap,
    args: [
      ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
      // Whatever it starts ends with it, and it with Proctor: both however they end.
      ...["--unshare-pid", "--unshare-ipc", "--die-with-parent"],
      // Some CLIs write to /tmp whatever TMPDIR says.
      ...["--bind", tmp, SHARED_TMP],
      ...needed(command, root).flatMap((path) => ["--ro-bind", path, path]),
      ...[root, ...writable].flatMap((dir) => ["--bind", dir, dir]),
      ...["--", command.file, ...command.args],
    ],
    sandboxed: true,
  });
  // Containers often forbid what it needs; only a try tells.
  const trial = wrap({ file: "/bin/true", args: [], env: {} }, { root: SHARED_TMP, tmp: SHARED_TMP, writable: [] });
  const works = spawnSync(trial.file, trial.args, { stdio: "ignore", timeout: 5_000 }).status === 0;
  return works ? { name: "bubblewrap", wrap } : undefined;
}

const SHARED_TMP = "/tmp";

/** What lies in the temporary folder of all and is named in the command: the CLI itself, say, or a certificate. */
function needed({ file, args, env }: Wrappable, root: string): string[] {
  const words = [file, ...args, ...Object.values(env).flatMap((value) => value.split(delimiter))];
  const others = words.filter((word) => word.startsWith(`${SHARED_TMP}/`) && !word.startsWith(root));
  return [...new Set(others.map((word) => word.split("/").slice(0, 3).join("/")))].filter(
    (path) => path !== `${SHARED_TMP}/` && existsSync(path),
  );
}

function sandboxExec(env: NodeJS.ProcessEnv): Sandbox | undefined {
  const file = findOnPath("sandbox-exec", env);
  if (file === undefined) return undefined;
  return {
    name: "sandbox-exec",
    wrap: ({ file: program, args }, { root, writable }) => {
      const allowed = [root, ...writable, "/dev"].map((dir) => `(subpath ${JSON.stringify(dir)})`).join(" ");
      return { file, args: ["-p", `(version 1)(allow default)(deny file-write*)(allow file-write* ${allowed})`, program, ...args] };
    },
  };
}
