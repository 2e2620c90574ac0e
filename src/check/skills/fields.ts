import { meansFalse, meansTrue, nearest, type Problem, problemsBy, type Rule } from "../../base/index.ts";
import { type AskedHosts, characters, type FrontmatterField, frontmatterFields, hostRules } from "../../hosts/index.ts";
import type { Skill } from "../../model/index.ts";
import { keyAt, valueAt } from "../places.ts";

export const fieldRules = {
  "skill/unknown-key": { severity: "warning", title: "A frontmatter key looks mistyped" },
  "skill/compatibility-too-long": { severity: "error", title: "compatibility is longer than 500 characters" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy({ ...hostRules, ...fieldRules });

const MOST_COMPATIBILITY = 500;

export function lintFields(skill: Skill, asked: AskedHosts): Problem[] {
  const problems: Problem[] = [];
  for (const [key, value] of Object.entries(skill.frontmatter)) {
    const field = frontmatterFields[key];
    if (field) problems.push(...wrongType(skill, { key, value, kind: field.kind }));
    else problems.push(...mistyped(skill, key));
  }
  return [...problems, ...longCompatibility(skill, asked)];
}

const alias: Record<string, string> = {
  tools: "allowed-tools",
  desc: "description",
  summary: "description",
  title: "name",
  globs: "paths",
};

function mistyped(skill: Skill, key: string): Problem[] {
  const known = Object.keys(frontmatterFields);
  const meant = known.find((field) => plain(field) === plain(key)) ?? alias[key.toLowerCase()] ?? closest(key, known);
  if (meant === undefined || meant in skill.frontmatter) return [];
  return [
    problem("skill/unknown-key", {
      message: `No host knows the key ${key}, so it does nothing. Did you mean ${meant}?`,
      fix: `Write ${meant}, or move ${key} into metadata.`,
      location: keyAt(skill, key),
    }),
  ];
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[-_ ]/g, "");
}

function closest(key: string, known: string[]): string | undefined {
  if (key.length < 4) return undefined;
  return nearest(key, known).find(
    (field) =>
      Math.abs(field.length - key.length) <= 1 &&
      !field.includes(key) &&
      !key.includes(field) &&
      slips(field, key) <= 2,
  );
}

function slips(a: string, b: string): number {
  let different = Math.abs(a.length - b.length);
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const letters = [...long];
  for (const letter of short) {
    const index = letters.indexOf(letter);
    if (index === -1) different++;
    else letters.splice(index, 1);
  }
  return different;
}

function wrongType(
  skill: Skill,
  { key, value, kind }: { key: string; value: unknown; kind: FrontmatterField["kind"] },
): Problem[] {
  if (value === null || value === undefined) return [];
  const found = fault(value, kind);
  if (found === undefined) return [];
  const grave = key === "name" || key === "description" || kind === "boolean";
  const scalar = typeof value === "number" || typeof value === "boolean";
  const place = skill.reading?.fields.get(key)?.value;
  const quotable = kind === "text" && scalar && place !== undefined;
  return [
    problem("skill/wrong-type", {
      severity: grave && !scalar ? "error" : "warning",
      message: `${key} is ${found}. ${kind === "boolean" ? "Hosts do not read it as true." : "Hosts that check types drop or ignore it."}`,
      fix: quotable ? "Put the value in quotes (proctor check --fix does it)." : `Write ${key} as ${expected[kind]}.`,
      location: valueAt(skill, key),
      edits: quotable
        ? [
            { start: place.start, end: place.start, text: '"' },
            { start: place.end, end: place.end, text: '"' },
          ]
        : undefined,
    }),
  ];
}

const expected = {
  text: "text",
  boolean: "true or false",
  texts: "text or a list of strings",
  map: "a mapping",
  any: "a value",
} as const;

function fault(value: unknown, kind: FrontmatterField["kind"]): string | undefined {
  switch (kind) {
    case "text":
      return typeof value === "string" ? undefined : `${described(value)}, not text`;
    case "boolean":
      return meansTrue(value) || meansFalse(value) ? undefined : `${described(value)}, neither true nor false`;
    case "texts":
      return typeof value === "string" || (Array.isArray(value) && value.every((entry) => typeof entry === "string"))
        ? undefined
        : `${described(value)}, not text or a list of strings`;
    case "map":
      return typeof value === "object" && !Array.isArray(value) ? undefined : `${described(value)}, not a mapping`;
    case "any":
      return undefined;
  }
}

function described(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value === "number") return "a number";
  if (typeof value === "boolean") return "true or false";
  return JSON.stringify(value);
}

function longCompatibility(skill: Skill, { hosts }: AskedHosts): Problem[] {
  const value = skill.frontmatter["compatibility"];
  // Hosts that require a name follow the specification to the letter, including this limit.
  const minded = hosts.some(({ lint }) => lint.name?.required);
  if (typeof value !== "string" || characters(value) <= MOST_COMPATIBILITY || !minded) return [];
  return [
    problem("skill/compatibility-too-long", {
      message: `compatibility has ${characters(value)} characters; the specification allows ${MOST_COMPATIBILITY}.`,
      fix: "Say it shorter; details belong in the body.",
      location: valueAt(skill, "compatibility"),
    }),
  ];
}
