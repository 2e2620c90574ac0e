import { bubblewrap } from "./bubblewrap.ts";
import { findOnPath } from "./find-cli.ts";

/** Wraps a command so that it can write only to its own folder, and finds nothing there is to be learnt elsewhere. */
export interface Sandbox {
  name: string;
  wrap(command: Wrappable, place: SandboxPlace): { file: string; args: string[]; sandboxed?: boolean };
  /** The same, with further folders that nothing inside may see. `prompt`: what the examinee is told names no file that it needs. */
  hiding(folders: readonly string[], prompt?: string): Sandbox;
}

export interface Wrappable {
  file: string;
  args: string[];
  env: Record<string, string>;
  /** The only paths it needs beside the system's and those of PATH, where its words and variables are somebody else's; otherwise what these name. */
  needs?: readonly string[];
  /** Somebody else's variables: set inside, since the sandbox's own program would heed them too. */
  inside?: Record<string, string>;
}

/** The command as it is started inside. */
export function insideWords({ file, args, inside = {} }: Wrappable): string[] {
  const set = Object.entries(inside).map(([name, value]) => `${name}=${value}`);
  return [...(set.length === 0 ? [] : ["/usr/bin/env", ...set]), file, ...args];
}

export interface SandboxPlace {
  root: string;
  tmp: string;
  /** Further folders it may write to. */
  writable: string[];
}

/** The sandbox of this machine, if it has one that works. */
export function findSandbox(env: NodeJS.ProcessEnv): Sandbox | undefined {
  if (process.platform === "linux") {
    const bwrap = findOnPath("bwrap", env);
    return bwrap === undefined ? undefined : bubblewrap(bwrap);
  }
  if (process.platform === "darwin") return sandboxExec(env);
  return undefined;
}

/** What would give this machine one, where it has none. */
export function sandboxAdvice(env: NodeJS.ProcessEnv): string {
  if (process.platform !== "linux") return "there is none for this system";
  if (findOnPath("bwrap", env) === undefined) return "install bubblewrap";
  return "bubblewrap is installed but may not create user namespaces here; allow them (sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0)";
}

function sandboxExec(env: NodeJS.ProcessEnv): Sandbox | undefined {
  const file = findOnPath("sandbox-exec", env);
  if (file === undefined) return undefined;
  const sandbox: Sandbox = {
    name: "sandbox-exec",
    wrap: (command, { root, writable }) => {
      const allowed = [root, ...writable, "/dev"].map((dir) => `(subpath ${JSON.stringify(dir)})`).join(" ");
      return {
        file,
        args: [
          "-p",
          `(version 1)(allow default)(deny file-write*)(allow file-write* ${allowed})`,
          ...insideWords(command),
        ],
      };
    },
    // It keeps from writing; what is there can be read.
    hiding: () => sandbox,
  };
  return sandbox;
}
