import { spawnSync } from "node:child_process";
import { findOnPath } from "./find.ts";

/** Wraps a command so that it can write only to some folders. */
export interface Sandbox {
  name: string;
  wrap(file: string, args: string[], writable: string[]): { file: string; args: string[] };
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
  const wrap: Sandbox["wrap"] = (file, args, writable) => ({
    file: bwrap,
    // A process namespace of its own would hide the trial's processes from the one who must end them.
    args: [
      "--ro-bind",
      "/",
      "/",
      "--dev-bind",
      "/dev",
      "/dev",
      "--proc",
      "/proc",
      ...writable.flatMap((dir) => ["--bind", dir, dir]),
      "--",
      file,
      ...args,
    ],
  });
  // Containers often forbid what it needs; only a try tells.
  const trial = wrap("/bin/true", [], []);
  const works = spawnSync(trial.file, trial.args, { stdio: "ignore", timeout: 5_000 }).status === 0;
  return works ? { name: "bubblewrap", wrap } : undefined;
}

function sandboxExec(env: NodeJS.ProcessEnv): Sandbox | undefined {
  const file = findOnPath("sandbox-exec", env);
  if (file === undefined) return undefined;
  return {
    name: "sandbox-exec",
    wrap: (program, args, writable) => {
      const allowed = [...writable, "/dev"].map((dir) => `(subpath ${JSON.stringify(dir)})`).join(" ");
      return { file, args: ["-p", `(version 1)(allow default)(deny file-write*)(allow file-write* ${allowed})`, program, ...args] };
    },
  };
}
