import { basename } from "node:path";
import type { Problem } from "../../base/index.ts";
import { characters, dropsName, MOST_NAME } from "../card.ts";
import type { HostId } from "../host.ts";
import { problem } from "../../skills/rules.ts";
import type { Skill } from "../../skills/skill.ts";
import { anyOf, type Profiles, told, top, valueAt } from "./lint.ts";

export function lintName(skill: Skill, profiles: Profiles, root: string): Problem[] {
  if (!("name" in skill.frontmatter) || skill.frontmatter["name"] === null) return missing(skill, profiles);
  // A skill that is the root itself lies in whatever folder the repository was cloned to.
  return [...invalid(skill, profiles), ...(skill.dir === root ? [] : notFolder(skill, profiles))];
}

function missing(skill: Skill, profiles: Profiles): Problem[] {
  if (!anyOf(profiles, ["spec", "claude-ai"])) return [];
  return [
    problem("skill/name-missing", {
      message: `The skill has no name, which the specification requires. Claude Code and Codex call it by its folder, ${skill.name}.`,
      fix: `Add name: ${skill.name}.`,
      location: top(skill),
    }),
  ];
}

function invalid(skill: Skill, profiles: Profiles): Problem[] {
  const { name } = skill;
  const long = characters(name) > MOST_NAME;
  const wrong = fault(name.normalize("NFKC"));
  if (!long && wrong === undefined) return [];
  const effects = long
    ? told(profiles, [[["copilot", "codex"], "drops the skill", "drop the skill"]])
    : told(profiles, [
        [(["copilot", "qwen"] as const).filter((host) => dropsName(name, host)), "drops the skill", "drop the skill"],
        [name.includes(" ") && !dropsName(name, "copilot") ? ["copilot"] : [], `calls it ${name.replaceAll(" ", "-")}`, ""],
        [["claude-code"], skill.source.plugin === undefined ? `calls it by its folder, ${basename(skill.dir)}` : "takes it as it is", ""],
        [/[:/\\]/.test(name) ? ["gemini"] : [], `calls it ${name.replace(/[:/\\]/g, "-")}`, ""],
        [takenAsItIs(name), "takes it as it is", "take it as it is"],
      ]);
  const cause = long ? `The name has ${characters(name)} characters; ${MOST_NAME} are allowed` : `The name ${wrong}`;
  const dropping: HostId[] = long ? ["copilot", "codex"] : (["copilot", "qwen"] as const).filter((host) => dropsName(name, host));
  const broken = anyOf(profiles, ["spec", "claude-ai", ...dropping]);
  return [
    problem("skill/name-invalid", {
      severity: broken ? "error" : "warning",
      message: `${cause}. ${effects}`.trim(),
      fix: `Use lower-case letters, digits and single hyphens${suggestion(name)}.`,
      location: valueAt(skill, "name"),
    }),
  ];
}

function takenAsItIs(name: string): HostId[] {
  const copilot = !dropsName(name, "copilot") && !name.includes(" ");
  return [
    ...(copilot ? (["copilot"] as const) : []),
    "codex",
    ...(/[:/\\]/.test(name) ? [] : (["gemini"] as const)),
    "opencode",
    ...(dropsName(name, "qwen") ? [] : (["qwen"] as const)),
  ];
}

/** The specification's rules, with the letters of every script, as its reference validator has them. */
function fault(name: string): string | undefined {
  if (name === "") return "is empty";
  if (name !== name.toLowerCase()) return "has upper-case letters; the specification wants lower case";
  if (/\s/.test(name)) return "has blanks; the specification wants hyphens";
  const odd = /[^\p{L}\p{M}\p{N}-]/u.exec(name);
  if (odd) return `has a "${odd[0]}"; the specification allows letters, digits and hyphens`;
  if (/^-|-$/.test(name)) return "starts or ends with a hyphen";
  if (name.includes("--")) return "has two hyphens in a row";
  return undefined;
}

function suggestion(name: string): string {
  const better = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return better === "" || better === name || characters(better) > MOST_NAME ? "" : `: ${better}`;
}

function notFolder(skill: Skill, profiles: Profiles): Problem[] {
  const folder = basename(skill.dir);
  if (folder.normalize("NFKC") === skill.name.normalize("NFKC") || fault(skill.name.normalize("NFKC")) !== undefined) return [];
  const inPlugin = skill.source.plugin !== undefined;
  if (!anyOf(profiles, inPlugin ? ["spec"] : ["spec", "claude-code"])) return [];
  const effects = inPlugin
    ? "The specification wants them equal; hosts go by the name."
    : told(profiles, [
        [["claude-code"], `calls it ${folder}`, ""],
        [["codex", "copilot", "gemini", "opencode"], `calls it ${skill.name}`, `call it ${skill.name}`],
      ]);
  return [
    problem("skill/name-not-folder", {
      severity: inPlugin ? "info" : "warning",
      message: `The skill is called ${skill.name} but lies in ${folder}/. ${effects}`.trim(),
      fix: "Give both the same name.",
      location: valueAt(skill, "name"),
    }),
  ];
}
