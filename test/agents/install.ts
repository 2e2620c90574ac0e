import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Pinned, because these CLIs change their events without notice. Only platform binaries: no install script of theirs is run. */
const pins: Record<string, { version: string; packages: string[]; file: string; path?: string[] }> = {
  claude: {
    version: "2.1.325",
    packages: ["@anthropic-ai/claude-code-linux-x64@2.1.325"],
    file: "@anthropic-ai/claude-code-linux-x64/claude",
  },
  codex: {
    version: "0.166.0",
    packages: ["codex-linux-x64@npm:@openai/codex@0.166.0-linux-x64"],
    file: "codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
  },
  copilot: { version: "1.0.102", packages: ["@github/copilot-linux-x64@1.0.102"], file: "@github/copilot-linux-x64/copilot" },
};

export interface Installed {
  file: string;
  path: string[];
}

/** Where a CLI is, after installing it into the cache folder if need be. */
export function install(id: string): Installed {
  const pin = pins[id]!;
  const dir = join(process.env["PROCTOR_AGENTS_CACHE"] ?? join(homedir(), ".cache", "proctor-agents"), `${id}-${pin.version}`);
  const modules = join(dir, "node_modules");
  if (!existsSync(join(modules, pin.file))) {
    console.log(`installing ${pin.packages.join(" ")} into ${dir}`);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "package.json"), '{"private":true}');
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", ...pin.packages], {
      cwd: dir,
      stdio: "inherit",
    });
  }
  return { file: join(modules, pin.file), path: (pin.path ?? []).map((part) => join(modules, part)) };
}
