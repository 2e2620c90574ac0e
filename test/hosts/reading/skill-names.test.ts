import { describe, expect, test } from "vitest";
import { type StagedSkill, StagedSkills } from "../../../src/hosts/reading/staged-skills.ts";
import { ToolCalls } from "../../../src/hosts/reading/tool-calls.ts";
import { adapterOf } from "../adapters.ts";

const ids = ["claude", "codex", "copilot", "gemini", "opencode", "qwen"];
const byFrontmatter = ids.filter((id) => id !== "claude");

describe("a folder that has another skill's name", () => {
  const swapped = [skill("swap-x", "swap-y"), skill("swap-y", "swap-x")];

  test("means that skill to Claude Code", () => {
    expect(library("claude", swapped).byName("swap-x")?.folder).toBe("swap-x");
  });

  test.each(byFrontmatter)("means the skill with that name to %s", (id) => {
    expect(library(id, swapped).byName("swap-x")?.folder).toBe("swap-y");
  });

  test("means none to an agent of which that is not known", () => {
    expect(new StagedSkills("/ws", swapped).byName("swap-x")).toBeUndefined();
  });

  test.each(ids)("is told apart in the listing of %s", (id) => {
    const staged = library(id, swapped);
    const [name] = staged.namesOf(swapped[0]!);
    expect(staged.listed([{ name: name!, text: "What swap-x does." }])).toEqual([
      { skill: "id-swap-x", shown: "whole" },
      { skill: "id-swap-y", shown: "absent" },
    ]);
  });
});

test("Claude Code also knows a skill by its name, where no folder has it", () => {
  expect(library("claude", [skill("folder-a", "other")]).byName("other")?.folder).toBe("folder-a");
});

test.each(byFrontmatter)("%s does not know a skill by its folder", (id) => {
  expect(library(id, [skill("folder-a", "other")]).byName("folder-a")).toBeUndefined();
});

test("only Copilot ignores case", () => {
  expect(ids.filter((id) => library(id, [skill("pdf", "pdf")]).byName("PDF") !== undefined)).toEqual(["copilot"]);
});

describe("two skills of one name", () => {
  const twins = [skill("zz", "pdf"), skill("aa", "pdf")];

  test("Copilot takes the first folder", () => {
    expect(loaded("copilot", twins, 'Skill "pdf" loaded successfully.')).toEqual(["id-aa"]);
  });

  test.each(["gemini", "opencode", "qwen"])("%s tells which it took", (id) => {
    const dir = library(id, twins).skills[0]!.dir;
    expect(loaded(id, twins, `Resources loaded from \`${dir}\`:`)).toEqual(["id-zz"]);
    expect(loaded(id, twins, `Resources loaded from \`${dir}-2\`:`)).toEqual([]);
  });

  test("what it read tells too, and without either neither is credited", () => {
    expect(loaded("qwen", twins, `---\nname: pdf\n---\n${twins[1]!.body}`)).toEqual(["id-aa"]);
    expect(loaded("qwen", twins, "What aa does.")).toEqual(["id-aa"]);
    expect(loaded("qwen", twins, "Skill loaded.")).toEqual([]);
  });

  test("are told apart in a listing by file, or by description", () => {
    const staged = library("gemini", twins);
    const shown = (entry: { text: string | undefined; file?: string }) =>
      staged.listed([{ name: "pdf", ...entry }]).map(({ shown }) => shown);
    expect(shown({ text: "What zz does.", file: twins[0]!.file })).toEqual(["whole", "absent"]);
    expect(shown({ text: "What aa does." })).toEqual(["absent", "whole"]);
    expect(shown({ text: "What aa does. (project)" })).toEqual(["absent", "whole"]);
    expect(shown({ text: undefined })).toEqual(["bare", "bare"]);
  });
});

function loaded(id: string, skills: StagedSkill[], output: string): string[] {
  const calls = new ToolCalls(library(id, skills));
  calls.call({ turn: 1, id: "1", tool: "skill", input: {}, reach: { way: "tool", name: "pdf" } });
  return calls.result("1", { ok: true, output }).flatMap((event) => (event.type === "activation" ? [event.skill] : []));
}

function library(id: string, skills: StagedSkill[]): StagedSkills {
  return new StagedSkills("/ws", skills, { naming: adapterOf(id).naming });
}

function skill(folder: string, name: string): StagedSkill {
  const dir = `/ws/.agents/skills/${folder}`;
  const body = `# ${folder}\n\nThe first line of ${folder} is long enough to be its own.\nThe second line of ${folder} is as long.\n`;
  return { id: `id-${folder}`, folder, name, dir, file: `${dir}/SKILL.md`, description: `What ${folder} does.`, body };
}
