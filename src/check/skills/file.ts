import { basename } from "node:path";
import { type Problem, problemsBy, type Rule } from "../../base/index.ts";
import { readingRules } from "../../exam/find/index.ts";
import { type AskedHosts, hosts as allHosts, hostNames, type LintFacts } from "../../hosts/index.ts";
import type { Repair, Skill } from "../../model/index.ts";
import { at } from "../places.ts";
import { told } from "./effects.ts";

export const fileRules = {
  "skill/file-name": { severity: "error", title: "The file is not called SKILL.md" },
  "skill/nested-folder": { severity: "error", title: "The skill is nested deeper than a host looks" },
  "skill/bom": { severity: "error", title: "The file starts with a byte order mark" },
  "skill/unquoted-colon": { severity: "error", title: "A value has an unquoted colon" },
  "skill/comment-cuts-value": { severity: "warning", title: "A # cuts a value short" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy({ ...readingRules, ...fileRules });

export function lintFile(skill: Skill, asked: AskedHosts): Problem[] {
  const { reading } = skill;
  if (!reading) return [];
  return [
    ...fileName(skill),
    ...nested(skill, asked),
    ...byteOrderMark(skill, asked),
    ...reading.repairs.map((repair) => unquoted(skill, repair, asked)),
    ...comments(skill),
  ];
}

function fileName(skill: Skill): Problem[] {
  const name = basename(skill.file);
  if (name === "SKILL.md") return [];
  const exact = allHosts.filter(({ lint }) => lint.exactFileName);
  return [
    problem("skill/file-name", {
      message: `The file is called ${name}. ${hostNames(exact)} ${exact.length === 1 ? "ignores" : "ignore"} it, and so does every host on a case-sensitive file system.`,
      fix: "Rename it to SKILL.md.",
      location: at(skill),
    }),
  ];
}

function nested(skill: Skill, { hosts }: AskedHosts): Problem[] {
  const [, folder = "", group] = /[\\/](\.[a-z]+)[\\/]skills[\\/]([^\\/]+)[\\/][^\\/]+$/.exec(skill.dir) ?? [];
  const who = (depth: "one level" | "any depth") => hosts.filter(({ lint }) => lint.skillFolders?.[folder] === depth);
  const shallow = who("one level");
  if (shallow.length === 0) return [];
  const effects = told([
    [shallow, "looks only one folder deep and does not find it", "look only one folder deep and do not find it"],
    [who("any depth"), "finds it", "find it"],
  ]);
  return [
    problem("skill/nested-folder", {
      message: `The skill is in the group ${group}/. ${effects}`,
      fix: `Move it to ${folder}/skills/${basename(skill.dir)}.`,
      location: at(skill),
    }),
  ];
}

function byteOrderMark(skill: Skill, { hosts }: AskedHosts): Problem[] {
  const who = (what: LintFacts["byteOrderMark"]) => hosts.filter(({ lint }) => lint.byteOrderMark === what);
  const dropping = who("dropped");
  if (!skill.reading?.bom || dropping.length === 0) return [];
  const because = "this skill: its file starts with a byte order mark";
  return [
    problem("skill/bom", {
      message: told([
        [dropping, `drops ${because}`, `drop ${because}`],
        [who("loaded"), "loads it", "load it"],
      ]),
      fix: "Save the file as UTF-8 without BOM (proctor check --fix does it).",
      location: { file: skill.file, line: 1, column: 1 },
      edits: [{ start: 0, end: 1, text: "" }],
    }),
  ];
}

function unquoted(skill: Skill, { field, why, message, place, edit }: Repair, { hosts }: AskedHosts): Problem {
  const kind = why === "colon" ? "colon" : "other";
  const cause = why === "colon" ? `its ${field} has an unquoted ": "` : `its ${field} is not valid YAML (${message})`;
  const who = (what: "dropped" | "loaded") =>
    hosts.filter(({ lint: { invalidYaml: rule } }) => typeof rule === "object" && rule[kind] === what);
  const dropping = who("dropped");
  const effects = told([
    [dropping, `drops this skill silently: ${cause}`, `drop this skill silently: ${cause}`],
    [who("loaded"), "loads it", "load it"],
  ]);
  const grave = dropping.length > 0 || hosts.some(({ lint }) => lint.invalidYaml === "forbidden");
  return problem(why === "colon" ? "skill/unquoted-colon" : "skill/invalid-frontmatter", {
    severity: grave ? "error" : "warning",
    message: (dropping.length > 0 ? effects : `This is not valid YAML: ${cause}. ${effects}`).trim(),
    fix:
      why === "quote"
        ? `Close the quote where the ${field} ends.`
        : `Put the ${field} in quotes (proctor check --fix does it).`,
    location: at(skill, place),
    edits: why === "quote" ? undefined : [edit],
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
