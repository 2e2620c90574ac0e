import { bubblewrap } from "./bubblewrap.ts";
import { findOnPath } from "./on-path.ts";
import { insideWords, type Sandbox } from "./sandbox.ts";

export function findSandbox(env: NodeJS.ProcessEnv): Sandbox | undefined {
  if (process.platform === "linux") {
    const bwrap = findOnPath("bwrap", env);
    return bwrap === undefined ? undefined : bubblewrap(bwrap);
  }
  if (process.platform === "darwin") return sandboxExec(env);
  return undefined;
}

export function sandboxAdvice(env: NodeJS.ProcessEnv): string {
  if (process.platform !== "linux") return "there is none for this system";
  if (findOnPath("bwrap", env) === undefined) return "install bubblewrap";
  const settings = "sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0";
  return `bubblewrap is installed but may not create user namespaces here; allow them (${settings})`;
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
