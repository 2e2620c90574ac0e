#!/usr/bin/env node
import { fork } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { findMutants } from "./mutants/find.mjs";

/**
 * Puts small faults into the sources, one at a time, and counts those that a test notices.
 *   node scripts/mutants.mjs --room exam/score --sample 100 --seed 1 --json mutants.json
 */
const root = join(import.meta.dirname, "..");
const ROOMS = ["exam/score", "graders", "exam/ask", "exam/record"];
/** Where a fault in a room may be noticed, besides the room's own tests. */
const TESTS = {
  "exam/score": ["test/score/", "test/ask/", "test/history/", "test/reporters/"],
  graders: ["test/graders/", "test/ask/", "test/history/", "test/formats/check.test.ts"],
  "exam/ask": ["test/ask/", "test/history/", "test/plan/", "test/cli/run.test.ts", "test/hostile/"],
  "exam/record": ["test/record/", "test/ask/", "test/history/", "test/targets/replay.test.ts", "test/hostile/"],
};

/** What ends the workers that are at work. */
const groups = new Set();
process.once("exit", () => {
  for (const end of groups) end();
});
for (const [signal, code] of [
  ["SIGTERM", 143],
  ["SIGINT", 130],
])
  process.once(signal, () => process.exit(code));

const { values } = parseArgs({
  options: {
    room: { type: "string", multiple: true },
    file: { type: "string", multiple: true },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: String(Math.max(1, Math.floor(availableParallelism() / 2))) },
    json: { type: "string" },
    list: { type: "boolean" },
  },
});

const rooms = values.room ?? (values.file ? [...new Set(values.file.map((file) => file.split("/")[1]))] : ROOMS);
const mutants = rooms.flatMap((room) => {
  const all = filesOf(room).flatMap((file) =>
    findMutants(readFileSync(join(root, file), "utf8")).map((mutant) => ({ room, file, ...mutant })),
  );
  const chosen = values.sample === undefined ? all : sampled(all, Number(values.sample), values.seed);
  process.stderr.write(`${room}: ${chosen.length} of ${all.length} mutants\n`);
  return chosen;
});
report(values.list ? mutants.map((mutant) => ({ ...mutant, status: "listed" })) : await tryAll(mutants));

async function tryAll(all) {
  const files = [...new Set(all.map(({ file }) => file))];
  const { testsOf, times } = await cover(files, [...new Set(rooms.flatMap((room) => TESTS[room]))]);
  const waiting = all.map((mutant) => {
    const far = (test) => Number(!test.startsWith(`test/${mutant.room}/`));
    const tests = [...(testsOf.get(`${mutant.file} ${mutant.start} ${mutant.end}`) ?? [])];
    return { ...mutant, tests: tests.sort((a, b) => far(a) - far(b) || times[a] - times[b]) };
  });
  const done = [];
  // A long run that is cut short tells what it has.
  process.prependOnceListener("SIGINT", () => report(done));
  await Promise.all(Array.from({ length: Number(values.jobs) }, () => work(waiting, done, times)));
  return done;
}

function filesOf(room) {
  return filesBelow(join(root, "src", room))
    .map((file) => relative(root, file))
    .filter((file) => !file.endsWith("/index.ts") && (values.file?.includes(file) ?? true));
}

async function cover(files, tests) {
  const dir = mkdtempSync(join(tmpdir(), "proctor-mutants-"));
  const hitsFile = join(dir, "hits.jsonl");
  const worker = await startWorker();
  try {
    const { failed, times } = await worker.ask({ type: "cover", files, tests, hitsFile });
    if (failed.length > 0) throw new Error(`Tests fail before anything is changed: ${failed.join(", ")}`);
    const testsOf = new Map();
    for (const line of readFileSync(hitsFile, "utf8").split("\n").filter(Boolean)) {
      const { test, places } = JSON.parse(line);
      for (const place of places) testsOf.set(place, (testsOf.get(place) ?? new Set()).add(relative(root, test)));
    }
    return { testsOf, times };
  } finally {
    worker.end();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function work(waiting, done, times) {
  let worker;
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const { tests, ...rest } = mutant;
    let status = "not covered";
    let by;
    if (tests.length > 0) {
      worker ??= await startWorker();
      // Long enough for a machine that got busy since: a mutant must not pass for noticed because others were in the way.
      const limit = Math.min(300_000, 120_000 + 10 * tests.reduce((sum, test) => sum + times[test], 0));
      const answer = await worker.ask({ type: "try", file: mutant.file, mutant: rest, tests }, limit);
      status = answer === undefined ? "timed out" : answer.killedBy === undefined ? "survived" : "killed";
      by = answer?.killedBy;
      if (answer === undefined) {
        worker.end();
        worker = undefined;
      }
    }
    done.push({ ...rest, status, by });
    if (status !== "killed") process.stderr.write(`${shown({ ...rest, status })}\n`);
    else if (done.length % 50 === 0) process.stderr.write(`  ${done.length} done\n`);
  }
  worker?.end();
}

/** A process that may be ended when a mutant runs for ever, with all that it has started: it leads a group of its own. */
function startWorker() {
  const child = fork(join(import.meta.dirname, "mutants", "worker.mjs"), {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    detached: true,
  });
  const end = () => {
    groups.delete(end);
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  groups.add(end);
  const next = () =>
    new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", (code) => reject(new Error(`The worker ended with ${code}`)));
    });
  const ask = async (message, limit) => {
    child.send(message);
    let timer;
    const late = new Promise((resolve) => {
      if (limit !== undefined) timer = setTimeout(resolve, limit);
    });
    const answer = await Promise.race([next(), late]);
    clearTimeout(timer);
    child.removeAllListeners("message").removeAllListeners("exit");
    if (answer?.type === "failed") throw new Error(answer.message);
    return answer;
  };
  return next().then(() => {
    child.removeAllListeners("exit");
    return { ask, end };
  });
}

function report(all) {
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(all, null, 1)}\n`);
  process.stdout.write("room       mutants  killed  timed out  survived  not covered  score\n");
  for (const room of rooms) {
    const mine = all.filter((mutant) => mutant.room === room);
    if (mine.length === 0) continue;
    const count = (status) => mine.filter((mutant) => mutant.status === status).length;
    const noticed = count("killed") + count("timed out");
    const cells = [mine.length, count("killed"), count("timed out"), count("survived"), count("not covered")];
    const widths = [7, 6, 9, 8, 11];
    const score = `${((100 * noticed) / mine.length).toFixed(1)} %`;
    process.stdout.write(
      `${room.padEnd(9)}  ${cells.map((cell, index) => String(cell).padStart(widths[index])).join("  ")}  ${score}\n`,
    );
  }
}

function shown({ file, line, from, to, kind, status }) {
  const short = (text) => text.replace(/\s+/g, " ").slice(0, 70);
  return `${status}  ${file}:${line}  ${short(from)}  →  ${kind === "statement" ? "removed" : short(to)}`;
}

function filesBelow(dir) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The same mutants for the same seed, whatever their number (mulberry32). */
function sampled(all, size, seed) {
  let state = Number(seed) * 0x9e3779b9;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return all
    .map((mutant) => ({ mutant, at: next() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, size)
    .map(({ mutant }) => mutant);
}
