/**
 * How fast a person gets an answer: `proctor --version` against an empty Node process, and `proctor check` against a Node
 * process that only reads and parses the same files.
 *
 *   npm run bench -- start [CORPUS] [--runs N] [--json]
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const project = fileURLToPath(new URL("..", import.meta.url));
const main = join(project, "dist", "cli", "main.js");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, runs: { type: "string", default: "15" } },
});
const runs = Math.max(15, Number(values.runs) || 0);
const corpus = corpusRoot(positionals[0]);

if (!existsSync(main))
  spawnSync(process.execPath, [join(project, "scripts", "build.mjs")], { cwd: project, stdio: ["ignore", 2, 2] });
assertThatItWorks();

const scratch = mkdtempSync(join(tmpdir(), "proctor-bench-"));
try {
  const list = join(scratch, "files.json");
  const files = await filesOfCheck(corpus);
  writeFileSync(list, JSON.stringify(files));
  const [bare, version, alone, check] = medians([
    ["-e", "0"],
    [main, "--version"],
    [join(project, "bench", "start", "read-and-parse.mjs"), list],
    [main, "check", corpus, "--format", "json"],
  ]);
  const result = { version_ratio: ratio(version!, bare!), check_ratio: ratio(check!, alone!) };
  console.log(`node -e 0                 ${ms(bare!)}`);
  console.log(`proctor --version         ${ms(version!)}   ×${result.version_ratio}   (at most 1.6)`);
  console.log(`read and parse ${String(files.length).padStart(4)} files  ${ms(alone!)}`);
  console.log(`proctor check             ${ms(check!)}   ×${result.check_ratio}   (less than 3)`);
  console.log(`medians of ${runs} runs each, taken in turn, Node ${process.versions.node}`);
  if (values.json) console.log(JSON.stringify(result));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** A command that fails at once is the fastest of all. */
function assertThatItWorks(): void {
  const run = (...argv: string[]) =>
    spawnSync(process.execPath, [main, ...argv], { encoding: "utf8", maxBuffer: 1 << 28 });
  const version = run("--version");
  const check = run("check", corpus, "--format", "json");
  if (!/^\d+\.\d+/.test(version.stdout)) throw new Error(`proctor --version does not work: ${version.stderr}`);
  if (!check.stdout.startsWith('{\n  "version": 1')) throw new Error(`proctor check does not work: ${check.stderr}`);
}

/** A corpus, its raw folder, or nothing: then the bundled examples. */
function corpusRoot(given: string | undefined): string {
  if (given === undefined) return join(project, "examples");
  const folder = resolve(given);
  return existsSync(join(folder, "raw")) ? join(folder, "raw") : folder;
}

/** The skills and suites that the check reads, found with its own readers. */
async function filesOfCheck(root: string): Promise<string[]> {
  const { discover } = await import("../src/exam/find/index.ts");
  const { readSuites } = await import("../src/exam/read/index.ts");
  const { libraries, files } = await discover({ cwd: root, root });
  const read = new Set<string>();
  for (const library of libraries) {
    const { suites } = await readSuites({ library, files });
    for (const { file } of [...library.skills, ...suites]) read.add(file);
  }
  return [...read];
}

/** Wall time of whole processes, one of each in turn so that a busy moment touches all alike. */
function medians(commands: string[][]): number[] {
  const times = commands.map((): number[] => []);
  for (let run = -1; run < runs; run++) {
    for (const [index, argv] of commands.entries()) {
      const start = process.hrtime.bigint();
      const { status, stderr } = spawnSync(process.execPath, argv, { stdio: ["ignore", "ignore", "pipe"] });
      const took = Number(process.hrtime.bigint() - start) / 1e6;
      const done = status === 0 || (status === 1 && argv.includes("check"));
      if (!done) throw new Error(`${argv.join(" ")} ended with ${status}: ${stderr}`);
      if (run >= 0) times[index]!.push(took);
    }
  }
  return times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!);
}

function ratio(a: number, b: number): number {
  return Math.round((a / b) * 100) / 100;
}

function ms(time: number): string {
  return `${time.toFixed(0).padStart(5)} ms`;
}
