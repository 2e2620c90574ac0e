import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

interface Cli {
  /** Pinned, because these CLIs change their events without notice. */
  version: string;
  /** The package whose newest version is the CLI's; the others are made together with it. */
  package: string;
  /** What npm is told to install. Only platform binaries where there are any: no install script of theirs is run. */
  packages(version: string): string[];
  /** In node_modules: the executable, and folders it needs on PATH. */
  file: string;
  path?: string[];
  scripts?: boolean;
}

const clis: Record<string, Cli> = {
  claude: {
    version: "2.1.325",
    package: "@anthropic-ai/claude-code-linux-x64",
    packages: (version) => [`@anthropic-ai/claude-code-linux-x64@${version}`],
    file: "@anthropic-ai/claude-code-linux-x64/claude",
  },
  codex: {
    version: "0.166.0",
    package: "@openai/codex",
    packages: (version) => [`codex-linux-x64@npm:@openai/codex@${version}-linux-x64`],
    file: "codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
    // It brings a bubblewrap of its own: with it, Proctor's sandbox is tested too.
    path: ["codex-linux-x64/vendor/x86_64-unknown-linux-musl/codex-resources"],
  },
  copilot: {
    version: "1.0.102",
    package: "@github/copilot-linux-x64",
    packages: (version) => [`@github/copilot-linux-x64@${version}`],
    file: "@github/copilot-linux-x64/copilot",
  },
  gemini: {
    version: "0.61.0",
    package: "@google/gemini-cli",
    packages: (version) => ["--omit=optional", `@google/gemini-cli@${version}`],
    file: "@google/gemini-cli/bundle/gemini.js",
  },
  opencode: {
    version: "1.18.33",
    package: "opencode-ai",
    packages: (version) => [`opencode-ai@${version}`, "@vscode/ripgrep"],
    file: "opencode-linux-x64-baseline/bin/opencode",
    // Its skill tool lists the skill's files with ripgrep and fails without it.
    path: ["@vscode/ripgrep-linux-x64/bin"],
  },
  // It needs a newer Node than Proctor does; `node` is a package too, and the one here whose install script must run.
  qwen: {
    version: "0.24.4",
    package: "@qwen-code/qwen-code",
    packages: (version) => ["--force", `@qwen-code/qwen-code@${version}`, "node@24.21.0"],
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
  return clis[id]!.version;
}

/** What npm installs where no version is named. */
export function newestVersion(id: string): string {
  const args = ["view", clis[id]!.package, "dist-tags.latest", "--loglevel=error"];
  return execFileSync("npm", args, { encoding: "utf8", timeout: 60_000, stdio: ["ignore", "pipe", "inherit"] }).trim();
}

interface Installed {
  file: string;
  path: string[];
}

/** Where a CLI is, after installing it into the cache folder if need be. */
export function install(id: string, version = pinnedVersion(id)): Installed {
  const { packages, file, path = [], scripts } = clis[id]!;
  const dir = join(cacheFolder(), `${id}-${version}`);
  const modules = join(dir, "node_modules");
  if (!existsSync(join(modules, file))) {
    console.log(`installing ${packages(version).join(" ")} into ${dir}`);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "package.json"), '{"private":true}');
    const args = [
      "install",
      "--no-audit",
      "--no-fund",
      ...(scripts ? [] : ["--ignore-scripts"]),
      "--loglevel=error",
      ...packages(version),
    ];
    execFileSync("npm", args, { cwd: dir, stdio: "inherit", timeout: 600_000 });
    if (!existsSync(join(modules, file)))
      throw new Error(`${id} ${version} was installed into ${dir}, and has no ${file}`);
  }
  return { file: join(modules, file), path: [...path.map((part) => join(modules, part)), dirname(process.execPath)] };
}
