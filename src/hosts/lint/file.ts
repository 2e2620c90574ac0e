import { basename } from "node:path";
import type { Problem } from "../../base/index.ts";
import type { HostId } from "../host.ts";
import { problem } from "../../skills/rules.ts";
import type { Repair, Skill } from "../../skills/skill.ts";
import { anyOf, at, type Profiles, told } from "./lint.ts";

/** How the file is written: its name, its first bytes, and values that are not YAML. */
export function lintFile(skill: Skill, profiles: Profiles): Problem[] {
  const { reading } = skill;
  if (!reading) return [];
  return [
    ...fileName(skill),
    ...nested(skill, profiles),
    ...bom(skill, profiles),
    ...reading.repairs.map((repair) => unquoted(skill, repair, profiles)),
    ...comments(skill),
  ];
}

function fileName(skill: Skill): Problem[] {
  const name = basename(skill.file);
  if (name === "SKILL.md") return [];
  return [
    problem("skill/file-name", {
      message: `The file is called ${name}. Claude Code ignores it, and so does every host on a disk that tells upper from lower case.`,
      fix: "Rename it to SKILL.md.",
      location: at(skill),
    }),
  ];
}

/** Which hosts read a folder one level deep, and which at any depth. */
const depths: Record<string, { one: readonly HostId[]; any: readonly HostId[] }> = {
  ".claude": { one: ["claude-code"], any: ["copilot", "opencode"] },
  ".agents": { one: ["gemini"], any: ["codex", "copilot", "opencode"] },
  ".gemini": { one: ["gemini"], any: [] },
};

function nested(skill: Skill, profiles: Profiles): Problem[] {
  const [, host = "", group] = /[\\/](\.[a-z]+)[\\/]skills[\\/]([^\\/]+)[\\/][^\\/]+$/.exec(skill.dir) ?? [];
  const depth = depths[host];
  if (depth === undefined || !anyOf(profiles, depth.one)) return [];
  const effects = told(profiles, [
    [depth.one, "looks only one folder deep and does not find it", "look only one folder deep and do not find it"],
    [depth.any, "finds it", "find it"],
  ]);
  return [
    problem("skill/nested-folder", {
      message: `The skill lies in the group ${group}/. ${effects}`,
      fix: `Move it to ${host}/skills/${basename(skill.dir)}.`,
      location: at(skill),
    }),
  ];
}

function bom(skill: Skill, profiles: Profiles): Problem[] {
  if (!skill.reading?.bom || !anyOf(profiles, ["codex", "gemini"])) return [];
  const effects = told(profiles, [
    [
      ["codex", "gemini"],
      "drops this skill: its file starts with a byte order mark",
      "drop this skill: its file starts with a byte order mark",
    ],
    [["claude-code", "copilot", "opencode", "qwen"], "loads it", "load it"],
  ]);
  return [
    problem("skill/bom", {
      message: effects,
      fix: "Save the file as UTF-8 without BOM (proctor check --fix does it).",
      location: { file: skill.file, line: 1, column: 1 },
      edits: [{ start: 0, end: 1, text: "" }],
    }),
  ];
}

function unquoted(skill: Skill, { field, why, message, place, edit }: Repair, profiles: Profiles): Problem {
  const cause = why === "colon" ? `its ${field} has an unquoted ": "` : `its ${field} is not valid YAML (${message})`;
  const effects = told(profiles, [
    [why === "colon" ? ["copilot"] : ["copilot", "opencode"], `drops this skill silently: ${cause}`, `drop this skill silently: ${cause}`],
    [
      why === "colon" ? ["claude-code", "codex", "gemini", "opencode", "qwen"] : ["claude-code", "codex", "gemini", "qwen"],
      "loads it",
      "load it",
    ],
  ]);
  const said = profiles.hosts.has("copilot") ? effects : `This is not valid YAML: ${cause}. ${effects}`;
  return problem(why === "colon" ? "skill/unquoted-colon" : "skill/invalid-frontmatter", {
    severity: anyOf(profiles, ["copilot", "spec", "claude-ai"]) ? "error" : "warning",
    message: said.trim(),
    fix: why === "quote" ? `Close the quote where the ${field} ends.` : `Put the ${field} in quotes (proctor check --fix does it).`,
    location: at(skill, place),
    ...(why === "quote" ? {} : { edits: [edit] }),
  });
}

function comments(skill: Skill): Problem[] {
  const problems: Problem[] = [];
  for (const key of ["name", "description", "when_to_use"]) {
    const field = skill.reading?.fields.get(key);
    if (field?.comment === undefined) continue;
    problems.push(
      problem("skill/comment-cuts-value", {
        message: `The ${key} ends at " #": what follows (${clipped(field.comment)}) is a YAML comment, and no host shows it.`,
        fix: `If it belongs to the ${key}, put the whole value in quotes.`,
        location: at(skill, field.value),
      }),
    );
  }
  return problems;
}

function clipped(comment: string): string {
  const text = comment.trim().replace(/\s+/g, " ");
  return `"${text.length > 40 ? `${text.slice(0, 39)}…` : text}"`;
}
