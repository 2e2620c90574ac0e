import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Card } from "../src/model/index.ts";

/** A collection of skills with the labels its own authors wrote. */
export interface Repository {
  name: string;
  cards: { id: string; card: Card }[];
  rows: { query: string; skill: string; positive: boolean }[];
  /** Queries for which no skill of the collection should fire. */
  none: string[];
}

/** Reads CORPUS/repos/<name>/{skills.json,cases.jsonl,none.jsonl}. */
export function readCorpus(folder: string): Repository[] {
  const repos = join(folder, "repos");
  return readdirSync(repos)
    .sort()
    .filter((name) => existsSync(join(repos, name, "skills.json")))
    .map((name) => readRepository(name, join(repos, name)));
}

interface SkillRow {
  name: string;
  description?: string;
  frontmatter?: Record<string, unknown>;
}

function readRepository(name: string, folder: string): Repository {
  const skills = JSON.parse(readFileSync(join(folder, "skills.json"), "utf8")) as SkillRow[];
  const cards = skills.map((skill) => ({ id: skill.name, card: cardOf(skill) }));
  const known = new Set(cards.map(({ id }) => id));
  const cases = readRows(join(folder, "cases.jsonl")) as { query: string; skill: string; should_trigger: boolean }[];
  const none = readRows(join(folder, "none.jsonl")) as { query: string }[];
  return {
    name,
    cards,
    rows: cases
      .filter(({ query, skill }) => typeof query === "string" && known.has(skill))
      .map(({ query, skill, should_trigger }) => ({ query, skill, positive: should_trigger === true })),
    none: none.map(({ query }) => query).filter((query) => typeof query === "string"),
  };
}

function cardOf({ name, description, frontmatter = {} }: SkillRow): Card {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  const list = (value: unknown) => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);
  const whenToUse = text(frontmatter["when_to_use"]) ?? text(frontmatter["when-to-use"]);
  return {
    name,
    description: description ?? "",
    ...(whenToUse === undefined ? {} : { whenToUse }),
    triggers: list(frontmatter["triggers"]),
    notFor: list(frontmatter["not_for"]),
  };
}

function readRows(file: string): unknown[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}
