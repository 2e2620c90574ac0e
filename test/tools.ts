import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSandbox } from "../src/targets/agents/process/find-sandbox.ts";

/** Programs that some tests need and a machine may lack. Where one is missing, its tests are skipped: `test.runIf(isHere("git"))`. */
const TOOLS = {
  git: () => starts("git"),
  redis: () => redisServer() !== undefined,
  chromium: () => chromiumPath() !== undefined,
  sandbox: () => findSandbox(process.env) !== undefined,
  bash: () => starts("bash"),
  fish: () => starts("fish"),
  zsh: () => starts("zsh"),
};
export type Tool = keyof typeof TOOLS;

const found = new Map<Tool, boolean>();

/** Whether tests can use it. If not, the run says at its end that tests were skipped for want of it. */
export function isHere(tool: Tool): boolean {
  const here = found.get(tool) ?? TOOLS[tool]();
  found.set(tool, here);
  const notes = process.env[NOTES];
  if (!here && notes !== undefined) writeFileSync(join(notes, tool), "");
  return here;
}

export function redisServer(): string | undefined {
  return ["redis-server", "valkey-server"].find(starts);
}

export function chromiumPath(): string | undefined {
  const paths = [
    process.env["PROCTOR_CHROMIUM"],
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  return paths.find((path) => path !== undefined && existsSync(path));
}

function starts(command: string): boolean {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
}

/** The folder in which test processes note what they missed, a file per tool: so each is told once, not once per test or process. */
const NOTES = "PROCTOR_TEST_MISSING";

/** As a `globalSetup` of vitest's. */
export function setup(): void {
  process.env[NOTES] = mkdtempSync(join(tmpdir(), "proctor-missing-"));
}

export function teardown(): void {
  const notes = process.env[NOTES]!;
  for (const tool of readdirSync(notes).sort())
    console.warn(`There is no ${LABELS[tool as Tool] ?? tool} here: tests that need it were skipped.`);
  rmSync(notes, { recursive: true });
}

const LABELS: Partial<Record<Tool, string>> = {
  sandbox: "sandbox that works (bubblewrap)",
  redis: "Redis or Valkey",
  chromium: "Chromium",
};
