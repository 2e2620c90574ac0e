import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepWorkspaces } from "../../../../src/targets/agents/workspace/workspace.ts";
import { isHere } from "../../../tools.ts";

const dir = mkdtempSync(join(tmpdir(), "killed-test-"));
const agents = join(import.meta.dirname, "../../../../src/targets/agents");
const linux = process.platform === "linux";

/** A Proctor with one trial, whose CLI has started a process in a session of its own. */
const proctor = `
import { findSandbox } from ${JSON.stringify(join(agents, "process/find-sandbox.ts"))};
import { DEFAULT_LIMITS, startProcess } from ${JSON.stringify(join(agents, "process/running-process.ts"))};
import { createWorkspace } from ${JSON.stringify(join(agents, "workspace/workspace.ts"))};
const workspace = await createWorkspace({ skills: [], skillsDir: ".", files: [], keep: false });
const script = 'require("node:child_process").spawn("sleep", ["4321"], { detached: true, stdio: "ignore" }); console.log("{}"); setInterval(() => {}, 1000);';
const command = { file: process.execPath, args: ["-e", script], env: { PATH: process.env.PATH } };
const wrapped = process.argv[2] === "sandboxed" ? findSandbox(process.env).wrap(command, { ...workspace, writable: [] }) : {};
const run = startProcess({ ...command, ...wrapped, cwd: workspace.project, marker: workspace.marker, stopSignal: "SIGTERM" }, DEFAULT_LIMITS);
for await (const line of run.lines) { run.sawEvent(); console.log(workspace.root); }
`;

beforeAll(() => writeFileSync(join(dir, "proctor.ts"), proctor));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.runIf(linux)(
  "what a killed Proctor has left running is ended at the next start, and its folder removed",
  async () => {
    const { child, root } = await started("bare");
    expect(processesIn(root)).toHaveLength(2);
    await killed(child);
    expect(processesIn(root)).toHaveLength(2);
    await sweepWorkspaces();
    expect(processesIn(root)).toEqual([]);
    expect(existsSync(root)).toBe(false);
  },
);

test.runIf(linux)("the trials of a Proctor that lives are left alone", async () => {
  const { child, root } = await started("bare");
  await sweepWorkspaces();
  expect(processesIn(root)).toHaveLength(2);
  expect(existsSync(root)).toBe(true);
  await killed(child);
  await sweepWorkspaces();
});

test.runIf(linux && isHere("sandbox"))("in a sandbox everything ends together with a killed Proctor", async () => {
  const { child, root } = await started("sandboxed");
  expect(processesIn(root).length).toBeGreaterThanOrEqual(2);
  await killed(child);
  for (let tries = 0; tries < 100 && processesIn(root).length > 0; tries++) await sleep(50);
  expect(processesIn(root)).toEqual([]);
  await sweepWorkspaces();
  expect(existsSync(root)).toBe(false);
});

test.runIf(linux)(
  "a process id that was given to somebody else keeps nothing, and one of another container is left alone for a day",
  async () => {
    const space = Math.abs(Number(/\d+/.exec(readlinkSync("/proc/self/ns/pid"))![0]) - 4_026_531_836);
    const names = {
      reused: `prw-${process.pid}-${space.toString(36)}.1-a`,
      elsewhere: `prw-4194305-${(space + 1).toString(36)}.1-b`,
      long: `prw-4194305-${(space + 1).toString(36)}.1-c`,
      kept: `proctor-kept-4194305-${space.toString(36)}.1-d`,
    };
    for (const name of Object.values(names)) mkdirSync(join(dir, name));
    const before = new Date(Date.now() - 25 * 3_600_000);
    utimesSync(join(dir, names.long), before, before);
    await sweepWorkspaces([dir]);
    expect(Object.values(names).map((name) => existsSync(join(dir, name)))).toEqual([false, true, false, true]);
  },
);

async function started(how: string): Promise<{ child: ChildProcess; root: string }> {
  const child = spawn(process.execPath, ["--import", "jiti/register", join(dir, "proctor.ts"), how], {
    cwd: join(agents, "../../.."),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const root = await new Promise<string>((resolve, reject) => {
    child.stdout!.once("data", (data: Buffer) => resolve(data.toString().trim()));
    child.once("exit", () => reject(new Error("it ended before its trial began")));
  });
  return { child, root };
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

/** Those that work in a folder and have not ended. */
function processesIn(folder: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return (
          Number.isInteger(pid) &&
          readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) &&
          !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"))
        );
      } catch {
        return false;
      }
    });
}
