// Installs Proctor: a version of the package, or the code of this action itself. Install scripts of packages are never run.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { setOutput } from "./github.mjs";

// There, a token that can write and the secrets would be at hand while files of a stranger are read and their configuration is run.
if (process.env.GITHUB_EVENT_NAME === "pull_request_target") {
  console.log(
    "::error title=proctor::This action does not run on pull_request_target: use pull_request, which needs no secret for embedded.",
  );
  process.exit(2);
}
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
  npm(
    ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", `proctor@${wanted}`],
    folder,
  );
  return join(folder, "node_modules", "proctor", "dist", "cli", "main.js");
}

function npm(args, cwd) {
  // On Windows npm is a script that only a shell starts; the arguments are ours and have no space.
  const { status } = spawnSync("npm", args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) throw new Error(`npm ${args[0]} failed`);
}
