import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appendTo, openRecord, readTranscript } from "../../src/exam/record/index.ts";
import { isHere } from "../tools.ts";
import { footer, linesOf, noMask, tempFolder, transcript, trial } from "./sample.ts";
import { writeTrialsArguments } from "./write-trials.ts";

const repository = join(import.meta.dirname, "../..");

test.skipIf(process.platform === "win32" || !isHere("bash"))(
  "a disk that is full leaves a whole record and says so",
  async () => {
    const root = tempFolder();
    const child = spawnSync(
      "bash",
      ["-c", `ulimit -f 200; exec "${process.execPath}" "$@"`, "-", ...writeTrialsArguments(root)],
      {
        cwd: repository,
        encoding: "utf8",
      },
    );
    expect(child.stdout).toMatch(/^UsageError: There is no space left to write .*record\.jsonl$/m);
    const { file } = await openRecord(root);
    const lines = await linesOf(file);
    expect(lines.length).toBeGreaterThan(100);
    expect(readFileSync(file, "utf8").endsWith("\n")).toBe(true);
    expect(child.stdout).toContain(`\n${lines.length - 1}\nUsageError`);
  },
);

test("kill -9 loses nothing that was reported as written", async () => {
  const root = tempFolder();
  const child = spawn(process.execPath, writeTrialsArguments(root), {
    cwd: repository,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const reported = await new Promise<number>((resolve) => {
    let last = 0;
    let text = "";
    child.stdout.on("data", (data: Buffer) => {
      text = (text + data.toString()).slice(-200);
      last = Number(text.split("\n").at(-2) ?? 0);
      if (last > 500) child.kill("SIGKILL");
    });
    child.on("exit", () => resolve(last));
  });
  const place = await openRecord(root);
  appendFileSync(place.file, '{"type":"trial","ta');
  const trials = (await linesOf(place.file)).filter((line) => line.type === "trial");
  expect(trials.length).toBeGreaterThanOrEqual(reported);
  expect(trials.map((line) => line.run)).toEqual(trials.map((_, index) => index + 1));
  const last = trials.at(-1)!;
  expect((await readTranscript(place.dir, last.transcript!)).finalText).toBe(`answer ${last.run}`);
  const resumed = appendTo(place, { mask: noMask });
  await resumed.trial(trial(trials.length + 1), { transcript: transcript("after") });
  await resumed.close(footer);
  expect((await linesOf(place.file)).at(-2)).toMatchObject({
    run: trials.length + 1,
    transcript: { segment: "transcripts-001.jsonl" },
  });
});
