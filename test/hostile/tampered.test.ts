import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AgentAdapter } from "../../src/hosts/index.ts";
import { caseWork, prepareCase } from "../../src/targets/agents/case-work.ts";
import { programsIn } from "../../src/targets/agents/programs.ts";
import { putHomeFiles, removeHomeFiles } from "../../src/targets/agents/trial/home-files.ts";
import { sessionFiles } from "../../src/targets/agents/trial/session-files.ts";
import { startTrial, type TrialRequest } from "../../src/targets/agents/trial/trial.ts";
import { createWorkspace, type Workspace } from "../../src/targets/agents/workspace/workspace.ts";
import { isHere } from "../tools.ts";

/**
 * Whoever works in a trial's folder may leave links there, and even a sandbox lets it: links are only names. Afterwards Proctor itself goes to
 * that folder, outside of every sandbox.
 */
const env = { PATH: process.env["PATH"] };
const boxed = isHere("sandbox");
let workspace: Workspace;
let outside: string;
beforeEach(async () => {
  workspace = await createWorkspace({ skills: [], skillsDir: ".skills", files: [], keep: false });
  outside = mkdtempSync(join(tmpdir(), "proctor-outside-"));
  writeFileSync(join(outside, "victim"), "mine\n");
});
afterEach(async () => {
  await workspace.dispose();
  rmSync(outside, { recursive: true, force: true });
});

/** As an examinee would: the folder goes elsewhere, and a link takes its place. */
function swap(which: "project" | "home" | "tmp"): void {
  renameSync(workspace[which], `${workspace[which]}-moved`);
  symlinkSync(outside, workspace[which]);
}

function untouched(): void {
  expect(readdirSync(outside)).toEqual(["victim"]);
  expect(readFileSync(join(outside, "victim"), "utf8")).toBe("mine\n");
}

const cell = { adapter: { skillsDir: ".skills" }, options: { sandbox: boxed ? "auto" : "off" }, env } as never;

describe.skipIf(process.platform === "win32")("a link in the place of a folder", () => {
  test.each(["project", "tmp"] as const)(
    "%s: no program is started there, in a sandbox or without one",
    async (which) => {
      swap(which);
      for (const sandbox of boxed ? (["auto", "off"] as const) : (["off"] as const)) {
        const programs = programsIn(workspace, { sandbox, env });
        if (typeof programs === "string") throw new Error(programs);
        const line = `touch "${workspace[which]}/x" /tmp/x-of-proctor; cat victim /tmp/victim`;
        const ended = await programs.run({ file: "/bin/sh", args: ["-c", line], timeoutMs: 10_000 });
        expect(ended).toMatchObject({
          status: "failed",
          why: expect.stringMatching(/in place of a folder/) as unknown as string,
        });
      }
      untouched();
    },
  );

  test("what lies behind it is not what the examinee left", () => {
    const work = caseWork(workspace, cell);
    swap("project");
    expect(work.files?.()).toEqual({
      files: [],
      cut: expect.stringMatching(/in place of a folder/) as unknown as string,
    });
  });

  test.runIf(isHere("git"))("a setup that leaves one is an error, and git does not come near it", async () => {
    execFileSync("git", ["init", "-q", outside]);
    const line = `mv "${workspace.project}" "${workspace.project}-moved"; ln -s "${outside}" "${workspace.project}"`;
    const trial = await prepareCase(workspace, { setup: [line] } as never, cell);
    const events = [];
    for await (const event of trial?.events ?? []) events.push(event);
    expect(events).toMatchObject([{ type: "end", how: "error", error: { reason: "not_asked" } }]);
    expect(readdirSync(outside).sort()).toEqual([".git", "victim"]);
    expect(existsSync(join(outside, ".git", "objects"))).toBe(true);
    expect(readdirSync(join(outside, ".git"))).not.toContain("index");
  });

  test.runIf(isHere("git"))("a setup that leaves a repository with commands in it: git does not run them", async () => {
    const commands = [
      "git init -q inner && cd inner",
      "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x",
      // After the commit, which would run it.
      `git config core.fsmonitor "touch '${outside}/ran'"`,
      "echo '* filter=x' > ../.gitattributes",
      `git config filter.x.clean "touch '${outside}/ran'"`,
    ];
    await prepareCase(workspace, { setup: [commands.join(" && ")] } as never, cell);
    expect(existsSync(join(workspace.project, ".git", "HEAD"))).toBe(true);
    untouched();
  });

  test("the next message of a conversation is not put, and its files go nowhere else", async () => {
    symlinkSync(outside, join(workspace.home, ".cli"));
    const adapter = {
      launch: () => ({ args: [], env: {}, files: [{ path: ".cli/settings.json", content: "x" }] }),
    } as unknown as AgentAdapter;
    const request = {
      adapter,
      workspace,
      setup: {},
      files: [{ path: "login.json", content: "secret" }],
      signal: new AbortController().signal,
    };
    const ended = async () => {
      const events = [];
      for await (const event of (await startTrial(request as unknown as TrialRequest)).events) events.push(event);
      return events;
    };
    const error = {
      reason: "not_asked",
      message: expect.stringMatching(/in place of a folder|leads out of the folder/) as unknown as string,
    };
    expect(await ended()).toMatchObject([{ type: "end", how: "error", error }]);
    swap("home");
    expect(await ended()).toMatchObject([{ type: "end", how: "error", error }]);
    untouched();
  });
});

describe.skipIf(process.platform === "win32")("links in the trial's own HOME", () => {
  const files = [{ path: ".cli/login.json", content: "secret" }];

  test("files are put in their place, for the owner alone, and never through them", () => {
    putHomeFiles(workspace.home, files);
    const file = join(workspace.home, ".cli/login.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(file);
    symlinkSync(join(outside, "victim"), file);
    putHomeFiles(workspace.home, files);
    expect(readFileSync(file, "utf8")).toBe("secret");
    rmSync(join(workspace.home, ".cli"), { recursive: true });
    symlinkSync(outside, join(workspace.home, ".cli"));
    expect(putHomeFiles(workspace.home, files)).toMatch(/leads out of the folder/);
    untouched();
  });

  test("what is removed is the file, and not what lies behind a link", () => {
    writeFileSync(join(outside, "login.json"), "mine");
    symlinkSync(outside, join(workspace.home, ".cli"));
    removeHomeFiles(workspace.home, files);
    expect(readFileSync(join(outside, "login.json"), "utf8")).toBe("mine");
    rmSync(join(workspace.home, ".cli"));
    putHomeFiles(workspace.home, files);
    removeHomeFiles(workspace.home, files);
    expect(existsSync(join(workspace.home, ".cli/login.json"))).toBe(false);
  });

  test("sessions of others are not read as its own, and nothing is waited for", async () => {
    mkdirSync(join(workspace.home, "sessions"));
    mkdirSync(join(outside, "deep"));
    writeFileSync(join(outside, "deep", "theirs.jsonl"), '{"theirs":true}\n');
    const at = (name: string) => join(workspace.home, "sessions", name);
    writeFileSync(at("own.jsonl"), '{"own":true}\n');
    symlinkSync(outside, at("folder"));
    symlinkSync(join(outside, "deep", "theirs.jsonl"), at("link.jsonl"));
    symlinkSync("/dev/zero", at("zero.jsonl"));
    execFileSync("mkfifo", [at("fifo.jsonl")]);
    const session = { files: ["sessions/**/*.jsonl"], read: () => ({}) };
    const found = await sessionFiles(session as never, workspace.home, { start: () => ({ lines: [] }) as never });
    expect(found.map(({ text }) => text).join("")).toBe('{"own":true}\n');
  });
});
