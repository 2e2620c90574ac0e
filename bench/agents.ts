// What Proctor adds to a bare CLI, and what it leaves behind. Needs the CLIs of `npm run test:agents`; reaches only 127.0.0.1.
// npm run bench -- agents [claude] [--pairs=20] [--trials=200]
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentAdapter } from "../src/hosts/adapter.ts";
import { loadAdapter } from "../src/hosts/index.ts";
import { startLoopback } from "../src/loopback/index.ts";
import { allowedEnvironment } from "../src/targets/agents/process/environment.ts";
import { createWorkspace, stageable } from "../src/targets/agents/workspace/workspace.ts";
import { alone } from "../test/agents/alone.ts";
import { type Dialect, dialects } from "../test/agents/dialects.ts";
import { type Bench, environment, targetOf } from "../test/agents/harness.ts";
import { cacheFolder, install } from "../test/agents/install.ts";
import { writeLibrary } from "../test/agents/library.ts";
import { leftBehind, surroundings } from "../test/agents/surroundings.ts";

const words = process.argv.slice(2);
const id = words.find((word) => !word.startsWith("--")) ?? "claude";
const number = (name: string, otherwise: number) =>
  Number(words.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? otherwise);

install(id);
const code = alone();
if (code !== undefined) process.exit(code);

const root = mkdtempSync(join(tmpdir(), "bench-agents-"));
const dialect = dialects.find((one) => one.id === id)!;
const bench: Bench = { library: await writeLibrary(root), cacheDir: join(cacheFolder(), "run"), ...install(id) };
const server = await startLoopback({
  it: { steps: [{ calls: [dialect.load("alpha")] }, { text: "Done." }] },
  slow: { steps: [{ calls: [dialect.load("alpha")] }, { text: "Done.", delayMs: 800 }] },
});
try {
  await overhead(await loadAdapter(id), dialect);
  await leftovers(dialect);
} finally {
  await server.close();
  rmSync(root, { recursive: true, force: true });
}

/** The same command by hand and through Proctor, by turns, so that both meet the same load. */
async function overhead(adapter: AgentAdapter, dialect: Dialect): Promise<void> {
  const pairs = number("pairs", 20);
  const bare: number[] = [];
  const ours: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const first = pair % 2 === 0;
    if (first) bare.push(await bareRun(adapter, dialect, pair));
    ours.push(await trial("it", `o${pair}`));
    if (!first) bare.push(await bareRun(adapter, dialect, pair));
  }
  const added = ours.map((ms, index) => ms - bare[index]!);
  console.log(
    `${id}: bare ${median(bare).toFixed(0)} ms, through Proctor ${median(ours).toFixed(0)} ms, added ${median(added).toFixed(0)} ms (median of ${pairs} pairs, library of ${bench.library.skills.length})`,
  );
}

async function bareRun(adapter: AgentAdapter, dialect: Dialect, run: number): Promise<number> {
  const workspace = await createWorkspace({
    skills: await stageable(bench.library),
    skillsDir: adapter.skillsDir,
    files: [],
    keep: false,
  });
  const env = environment(dialect, bench);
  const plan = adapter.launch({
    ...{
      model: dialect.model,
      prompt: "Make an alpha chart.",
      workspace: workspace.project,
      home: workspace.home,
      tmp: workspace.tmp,
      cache: join(bench.cacheDir, id),
    },
    ...{
      endpoint: `${server.url}/it/b${run}${dialect.base}`,
      keys: { [dialect.key]: "sk-dummy" },
      maxTurns: 6,
      tools: "read",
      sandboxed: false,
      realistic: false,
      context: false,
      decisive: [],
    },
  });
  for (const file of plan.files ?? []) {
    await mkdir(join(workspace.home, file.path, ".."), { recursive: true });
    await writeFile(join(workspace.home, file.path), file.content);
  }
  const started = performance.now();
  const child = spawn(bench.file, plan.args, {
    cwd: workspace.project,
    env: { ...allowedEnvironment(env), HOME: workspace.home, TMPDIR: workspace.tmp, ...plan.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // Whoever runs it by hand reads what it says.
  child.stdout.resume();
  child.stderr.resume();
  child.stdin.end(plan.stdin ?? "");
  await new Promise((resolve) => child.on("close", resolve));
  const ms = performance.now() - started;
  await workspace.dispose();
  return ms;
}

async function trial(
  scenario: string,
  run: string,
  signal = new AbortController().signal,
  sandbox = "off",
): Promise<number> {
  const target = await targetOf(dialect, bench, `${server.url}/${scenario}/${run}${dialect.base}`, {
    canary: false,
    sandbox,
  });
  const sitting = await target.open(bench.library);
  const started = performance.now();
  const ask = {
    key: run,
    kind: "trigger" as const,
    prompt: "Make an alpha chart.",
    files: [],
    messages: [],
    library: "",
    limits: {},
  };
  const answer = await sitting.ask(ask, { run: 1, signal, decided: () => false });
  for await (const _ of answer.events);
  await answer.dispose();
  const ms = performance.now() - started;
  await sitting.close();
  return ms;
}

/** Many trials, half of them in a sandbox where there is one, every fifth killed at a random moment: nothing of them may remain. */
async function leftovers(dialect: Dialect): Promise<void> {
  const total = number("trials", 200);
  let next = 0;
  let killed = 0;
  const worker = async () => {
    while (next < total) {
      const index = next++;
      const controller = new AbortController();
      const kill = index % 5 === 0;
      if (kill) killed++;
      const timer = kill ? setTimeout(() => controller.abort(), Math.random() * 1500) : undefined;
      await trial("slow", `l${index}`, controller.signal, index % 2 === 0 ? "auto" : "off");
      clearTimeout(timer);
    }
  };
  const cacheDir = join(bench.cacheDir, dialect.id);
  const open = openFiles();
  const before = surroundings(cacheDir);
  await Promise.all(Array.from({ length: 4 }, worker));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const left = leftBehind(before, cacheDir, dialect.id);
  const of = (word: string) => left.filter((thing) => thing.startsWith(word)).length;
  const files = left.filter((thing) => thing.startsWith("/")).length;
  console.log(
    `${dialect.id}: after ${total} trials, ${killed} of them killed: ${files} files, ${of("socket")} sockets, ${of("process")} processes, ${Math.max(0, openFiles() - open)} open files left`,
  );
  if (left.length > 0) console.log(left.join("\n"));
}

function openFiles(): number {
  return readdirSync("/proc/self/fd").length;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}
