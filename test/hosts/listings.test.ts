import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type StagedSkill, StagedSkills } from "../../src/hosts/reading/staged-skills.ts";
import { factsIn, sessionFiles, watchRequests } from "../../src/targets/agents/trial/session-files.ts";
import { adapterOf } from "./adapters.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "proctor-listings-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const words = 'Draws charts & "maps" from <CSV> files. Use when the user asks for one.';

/** What each CLI writes down of a request, as it was seen in trials, with a prompt of ours in it. */
const written: Record<string, (prompt: string) => [path: string, content: string]> = {
  gemini: (prompt) => [
    "telemetry.log",
    [
      `{\n  "attributes": {\n    "event.name": "gemini_cli.config"\n  }\n}`,
      `{\n  "attributes": {\n    "gen_ai.system_instructions": ${JSON.stringify(JSON.stringify([{ type: "text", content: prompt }]))},\n    "x": 1\n  }\n}`,
    ].join("\n"),
  ],
  opencode: (prompt) => ["proctor/system.txt", prompt],
  qwen: (prompt) => [
    "requests/openai-2026-11-16T00-46-15.207Z-24768089.json",
    JSON.stringify(
      {
        request: { messages: [{ role: "user", content: [{ type: "text", text: prompt }] }], tools: [{}] },
        error: null,
      },
      null,
      2,
    ),
  ],
};

describe.each(Object.keys(written))("%s", (cli) => {
  const adapter = adapterOf(cli);

  test("tells of every skill what the model was shown, with 120 of them", async () => {
    const skills = Array.from({ length: 120 }, (_, index) => skill(`s${index}`));
    const shown = skills
      .filter(({ name }) => name !== "s7")
      .map(({ name }) => card(name, name === "s8" ? "Draws" : name === "s9" ? "" : words));
    write(
      ...written[cli]!(`You are an agent.\n<available_skills>\n${shown.join("\n")}\n</available_skills>\nBe brief.`),
    );
    const { listing } = await facts(skills);
    expect(listing).toHaveLength(120);
    expect(
      Object.fromEntries(listing!.filter(({ shown }) => shown !== "whole").map((entry) => [entry.skill, entry.shown])),
    ).toEqual({
      s7: "absent",
      s8: "cut",
      s9: "bare",
    });
  });

  test("that shows no skill at all is told as such", async () => {
    write(...written[cli]!("You are an agent."));
    expect((await facts([skill("alpha")])).listing).toEqual([{ skill: "alpha", shown: "absent" }]);
  });

  test("that wrote no request has no listing", async () => {
    expect((await facts([skill("alpha")])).listing).toBeUndefined();
  });

  test("keeps the listing of its requests and nothing else of them", async () => {
    write(...written[cli]!(`The key is sk-secret.\n<available_skills>${card("alpha", words)}</available_skills>`));
    const files = await sessionFiles(adapter.session!, home, { start: never });
    expect(files.map(({ path }) => path)).toEqual(["listing"]);
    expect(files[0]!.text).not.toContain("sk-secret");
  });

  async function facts(skills: StagedSkill[]) {
    return factsIn(
      await sessionFiles(adapter.session!, home, { start: never }),
      adapter,
      new StagedSkills("/ws", skills),
    );
  }
});

describe("qwen", () => {
  const { session } = adapterOf("qwen");

  test("that says nothing about a failed request has the reason in its own file", async () => {
    request(1, "529 Overloaded");
    const files = await sessionFiles(session!, home, { start: never });
    expect(factsIn(files, adapterOf("qwen"), new StagedSkills("/ws", [])).error).toMatchObject({
      reason: "overloaded",
    });
  });

  test.each([
    [[null, "429 Slow down", "429 Slow down"], true],
    [["429 Slow down", null, "429 Slow down"], false],
    [["429 Slow down"], false],
  ])("is not awaited any longer after two failures in a row: %j", async (errors, over) => {
    errors.forEach((error, index) => {
      request(index, error);
    });
    let enough = false;
    const unwatch = watchRequests(
      session,
      home,
      () => {
        enough = true;
      },
      5,
    );
    await expect.poll(() => enough, { timeout: over ? 5_000 : 100 }).toBe(over);
    unwatch();
  });

  function request(index: number, error: string | null): void {
    const content = { request: { messages: [], tools: [{}] }, error: error === null ? null : { message: error } };
    write(`requests/openai-2026-11-16T00-46-1${index}.207Z-a.json`, JSON.stringify(content, null, 2));
  }
});

function write(path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}

function skill(name: string): StagedSkill {
  const dir = `/ws/.agents/skills/${name}`;
  return { id: name, folder: name, name, dir, file: `${dir}/SKILL.md`, description: words, body: `# ${name}\n` };
}

function card(name: string, description: string): string {
  const escaped = description.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `  <skill>\n    <name>${name}</name>\n    <description>${escaped}</description>\n  </skill>`;
}

function never(): never {
  throw new Error("no CLI is started here");
}
