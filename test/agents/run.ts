import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checks } from "./checks.ts";
import { type Dialect, dialects } from "./dialects.ts";
import { type Bench, judge, type Verdict } from "./harness.ts";
import { cacheFolder, install, pinnedVersion } from "./install.ts";
import { writeLibrary } from "./library.ts";
import { cases } from "./scenarios.ts";
import { type Results, writeTable } from "./table.ts";

// npm run test:agents -- [claude codex …] [--all] [--grep=PATTERN] [--table]
const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith("--"));
const ids = words.includes("--all")
  ? dialects.map(({ id }) => id)
  : named.length > 0
    ? named
    : words.includes("--table")
      ? []
      : ["claude", "codex", "copilot"];
const grep = words.find((word) => word.startsWith("--grep="))?.slice("--grep=".length);
/** Of util-linux, where it is allowed. */
const UNSHARE = "unshare";
const resultsFile = join(cacheFolder(), "results.json");

for (const id of ids) install(id);
if (process.env["PROCTOR_AGENTS_ALONE"] === undefined && canBeAlone()) {
  // No network but loopback, and nothing of the outside in the environment.
  const again = ["-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const { PATH, HOME, PROCTOR_AGENTS_CACHE } = process.env;
  const env = { PATH, HOME, PROCTOR_AGENTS_ALONE: "1", ...(PROCTOR_AGENTS_CACHE && { PROCTOR_AGENTS_CACHE }) };
  process.exitCode = spawnSync(UNSHARE, again, { stdio: "inherit", env }).status ?? 1;
} else {
  process.exitCode = (await examineAll()) === 0 ? 0 : 1;
}

async function examineAll(): Promise<number> {
  console.log(
    process.env["PROCTOR_AGENTS_ALONE"]
      ? "in a network of its own: only 127.0.0.1 can be reached"
      : "network namespaces are not allowed here: CLIs are kept to 127.0.0.1 by their settings only",
  );
  const root = mkdtempSync(join(tmpdir(), "proctor-agents-"));
  const results = earlierResults();
  let wrong = 0;
  try {
    const library = await writeLibrary(root);
    for (const dialect of dialects.filter(({ id }) => ids.includes(id))) {
      const bench: Bench = { library, cacheDir: join(cacheFolder(), "run"), ...install(dialect.id) };
      const rows = await examine(dialect, bench);
      wrong += Object.values(rows).filter((row) => "right" in row && !row.right).length;
      results[dialect.id] = { version: pinnedVersion(dialect.id), rows: { ...results[dialect.id]?.rows, ...rows } };
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  writeFileSync(resultsFile, JSON.stringify(results, null, 1));
  if (words.includes("--all") || words.includes("--table")) writeTable(results);
  console.log(wrong === 0 ? "everything was told right" : `${wrong} were told wrong`);
  return wrong;
}

async function examine(dialect: Dialect, bench: Bench): Promise<Results[string]["rows"]> {
  const rows: Results[string]["rows"] = {};
  const all = [
    ...cases.map((one) => ({ ...one, run: () => judge(dialect, one, bench) })),
    ...checks.map((one) => ({ ...one, run: () => one.run(dialect, bench) })),
  ];
  for (const one of all.filter(({ name }) => grep === undefined || new RegExp(grep).test(name))) {
    const why = one.not?.(dialect);
    const started = performance.now();
    const verdict: Omit<Verdict, "ms"> | undefined = why === undefined ? await one.run() : undefined;
    rows[one.name] = verdict === undefined ? { why: why! } : { right: verdict.right, said: verdict.said };
    const told =
      verdict === undefined
        ? `not run: ${why}`
        : `${verdict.said}${verdict.right ? "" : `   WANTED ${verdict.wanted}`}  ${Math.round(performance.now() - started)} ms`;
    console.log(`${verdict === undefined ? "–" : verdict.right ? "✓" : "✗"}  ${dialect.id}  ${one.name}: ${told}`);
  }
  return rows;
}

function canBeAlone(): boolean {
  return process.platform === "linux" && spawnSync(UNSHARE, ["-n", "ip", "link", "set", "lo", "up"], { stdio: "ignore" }).status === 0;
}

function earlierResults(): Results {
  try {
    return JSON.parse(readFileSync(resultsFile, "utf8")) as Results;
  } catch {
    return {};
  }
}
