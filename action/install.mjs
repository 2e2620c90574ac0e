// Installs Proctor: a version of the package, or the code of this action itself. Install scripts of packages are never run.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { setOutput } from "./github.mjs";

const version = (process.env.PROCTOR_ACTION_VERSION ?? "").trim();
const own = resolve(fileURLToPath(new URL("..", import.meta.url)));
setOutput("bin", version === "" ? fromCheckout() : fromPackage(version));

function fromCheckout() {
  const bin = join(own, "dist", "cli", "main.js");
  if (!existsSync(bin)) {
    npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"], own);
    npm(["run", "build"], own);
  }
  return bin;
}

function fromPackage(wanted) {
  if (!/^[\w.^~-]{1,60}$/.test(wanted)) throw new Error(`${JSON.stringify(wanted)} is not a version`);
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP ?? tmpdir(), "proctor-"));
  npm(["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", `proctor@${wanted}`], folder);
  return join(folder, "node_modules", "proctor", "dist", "cli", "main.js");
}

function npm(args, cwd) {
  // On Windows npm is a script that only a shell starts; the arguments are ours and have no space.
  const { status } = spawnSync("npm", args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) throw new Error(`npm ${args[0]} failed`);
}
