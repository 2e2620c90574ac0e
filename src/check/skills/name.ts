import { basename } from "node:path";
import { type Problem, problemsBy, type Rule } from "../../base/index.ts";
import type { AskedHosts, Host, OddName } from "../../hosts/index.ts";
import { hosts as allHosts, characters, hostNames, MOST_NAME } from "../../hosts/index.ts";
import type { Skill } from "../../model/index.ts";
import { top, valueAt } from "../places.ts";
import { type Effect, told } from "./effects.ts";

export const nameRules = {
  "skill/name-missing": { severity: "error", title: "The skill has no name" },
  "skill/name-invalid": { severity: "error", title: "The name breaks the rules for names" },
  "skill/name-not-folder": { severity: "warning", title: "The name differs from the folder's name" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(nameRules);

export function lintName(skill: Skill, asked: AskedHosts, root: string): Problem[] {
  if (!("name" in skill.frontmatter) || skill.frontmatter["name"] === null) return missing(skill, asked);
  // The folder of a skill at the root is whatever the repository was cloned to.
  return [...invalid(skill, asked), ...(skill.dir === root ? [] : notFolder(skill, asked))];
}

function missing(skill: Skill, { hosts }: AskedHosts): Problem[] {
  if (!hosts.some(requiresName)) return [];
  const byFolder = allHosts.filter(({ lint }) => lint.name?.folderInstead);
  return [
    problem("skill/name-missing", {
      message: `The skill has no name, which the specification requires. ${hostNames(byFolder)} call it by its folder, ${skill.name}.`,
      fix: `Add name: ${skill.name}.`,
      location: top(skill),
    }),
  ];
}

function requiresName({ lint }: Host): boolean {
  return lint.name?.required === true;
}

function invalid(skill: Skill, { hosts }: AskedHosts): Problem[] {
  const { name } = skill;
  const long = characters(name) > MOST_NAME;
  const wrong = fault(name.normalize("NFKC"));
  if (!long && wrong === undefined) return [];
  const dropping = hosts.filter(({ lint }) =>
    long ? lint.name?.tooLong === "dropped" : lint.oddName?.(skill).does === "drops",
  );
  const effects = told([[dropping, "drops the skill", "drop the skill"], ...(long ? [] : takenBy(hosts, skill))]);
  const cause = long ? `The name has ${characters(name)} characters; ${MOST_NAME} are allowed` : `The name ${wrong}`;
  return [
    problem("skill/name-invalid", {
      severity: dropping.length > 0 || hosts.some(requiresName) ? "error" : "warning",
      message: `${cause}. ${effects}`.trim(),
      fix: `Use lower-case letters, digits and single hyphens${suggestion(name)}.`,
      location: valueAt(skill, "name"),
    }),
  ];
}

function takenBy(hosts: readonly Host[], skill: Skill): Effect[] {
  const made = hosts.flatMap((host) => {
    const odd = host.lint.oddName?.(skill);
    return odd === undefined ? [] : [{ host, odd }];
  });
  return [
    ...made.flatMap(({ host, odd }): Effect[] => {
      const called = ownName(odd, skill);
      return called === undefined ? [] : [[[host], called, ""]];
    }),
    [
      made.filter(({ odd }) => odd.does === "takes it").map(({ host }) => host),
      "takes it as it is",
      "take it as it is",
    ],
  ];
}

function ownName(odd: OddName, skill: Skill): string | undefined {
  if (odd.does === "goes by the folder") return `calls it by its folder, ${basename(skill.dir)}`;
  return odd.does === "renames" ? `calls it ${odd.to}` : undefined;
}

/** Follows the specification's reference validator, which allows letters of every script. */
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

function notFolder(skill: Skill, { hosts }: AskedHosts): Problem[] {
  const folder = basename(skill.dir);
  if (folder.normalize("NFKC") === skill.name.normalize("NFKC") || fault(skill.name.normalize("NFKC")) !== undefined)
    return [];
  const inPlugin = skill.source.plugin !== undefined;
  const who = (by: "folder" | "name") => hosts.filter(({ lint }) => lint.calledBy === by);
  const byFolder = who("folder");
  if (!hosts.some(({ lint }) => lint.folderNamedLikeSkill) && (inPlugin || byFolder.length === 0)) return [];
  const effects = inPlugin
    ? "The specification wants them equal; hosts go by the name."
    : told([
        [byFolder, `calls it ${folder}`, `call it ${folder}`],
        [who("name"), `calls it ${skill.name}`, `call it ${skill.name}`],
      ]);
  return [
    problem("skill/name-not-folder", {
      severity: inPlugin ? "info" : "warning",
      message: `The skill is called ${skill.name} but is in the folder ${folder}/. ${effects}`.trim(),
      fix: "Give both the same name.",
      location: valueAt(skill, "name"),
    }),
  ];
}
