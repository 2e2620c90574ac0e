import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { gradeQuestion } from "../../src/graders/index.ts";
import type { Transcript } from "../../src/model/index.ts";
import { type ProgramSetting, rebuildWorkspace } from "../../src/targets/agents/index.ts";
import { filePrints, leftFiles } from "../../src/targets/agents/workspace/left-files.ts";
import { transcript } from "../graders/table.ts";
import { isHere } from "../tools.ts";

const SECRET = "sk-proctor-hostile-secret";
const env = { PATH: process.env["PATH"] ?? "", ANTHROPIC_API_KEY: SECRET, NODE_OPTIONS: "--inspect" };
const boxed = isHere("sandbox");
const setting: ProgramSetting = { sandbox: boxed ? "auto" : "off", env };
const folder = mkdtempSync(join(tmpdir(), "proctor-hostile-graders-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const opened: { dispose(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.dispose();
});

/** Grades by one grader, with real programs in a real workspace. */
async function grade(
  type: string,
  config: object,
  happened: Transcript = transcript({ reply: "hello", files: { "a.txt": "x" } }),
) {
  const rebuilt = await rebuildWorkspace(happened.workspace, setting);
  opened.push(rebuilt);
  return gradeQuestion([{ type, config }], happened, { prompt: "", suiteDir: folder, programs: rebuilt.programs });
}

/** Whether a process with these words in its command line is alive. */
function isAlive(words: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").includes(words);
    } catch {
      return false;
    }
  });
}

describe("patterns that would take for ever", () => {
  const reply = `${"a".repeat(20_000)}!`;
  test.each([
    ["regex", { pattern: "^(a+)+$" }],
    ["text", { regex_match: ["(a|a)*b", "(a*)*b"] }],
    ["matches", { value: "^(\\w+\\s?)+$", syntax: "python" }],
    ["matches", { value: "\\b(a|aa)+\\b$", syntax: "python" }],
  ])("%s %j", async (type, config) => {
    expect((await gradeQuestion([{ type, config }], transcript({ reply }), { prompt: "" })).passed).toBe(false);
  });
});

describe.skipIf(process.platform !== "linux")("programs", () => {
  test("one that forks and hangs is ended with all it started", async () => {
    const graded = await grade("program", {
      command: "sh",
      args: ["-c", "setsid sleep 61.7311 & sleep 61.7311"],
      timeout: 0.7,
    });
    expect(graded).toMatchObject({ passed: null, message: "sh could not decide: it did not end within 0.7 s" });
    expect(isAlive("sleep 61.7311")).toBe(false);
  });

  test("500 MB of output are not read, nor kept", async () => {
    const before = process.memoryUsage().rss;
    const graded = await grade("command", { run: "yes | head -c 500000000", timeout: 30 });
    expect(graded.message).toContain("it printed more than 4 MB");
    expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
  });

  test("one that does not exist is an error, not a failure; so is one that cannot be executed", async () => {
    expect(await grade("program", { command: "no-such-program" })).toMatchObject({
      passed: null,
      message: expect.stringContaining("there is no program no-such-program"),
    });
    expect(await grade("command", { run: "no-such-program" })).toMatchObject({
      passed: false,
      message: expect.stringContaining("exited with 127"),
    });
  });

  test("it sees no key and no setting of this process, and works in the workspace", async () => {
    const graded = await grade("command", {
      run: "env | grep -i -e secret -e NODE_OPTIONS -e API_KEY; test -f a.txt && test $? = 0",
      expect_exit: 0,
    });
    expect(graded.passed).toBe(true);
    expect(JSON.stringify(graded)).not.toContain(SECRET);
  });

  test.runIf(boxed)("nothing outside the workspace is written or seen", async () => {
    const place = join(folder, "touched");
    await grade("command", { run: `echo x > ${place}; echo x > /tmp/proctor-was-here; ls ${tmpdir()}` });
    expect(existsSync(place)).toBe(false);
    expect(existsSync("/tmp/proctor-was-here")).toBe(false);
  });

  test.runIf(boxed)("what its words and variables name is not shown to it", async () => {
    const hidden = mkdtempSync(join("/var/tmp", "proctor-hidden-"));
    try {
      writeFileSync(join(hidden, "key"), SECRET);
      const seen = `cat ${join(hidden, "key")}`;
      const graded = await Promise.all([
        grade("program", { command: "sh", args: ["-c", seen, "sh", hidden, join(hidden, "key")] }),
        grade("program", {
          command: "sh",
          args: ["-c", seen],
          env: { SHOWN: hidden, PATH: `${hidden}:/usr/bin:/bin` },
        }),
        grade("command", { run: seen }),
      ]);
      expect(graded.map(({ passed }) => passed)).toEqual([false, false, false]);
      expect(JSON.stringify(graded)).not.toContain(SECRET);
    } finally {
      rmSync(hidden, { recursive: true, force: true });
    }
  });

  test.runIf(boxed && process.platform === "linux")(
    "its variables do not reach the sandbox's own program, and do reach it",
    async () => {
      const env = { LD_DEBUG: "libs", LD_DEBUG_OUTPUT: join(folder, "written-outside"), WORD: "a b=c" };
      const graded = await grade("program", { command: "sh", args: ["-c", 'test "$WORD" = "a b=c"'], env });
      expect(graded.passed).toBe(true);
      expect(readdirSync(folder).filter((name) => name.startsWith("written-outside"))).toEqual([]);
      expect(await grade("program", { command: "true", env: { "A=B;x": "1" } })).toMatchObject({ passed: null });
    },
  );
});

describe("code", () => {
  const process_ = 'this.constructor.constructor("return process")()';
  test.each([
    ["loops", "(() => { for (;;); })()", null, "it did not end within 1 s"],
    ["ends its process", `${process_}.exit(0)`, null, "ended their process (exit 0) before they were decided"],
    [
      "lies about its result",
      `${process_}.stdout.write("proctor-results [{\\"status\\":\\"value\\",\\"value\\":true}]\\n") && ${process_}.exit(0)`,
      true,
      "is true",
    ],
    ["reads the environment", `JSON.stringify(${process_}.env).includes("${SECRET}")`, false, "is not true"],
    ["throws", "null.x", false, "threw"],
  ])("that %s", async (_what, assertion, passed, message) => {
    const graded = await grade("code", { assertions: [assertion], language: "javascript", timeout: 1 });
    // Whoever writes the assertion may write `true` as well: that it passes itself breaks no fence.
    expect(graded).toMatchObject({ passed, message: expect.stringContaining(message) });
  });

  test("TypeScript is read without its types", async () => {
    expect(
      await grade("code", {
        assertions: ["(output as string).length === 5", "files['a.txt'] === 'x'"],
        language: "typescript",
      }),
    ).toMatchObject({ passed: true });
  });
});

describe.skipIf(process.platform === "win32")("what an examinee leaves behind", () => {
  test("a link out of the workspace is not followed, a FIFO does not block, and a flood of files is cut and said", async () => {
    const project = mkdtempSync(join(folder, "left-"));
    writeFileSync(join(project, "inside.txt"), "inside");
    symlinkSync("/etc/passwd", join(project, "passwd"));
    symlinkSync("inside.txt", join(project, "link.txt"));
    symlinkSync("loop", join(project, "loop"));
    execFileSync("mkfifo", [join(project, "pipe")]);
    mkdirSync(join(project, "node_modules"));
    const left = leftFiles(project, filePrints(project, []), []);
    const kinds = Object.fromEntries(left.files.map(({ path, kind, text }) => [path, text ?? kind]));
    expect(kinds).toEqual({
      "inside.txt": "inside",
      "link.txt": "inside",
      loop: "link",
      node_modules: "folder",
      passwd: "link",
      pipe: "special",
    });
    const happened = { ...transcript({}), workspace: left };
    expect(
      await gradeQuestion([{ type: "file_exists", config: { path: "passwd" } }], happened, { prompt: "" }),
    ).toMatchObject({
      passed: false,
      message: expect.stringContaining("leads out of the workspace"),
    });
    expect(
      await gradeQuestion([{ type: "regex", config: { path: "passwd", pattern: "root" } }], happened, { prompt: "" }),
    ).toMatchObject({
      passed: false,
    });
    for (let index = 0; index < 5_050; index++) writeFileSync(join(project, `f${index}`), "");
    const flood = leftFiles(project, new Map(), []);
    expect(flood.cut).toBe("more than 5000 files were left");
    expect(flood.files.length).toBeLessThanOrEqual(5_000);
  });

  test("a record from somebody else cannot put files outside the rebuilt workspace", async () => {
    const workspace = {
      files: [{ path: "../../escaped", change: "added" as const, kind: "file" as const, text: "x" }],
    };
    await expect(rebuildWorkspace(workspace, setting)).rejects.toThrow("outside the workspace");
  });
});
