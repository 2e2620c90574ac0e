import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Pinned, because these CLIs change their events without notice. Only platform binaries: no install script of theirs is run. */
const pins: Record<string, { version: string; packages: string[]; file: string; path?: string[]; scripts?: boolean }> = {
  claude: {
    version: "2.1.325",
    packages: ["@anthropic-ai/claude-code-linux-x64@2.1.325"],
    file: "@anthropic-ai/claude-code-linux-x64/claude",
  },
  codex: {
    version: "0.166.0",
    packages: ["codex-linux-x64@npm:@openai/codex@0.166.0-linux-x64"],
    file: "codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
    // It brings a bubblewrap of its own: with it, Proctor's sandbox is tested too.
    path: ["codex-linux-x64/vendor/x86_64-unknown-linux-musl/codex-resources"],
  },
  copilot: { version: "1.0.102", packages: ["@github/copilot-linux-x64@1.0.102"], file: "@github/copilot-linux-x64/copilot" },
  gemini: { version: "0.61.0", packages: ["--omit=optional", "@google/gemini-cli@0.61.0"], file: "@google/gemini-cli/bundle/gemini.js" },
  opencode: {
    version: "1.18.33",
    packages: ["opencode-ai@1.18.33", "@vscode/ripgrep"],
    file: "opencode-linux-x64-baseline/bin/opencode",
    // Its skill tool lists the skill's files with ripgrep and fails without it.
    path: ["@vscode/ripgrep-linux-x64/bin"],
  },
  // It needs a newer Node than Proctor does; `node` is a package too, and the one here whose install script must run.
  qwen: {
    version: "0.24.4",
    packages: ["--force", "@qwen-code/qwen-code@0.24.4", "node@24.21.0"],
    file: ".bin/qwen",
    path: ["node/bin"],
    scripts: true,
  },
};

/** Outside the package: the CLIs are large, and no dependency of it. */
export function cacheFolder(): string {
  return process.env["PROCTOR_AGENTS_CACHE"] ?? join(homedir(), ".cache", "proctor-agents");
}

export function pinnedVersion(id: string): string {
  return pins[id]!.version;
}

interface Installed {
  file: string;
  path: string[];
}

/** Where a CLI is, after installing it into the cache folder if need be. */
export function install(id: string): Installed {
  const pin = pins[id]!;
  const dir = join(cacheFolder(), `${id}-${pin.version}`);
  const modules = join(dir, "node_modules");
  if (!existsSync(join(modules, pin.file))) {
    console.log(`installing ${pin.packages.join(" ")} into ${dir}`);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "package.json"), '{"private":true}');
    execFileSync(
      "npm",
      ["install", "--no-audit", "--no-fund", ...(pin.scripts ? [] : ["--ignore-scripts"]), "--loglevel=error", ...pin.packages],
      {
        cwd: dir,
        stdio: "inherit",
      },
    );
  }
  return { file: join(modules, pin.file), path: [...(pin.path ?? []).map((part) => join(modules, part)), dirname(process.execPath)] };
}
