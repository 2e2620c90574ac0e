import { expect, test } from "vitest";
import { StagedSkills } from "../../src/hosts/reading/staged-skills.ts";
import { adapterOf } from "./adapters.ts";

const [claude, codex, qwen] = [adapterOf("claude"), adapterOf("codex"), adapterOf("qwen")];

// Prompts that the host answers or replaces by itself. The lines are Claude Code 2.1.325's, Codex 0.166.0's and Qwen Code 0.24.4's, shortened.

const exit = { code: 0, signal: null, stderr: "", ms: 1, resources: { peakMemoryBytes: 0, cpuMs: 0 } };

test("a prompt that Claude Code replaces by a skill has loaded that skill", () => {
  const asked = {
    type: "user",
    uuid: "1",
    message: { role: "user", content: "<command-message>pdf</command-message>\n<command-name>/pdf</command-name>" },
  };
  const body = (folder: string, parentUuid: string) => ({
    type: "user",
    isMeta: true,
    parentUuid,
    message: { role: "user", content: [{ type: "text", text: `Base directory for this skill: ${folder}\n\n# pdf` }] },
  });
  const read = (...lines: unknown[]) =>
    claude.session!.read(
      [{ path: "s.jsonl", text: lines.map((line) => JSON.stringify(line)).join("\n") }],
      staged(".claude/skills"),
    ).before;
  expect(read(asked, body("/ws/.claude/skills/pdf", "1"))).toEqual([
    { type: "activation", skill: "pdf", turn: 1, evidence: "loaded" },
  ]);
  // A skill that the model loads brings the same message, as the child of a tool's result: stdout has told of it already.
  expect(read(asked, body("/ws/.claude/skills/pdf", "2"))).toEqual([]);
  expect(read(asked, body("/elsewhere/pdf", "1"))).toEqual([]);
});

test("a prompt that Claude Code takes for a command of its own measures nothing", () => {
  const reader = claude.reader(staged(".claude/skills"));
  reader.read({
    type: "result",
    subtype: "success",
    is_error: false,
    num_turns: 0,
    result: "/help isn't available in this environment.",
  });
  expect(reader.end(exit).end).toMatchObject({ how: "error", error: { reason: "not_asked", retryable: false } });
});

test("a prompt that Qwen Code replaces by a skill has loaded that skill", () => {
  const read = (words: string) => {
    const line = { type: "user", parentUuid: null, message: { role: "user", parts: [{ text: words }] } };
    return qwen.session!.read(
      [{ path: "projects/x/chats/s.jsonl", text: JSON.stringify(line) }],
      staged(".qwen/skills"),
    ).before;
  };
  const words =
    "Base directory for this skill: /ws/.qwen/skills/pdf\nImportant: ALWAYS resolve absolute paths.\n\n# pdf\n\n/pdf make a summary";
  expect(read(words)).toEqual([{ type: "activation", skill: "pdf", turn: 1, evidence: "loaded" }]);
  expect(read(words.replace("/ws/", "/elsewhere/"))).toEqual([]);
  expect(read(`What is this?\n${words}`)).toEqual([]);
});

test("a skill that a prompt names for Codex is loaded, and only by the path of its file", () => {
  const read = (path: string) => {
    const words = `<skill>\n<name>pdf</name>\n<path>${path}</path>\n---\nname: pdf\n---\n</skill>`;
    const message = {
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text: words }] },
    };
    return codex.session!.read([{ path: "rollout-1.jsonl", text: JSON.stringify(message) }], staged(".agents/skills"))
      .events;
  };
  expect(read("/ws/.agents/skills/pdf/SKILL.md")).toEqual([
    { type: "activation", skill: "pdf", turn: 1, evidence: "loaded" },
  ]);
  expect(read("/elsewhere/pdf/SKILL.md")).toEqual([]);
});

function staged(skillsDir: string): StagedSkills {
  const dir = `/ws/${skillsDir}/pdf`;
  return new StagedSkills("/ws", [
    {
      id: "pdf",
      folder: "pdf",
      name: "pdf",
      dir,
      file: `${dir}/SKILL.md`,
      description: "Reads PDF files.",
      body: "# pdf\n",
    },
  ]);
}

test("Claude Code lists a folder with blanks in its name, and the points of a list in a description are no skills", () => {
  const dir = "/ws/.claude/skills/two words";
  const library = new StagedSkills("/ws", [
    {
      id: "two-words",
      folder: "two words",
      name: "two-words",
      dir,
      file: `${dir}/SKILL.md`,
      description: "Says two words.",
      body: "",
    },
  ]);
  const heading = "The following skills are available for use with the Skill tool:";
  const content = `${heading}\n\n- two words (two-words): Says two words.\n- an item: of some list`;
  const { entries, listing } = claude.shown({ messages: [{ role: "user", content }] }, library);
  expect(entries).toEqual([{ name: "two words", text: "Says two words." }]);
  expect(listing).toEqual([{ skill: "two-words", shown: "whole" }]);
});
