import { basename, dirname, join } from "node:path";
import { meansTrue, readText } from "../../../base/index.ts";
import type { Skill } from "../../../model/index.ts";
import { placeIn } from "../place.ts";
import { problem } from "../rules.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { readOpenaiYaml } from "./openai-yaml.ts";
import { readPromptFolder } from "./prompt-folder.ts";

/** Reads a SKILL.md, or a prompt folder's meta.yml. Always returns a skill; faults are in its `problems`. */
export async function readSkill(file: string): Promise<Skill> {
  return basename(file).toLowerCase() === "meta.yml" ? readPromptFolder(file) : readSkillFile(file, true);
}

export function readSkillFile(file: string, openai: boolean): Skill {
  const dir = dirname(file);
  const skill: Skill = {
    id: basename(dir),
    name: basename(dir),
    dir,
    file,
    card: { name: basename(dir), description: "", triggers: [], notFor: [] },
    body: "",
    frontmatter: {},
    modelInvocable: true,
    source: { kind: "skill", copies: [] },
    problems: [],
  };

  const read = readText(file);
  if (read.status === "unreadable") {
    const code = read.reason === "encoding" ? "skill/not-utf8" : "skill/not-readable";
    const fix = read.reason === "encoding" ? "Save the file as UTF-8." : "Put a readable SKILL.md there, or remove it.";
    skill.problems.push(
      problem(code, { message: `No host can load this skill: ${read.message}.`, fix, location: { file } }),
    );
    return skill;
  }
  readInto(skill, read.text, read.bom);
  fillCard(skill);
  if (openai) readOpenaiYaml(join(dir, "agents", "openai.yaml"), skill);
  return skill;
}

function readInto(skill: Skill, text: string, bom: boolean): void {
  const { file } = skill;
  const parts = split(text, bom ? 1 : 0);
  const header = parts.status === "whole" ? text.slice(parts.start, parts.end) : "";
  const read = readFrontmatter(text, parts.start, parts.end);
  skill.body = text.slice(parts.body);
  skill.reading = { text, bom, header, fields: read.fields, repairs: read.repairs, bodyStart: parts.body };

  if (parts.status === "none") {
    skill.problems.push(
      problem("skill/no-frontmatter", {
        message: "SKILL.md has no frontmatter.",
        fix: "Start the file with a block of --- lines that has a name and a description.",
        location: { file, line: 1, column: 1 },
      }),
    );
    return;
  }
  if (parts.status === "open") {
    skill.problems.push(
      problem("skill/frontmatter-not-closed", {
        message: "The frontmatter is never closed, so hosts find no name and no description in it.",
        fix: "Put a line with --- after the last key.",
        location: { file, line: 1, column: 1 },
      }),
    );
    return;
  }
  if (parts.lead > 0) {
    const start = bom ? 1 : 0;
    skill.problems.push(
      problem("skill/frontmatter-not-first", {
        message:
          "There is something before the opening ---. Hosts look for it on the first line and find no frontmatter here.",
        fix: "Remove the blank lines above it (proctor check --fix does it).",
        location: { file, line: 1, column: 1 },
        edits: [{ start, end: start + parts.lead, text: "" }],
      }),
    );
  }
  if (read.failure) {
    skill.problems.push(
      problem("skill/invalid-frontmatter", {
        message: `The frontmatter cannot be read: ${read.failure.message}.`,
        fix: "Fix the YAML; quotes around a value help with most special characters.",
        location: placeIn(text, file, read.failure.place),
      }),
    );
  }
  skill.frontmatter = read.values;
}

interface Parts {
  status: "whole" | "open" | "none";
  lead: number;
  start: number;
  end: number;
  body: number;
}

function split(text: string, from: number): Parts {
  const opening = /^\s*---[ \t]*(?:\r?\n|$)/.exec(text.slice(from, from + 4096));
  if (!opening) return { status: "none", lead: 0, start: from, end: from, body: from };
  const lead = opening[0].length - opening[0].trimStart().length;
  const start = from + opening[0].length;
  const closing = /^---[ \t]*(?:\r?\n|$)/gm;
  closing.lastIndex = start;
  const end = closing.exec(text);
  if (!end) return { status: "open", lead, start: from, end: from, body: start };
  return { status: "whole", lead, start, end: end.index, body: closing.lastIndex };
}

function fillCard(skill: Skill): void {
  const { frontmatter } = skill;
  const name = text(frontmatter["name"]) || basename(skill.dir);
  skill.id = name;
  skill.name = name;
  skill.card = {
    name,
    description: text(frontmatter["description"]),
    whenToUse: text(frontmatter["when_to_use"]) || undefined,
    triggers: [],
    notFor: [],
  };
  skill.modelInvocable = !meansTrue(frontmatter["disable-model-invocation"]);
}

function text(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(text).filter(Boolean).join(" ");
  return "";
}
