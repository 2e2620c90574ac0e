import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ask } from "../../../src/model/index.ts";
import { foldEvents } from "../../../src/model/index.ts";
import { resolveTarget } from "../../../src/targets/index.ts";
import { writeLibrary } from "../../agents/library.ts";
import { isHere } from "../../tools.ts";

const root = mkdtempSync(join(tmpdir(), "agent-cases-"));
const library = await writeLibrary(root);
const [cli, file] = [join(root, "fake-agent"), join(root, "fake.mjs")];

/** A CLI that runs its prompt as a shell script and says what it printed. */
const script = `#!${process.execPath}
if (process.argv[2] === "--version") { console.log("1.2.3"); process.exit(0); }
const { spawnSync } = require("node:child_process");
const { stdout } = spawnSync("/bin/sh", ["-c", require("node:fs").readFileSync(0, "utf8")], { encoding: "utf8" });
console.log(JSON.stringify({ type: "text", text: stdout }));
console.log(JSON.stringify({ type: "end" }));
`;

beforeAll(() => {
  writeFileSync(cli, script);
  chmodSync(cli, 0o755);
  writeFileSync(join(root, "run.sh"), "#!/bin/sh\necho ran\n");
  chmodSync(join(root, "run.sh"), 0o755);
  const definition = `
    import { defineAgent } from "proctor";
    export default defineAgent({
      name: "fake", command: ${JSON.stringify(cli)}, skillsDir: ".skills", readOnly: true,
      launch: (trial) => ({ args: [], env: {}, stdin: trial.prompt }),
      events: (line) => line.type === "end" ? [{ type: "end" }] : [{ type: "text", text: line.text }],
    });`;
  writeFileSync(file, definition);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function ask(prompt: string, more: Partial<Ask> = {}, options: object = {}) {
  const settings = { options: { canary: false, sandbox: "off", ...options } };
  const target = await resolveTarget(`agent:${file}`, {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "" },
    settings,
  });
  const sitting = await target.open(library);
  try {
    const asked: Ask = {
      key: prompt,
      kind: "case",
      prompt,
      files: [],
      messages: [],
      library: "",
      limits: {},
      skill: "alpha",
      ...more,
    };
    const answer = await sitting.ask(asked, { run: 1, signal: new AbortController().signal, decided: () => false });
    const transcript = await foldEvents(answer.events);
    const files = Object.fromEntries(
      (answer.files?.().files ?? []).map(({ path, change, text, before }) => [
        path,
        `${change}${before === undefined ? "" : `, before: ${before}`}${text === undefined ? "" : `: ${text.trim()}`}`,
      ]),
    );
    const ran =
      typeof answer.programs === "object"
        ? await answer.programs.run({ file: "/bin/sh", args: ["-c", "cat made.txt"], timeoutMs: 10_000 })
        : answer.programs;
    await answer.dispose();
    return { transcript, files, ran };
  } finally {
    await sitting.close();
  }
}

describe.skipIf(process.platform === "win32")("a case on an agent", () => {
  test.runIf(isHere("git"))(
    "finds a real repository with one commit, its files with their permissions, and what its setup made",
    async () => {
      const { transcript } = await ask(
        "git log --oneline | wc -l; git status --porcelain | wc -l; ./run.sh; cat from-setup",
        {
          files: [{ path: "run.sh", from: join(root, "run.sh") }],
          setup: ["echo set up > from-setup"],
        },
      );
      expect(transcript.finalText.split(/\s+/).filter(Boolean)).toEqual(["1", "0", "ran", "set", "up"]);
    },
  );

  test("what it left is compared with what was there, and programs can be started there", async () => {
    const { files, ran } = await ask("echo new > made.txt; echo other > kept.txt; rm gone.txt", {
      files: ["kept.txt", "gone.txt", "same.txt"].map((path) => ({ path, content: "old" })),
    });
    expect(files).toEqual({
      "made.txt": "added: new",
      "kept.txt": "changed, before: old: other",
      "gone.txt": "removed, before: old",
      "same.txt": "same: old",
    });
    expect(ran).toMatchObject({ status: "exited", code: 0, stdout: "new\n" });
  });

  test("a setup that fails makes it an error that says which", async () => {
    const { transcript } = await ask("true", { setup: ["true", "echo why >&2; exit 3"] });
    expect(transcript.outcome).toMatchObject({
      status: "error",
      error: { reason: "not_asked", message: expect.stringContaining("exit 3` failed: it exited with 3: why") },
    });
  });

  test.each<[string, Partial<Ask>, object, string[]]>([
    ["the whole library", {}, {}, ["alpha", "alpha-extended", "beta", "gamma", "hidden"]],
    ["the skill under test alone", {}, { only_skill: true }, ["alpha"]],
    [
      "all but the skill under test",
      { variant: { label: "without" } },
      {},
      ["alpha-extended", "beta", "gamma", "hidden"],
    ],
    ["nothing", { variant: { label: "without" } }, { only_skill: true }, []],
  ])("is shown %s", async (_what, more, options, shown) => {
    const { transcript } = await ask("ls .skills 2>/dev/null", more, options);
    expect(transcript.finalText.split(/\s+/).filter(Boolean)).toEqual(shown);
  });

  test("is shown another version in the place of its own", async () => {
    const other = join(root, "version", "alpha");
    const { mkdirSync } = await import("node:fs");
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, "SKILL.md"), "---\nname: alpha\ndescription: The old one.\n---\nOLD-BODY\n");
    const { transcript } = await ask("cat .skills/alpha/SKILL.md; ls .skills | wc -l", {
      variant: { label: "with old", folder: other, fingerprint: "f" },
    });
    expect(transcript.finalText).toContain("OLD-BODY");
    expect(transcript.finalText.trim().endsWith("5")).toBe(true);
  });
});
