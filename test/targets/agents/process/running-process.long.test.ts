import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import type { Exit } from "../../../../src/hosts/index.ts";
import { numbered } from "../../../../src/targets/agents/process/numbered.ts";
import {
  DEFAULT_LIMITS,
  type ProcessLimits,
  startProcess,
} from "../../../../src/targets/agents/process/running-process.ts";

const dir = mkdtempSync(join(tmpdir(), "runner-test-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("every line is read to the end: split characters, other text, a last line without a newline", async () => {
  const script = `
    const bytes = Buffer.from('{"text":"grüße 🙂"}\\r\\nnot json\\n{"last":true}');
    (async () => { for (const byte of bytes) { process.stdout.write(Buffer.from([byte])); await new Promise((done) => setImmediate(done)); } })();`;
  const { lines, exit } = await played(script);
  expect(lines).toEqual(['{"text":"grüße 🙂"}', "not json", '{"last":true}']);
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit.stopped).toBeUndefined();
});

test("the prompt comes on stdin and is followed by its end; without one there is only the end", async () => {
  const script = `let all = ""; process.stdin.on("data", (data) => (all += data)).on("end", () => console.log(JSON.stringify(all)));`;
  expect((await played(script, {}, 'line 1\n"quoted"')).lines).toEqual([JSON.stringify('line 1\n"quoted"')]);
  expect((await played(script)).lines).toEqual(['""']);
});

test("a process that says nothing is ended, and so is one that never ends", async () => {
  const silent = await played("setInterval(() => {}, 1000)", { firstEventMs: 150 });
  expect(silent.exit).toMatchObject({ stopped: "first_event", signal: "SIGTERM" });
  const endless = await playedUntilItSpoke('console.log("{}"); setInterval(() => {}, 1000)');
  expect(endless.exit.stopped).toBe("timeout");
});

test("it remembers that it stopped a process, whatever that process says about itself", async () => {
  const script = `process.on("SIGTERM", () => { console.log('{"type":"result","exitCode":0}'); process.exit(0); }); console.log("{}"); setInterval(() => {}, 1000)`;
  const { lines, exit } = await playedUntilItSpoke(script);
  expect(lines.at(-1)).toBe('{"type":"result","exitCode":0}');
  expect(exit).toMatchObject({ code: 0, stopped: "timeout" });
});

test("a process that ignores the signal is killed", async () => {
  const script = `process.on("SIGTERM", () => {}); console.log("{}"); setInterval(() => {}, 1000)`;
  const { exit } = await playedUntilItSpoke(script, { graceMs: 200 });
  expect(exit).toMatchObject({ signal: "SIGKILL", stopped: "timeout" });
});

test.runIf(process.platform === "linux")("children in a session of their own do not outlive the run", async () => {
  const script = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
    child.unref();
    console.log(JSON.stringify({ pid: child.pid }));
    setTimeout(() => process.exit(0), 200);`;
  const { lines } = await played(script);
  const { pid } = JSON.parse(lines[0]!) as { pid: number };
  await sleep(50);
  expect(isRunning(pid)).toBe(false);
});

test("output without end is a flood", async () => {
  const script = `const line = "x".repeat(10_000) + "\\n"; const write = () => { while (process.stdout.write(line)); process.stdout.once("drain", write); }; write();`;
  expect((await played(script, { maxBytes: 1_000_000 })).exit.stopped).toBe("flood");
});

test("so is output on stderr", async () => {
  const script = `const line = "x".repeat(10_000) + "\\n"; const write = () => { while (process.stderr.write(line)); process.stderr.once("drain", write); }; write();`;
  expect((await played(script, { maxBytes: 1_000_000 })).exit.stopped).toBe("flood");
});

test.runIf(process.platform === "linux")("files without end are a flood of the disk", async () => {
  const folder = mkdtempSync(join(dir, "full-"));
  const script = `mkdir deep; n=0; while [ $n -lt 400 ]; do dd if=/dev/urandom of=deep/$n bs=1M count=1 2>/dev/null; n=$((n+1)); sleep 0.01; done; sleep 60`;
  const run = startProcess(
    {
      file: "/bin/sh",
      args: ["-c", script],
      env: { PATH: process.env["PATH"]! },
      cwd: folder,
      folder,
      marker: "full",
      stopSignal: "SIGTERM",
    },
    { ...DEFAULT_LIMITS, maxDiskBytes: 10_000_000 },
  );
  expect(await run.exit).toMatchObject({ stopped: "disk", signal: "SIGKILL" });
  rmSync(folder, { recursive: true });
});

test.runIf(process.platform === "linux")("processes without end are ended, all of them", async () => {
  const script = "n=0; while [ $n -lt 60 ]; do sleep 4323.5 & n=$((n+1)); done; wait";
  const { exit } = await played(
    `require("node:child_process").spawnSync("/bin/sh", ["-c", ${JSON.stringify(script)}])`,
    {
      maxProcesses: 30,
    },
  );
  expect(exit).toMatchObject({ stopped: "processes", signal: "SIGKILL" });
  await sleep(50);
  expect(readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes("sleep 4323.5"))).toEqual(
    [],
  );
});

test("a program that is not there is a failure to start", async () => {
  const run = startProcess(
    { file: join(dir, "nothing"), args: [], env: {}, cwd: dir, marker: "none", stopSignal: "SIGTERM" },
    DEFAULT_LIMITS,
  );
  for await (const _ of run.lines);
  expect((await run.exit).failed?.message).toContain("ENOENT");
});

test.runIf(process.platform === "linux")("memory and CPU time are those of the CLI and of all it started", async () => {
  const script = `
    const busy = "const big = Buffer.alloc(50e6, 1); for (const end = process.cpuUsage().user + 300e3; process.cpuUsage().user < end;); big";
    const { execFileSync } = require("node:child_process");
    execFileSync(process.execPath, ["-e", busy]);
    console.log("{}");
    setTimeout(() => {}, 250);`;
  const { exit } = await played(script);
  expect(exit.resources!.cpuMs).toBeGreaterThanOrEqual(300);
  expect(exit.resources!.peakMemoryBytes).toBeGreaterThan(50e6);
});

test("of a process that was gone before anybody looked nothing is told, and not 0", async () => {
  const command = {
    file: process.execPath,
    args: ["--version"],
    env: {},
    cwd: dir,
    marker: "short",
    stopSignal: "SIGTERM" as const,
  };
  const runs = Array.from({ length: 5 }, () => startProcess(command, DEFAULT_LIMITS));
  for (const run of runs) {
    for await (const _ of run.lines);
    const { resources } = await run.exit;
    if (resources !== undefined) for (const value of Object.values(resources)) expect(value).toBeGreaterThan(0);
  }
});

describe.runIf(process.platform === "linux")("what a CLI leaves behind", () => {
  const strays: [string, string][] = [
    ["without its environment", "setsid env -i sleep 4321 </dev/null >/dev/null 2>&1 &"],
    ["that holds stdout", "setsid env -i sh -c 'cd /; exec sleep 4321' &"],
    ["that holds stderr alone", "setsid env -i sh -c 'cd /; exec sleep 4321' </dev/null >/dev/null &"],
    [
      "in another folder, with a file of the trial's open",
      "setsid env -i sh -c 'cd /; exec sleep 4321' </dev/null >out.txt 2>&1 &",
    ],
  ];

  test.each(strays)("a process %s is ended with the run, which is not waited for", async (_, line) => {
    const { pid, exit } = await strayed(`${line}\necho $!\nsleep 0.1`);
    expect(exit).toMatchObject({ code: 0 });
    expect(exit.stopped).toBeUndefined();
    expect(isRunning(pid)).toBe(false);
  });

  test("so is one that has nothing of the trial, once it was seen among the CLI's own", async () => {
    const line = "setsid env -i sh -c 'cd /; exec sleep 4321' </dev/null >/dev/null 2>&1 &";
    const { pid } = await strayed(`${line}\necho $!\nsleep 1`);
    expect(isRunning(pid)).toBe(false);
  });

  // Away from its parent, folder, files, streams and environment before anybody looks.
  const away = (line: string) => `(setsid env -i sh -c 'cd /; ${line}' </dev/null >/dev/null 2>&1 &)`;
  const named = (name: string) =>
    readdirSync("/proc").filter(
      (pid) => /^\d+$/.test(pid) && commandOf(pid).includes(`sleep ${name}`) && isRunning(Number(pid)),
    );

  const hasNumbers = numbered({ file: "/bin/sh", args: [] }).number !== undefined;
  test.runIf(hasNumbers).each([
    ["however far it went", away("exec sleep 4322.71"), "4322.71"],
    [
      "also with a lower number that it gave itself",
      away("prlimit --pid $$ --locks=5:5; exec sleep 4322.72"),
      "4322.72",
    ],
  ])("a process is ended, %s", async (_, line, name) => {
    await strayed(`${line}\necho 1`);
    expect(named(name)).toEqual([]);
  });

  const canHop = hasNumbers && existsSync("/usr/bin/perl");
  test.runIf(canHop)("a process is ended that is always another one", async () => {
    const beat = join(dir, "beat");
    const hop = `use POSIX; setsid; chdir "/"; close STDIN; close STDOUT; close STDERR; my ($n, $end) = (0, time + 30);
      while (time < $end) { exit if fork; if (++$n % 20 == 0) { open my $f, ">>", "${beat}"; print $f "."; close $f } }`;
    await strayed(`perl -e '${hop}' &\nsleep 0.5\necho 1`);
    const beats = () => (existsSync(beat) ? statSync(beat).size : 0);
    const before = beats();
    expect(before).toBeGreaterThan(0);
    await sleep(1_000);
    expect(beats()).toBe(before);
  });

  test("and with a run that is stopped", async () => {
    const { pid, exit } = await strayed(`${strays[1]![1]}\necho $!\nsleep 4321`, { totalMs: 500, graceMs: 200 });
    expect(exit.stopped).toBe("timeout");
    expect(isRunning(pid)).toBe(false);
  });

  async function strayed(script: string, limits: Partial<ProcessLimits> = {}): Promise<{ pid: number; exit: Exit }> {
    const folder = mkdtempSync(join(dir, "prw-test-"));
    const run = startProcess(
      {
        file: "/bin/sh",
        args: ["-c", script],
        env: { PATH: process.env["PATH"]! },
        cwd: folder,
        marker: basename(folder),
        stopSignal: "SIGTERM",
      },
      { ...DEFAULT_LIMITS, ...limits },
    );
    const lines: string[] = [];
    for await (const line of run.lines) {
      run.sawEvent();
      lines.push(line);
    }
    const exit = await run.exit;
    await sleep(50);
    return { pid: Number(lines[0]), exit };
  }
});

async function played(
  script: string,
  limits: Partial<ProcessLimits> = {},
  stdin?: string,
  sawEvent = false,
): Promise<{ lines: string[]; exit: Exit }> {
  const command = {
    file: process.execPath,
    args: ["-e", script],
    env: { PATH: process.env["PATH"]! },
    cwd: dir,
    marker: `test-${Math.random()}`,
    stopSignal: "SIGTERM" as const,
  };
  const run = startProcess({ ...command, ...(stdin !== undefined && { stdin }) }, { ...DEFAULT_LIMITS, ...limits });
  const lines: string[] = [];
  for await (const line of run.lines) {
    if (sawEvent) run.sawEvent();
    lines.push(line);
  }
  return { lines, exit: await run.exit };
}

/** With a time limit that is long enough, however slow the machine is, for the process to have begun. */
async function playedUntilItSpoke(script: string, limits: Partial<ProcessLimits> = {}) {
  for (let totalMs = 300; ; totalMs *= 3) {
    const result = await played(script, { ...limits, totalMs }, undefined, true);
    if (result.lines.length > 0) return result;
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function isRunning(pid: number): boolean {
  if (!readdirSync("/proc").includes(String(pid))) return false;
  return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

test("ending what is over ends nothing else: a later process in the same workspace goes on", async () => {
  const command = (script: string) => ({
    file: process.execPath,
    args: ["-e", script],
    env: {},
    cwd: dir,
    marker: "the-same",
    stopSignal: "SIGTERM" as const,
  });
  const limits = { ...DEFAULT_LIMITS, graceMs: 50 };
  const first = startProcess(command(""), limits);
  await first.exit;
  const second = startProcess(command("setTimeout(() => {}, 400)"), limits);
  first.stop("abort");
  expect(await second.exit).toMatchObject({ code: 0, signal: null });
});
