import { spawn, spawnSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findSandbox } from "../../src/targets/agents/process/find-sandbox.ts";

interface Found {
  /** Below /proc, /sys and /dev. */
  writable: string[];
  folders: string[];
  devices: string[];
  processes: number;
  queues: number[];
  namespaces: boolean;
  sockets: boolean;
  /** Beyond stdin, stdout and stderr. */
  descriptors: string[];
}

const isRoot = process.getuid?.() === 0;
const program = join(import.meta.dirname, "sandbox/start-probe.ts");
const NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
const nobodyCan =
  isRoot && run([...NOBODY, process.execPath, "-e", `require("fs").readFileSync(${JSON.stringify(program)})`]);
const users: [string, string[]][] = [
  ...(isRoot ? [["root", []] as [string, string[]]] : [["an ordinary user", []] as [string, string[]]]),
  ...(nobodyCan ? [["an ordinary user", NOBODY] as [string, string[]]] : []),
];
/** Only since version 0.8. */
const forbidsNamespaces = spawnSync("bwrap", ["--help"], { encoding: "utf8" }).stdout?.includes("--disable-userns");

const scratch = mkdtempSync(join(tmpdir(), "sandbox-probe-"));
chmodSync(scratch, 0o777);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const boxed = findSandbox(process.env)?.name === "bubblewrap";

describe.skipIf(!boxed).each(users)(
  "docs/security.md says what the sandbox leaves (needs bubblewrap), as %s",
  (user, as) => {
    const column = user === "root" ? 0 : 1;
    const starters = ["agent", "setup", "command"] as const;
    let found: Record<string, Found>;
    beforeAll(async () => {
      found = await probe(as);
    }, 300_000);

    test.each(starters)("%s: nothing more can be written, and nothing less", (starter) => {
      const { writable, folders, devices } = found[starter]!;
      const below = (folder: string) => writable.filter((path) => path.startsWith(`${folder}/`));
      expect(folders).toEqual(cell("folders that can be written to", column).sort());
      expect(devices).toEqual(cell("what `/dev` holds", column).sort());
      expect(below("/dev")).toEqual(cell("of `/dev`, can be opened", column).sort());
      expect(below("/sys")).toEqual(cell("of `/sys`, can be opened", column));
      // Which of them there are depends on the kernel.
      const allowed = cell("of `/proc`, can be opened", column);
      expect(below("/proc").filter((path) => !allowed.some((pattern) => matches(path, pattern)))).toEqual([]);
      expect(below("/proc").includes("/proc/PID/*")).toBe(allowed.includes("/proc/PID/*"));
    });

    test.each(starters)("%s: what else it can reach", (starter) => {
      const { descriptors, queues, namespaces, sockets, processes } = found[starter]!;
      expect(descriptors.filter((file) => file !== "/dev/null")).toEqual(cell("open files", column));
      expect(queues).toEqual([0, 0, 0]);
      if (user !== "root" || forbidsNamespaces)
        expect(namespaces).toBe(said("user namespaces", column).startsWith("yes"));
      expect(sockets).toBe(said("sockets that have", column).startsWith("yes"));
      expect(processes).toBeLessThan(10);
    });
  },
);

/** By a program that was itself started with a file that is no business of a trial's. */
async function probe(as: string[]): Promise<Record<string, Found>> {
  const home = mkdtempSync(join(scratch, "home-"));
  chmodSync(home, 0o777);
  writeFileSync(join(scratch, "open"), "secret");
  const open = openSync(join(scratch, "open"), "r");
  const [file, ...args] = [...as, process.execPath, "--import", "jiti/register", program];
  const child = spawn(file!, args, {
    env: { PATH: process.env["PATH"], HOME: home, TMPDIR: home },
    // Far from the others: Node itself closes those that follow on one another.
    stdio: ["ignore", "pipe", "inherit", ...Array.from({ length: 27 }, () => "ignore" as const), open],
  });
  const said = await text(child.stdout!);
  closeSync(open);
  return JSON.parse(said) as Record<string, Found>;
}

function run([file, ...args]: string[]): boolean {
  return spawnSync(file!, args).status === 0;
}

function said(row: string, column: number): string {
  const table = /<!-- sandbox -->\n([\s\S]*?)<!-- \/sandbox -->/.exec(
    readFileSync(join(import.meta.dirname, "../../docs/security.md"), "utf8"),
  );
  const cells = table![1]!
    .split("\n")
    .find((line) => line.startsWith(`| ${row}`))!
    .split(" | ");
  const own = cells[column + 1]!.replace(/ \|$/, "");
  return own === "the same" ? cells[column]! : own;
}

function cell(row: string, column: number): string[] {
  return [...said(row, column).matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

function matches(path: string, pattern: string): boolean {
  return pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
