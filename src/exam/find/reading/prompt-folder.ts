import { basename, dirname, join } from "node:path";
import { type Location, readText } from "../../../base/index.ts";
import type { Skill } from "../../../model/index.ts";
import { placeIn } from "../place.ts";
import { problem } from "../rules.ts";
import { readFrontmatter } from "./frontmatter.ts";

/** Reads eva's prompt folder: meta.yml is the card, prompt.xml the body. */
export function readPromptFolder(file: string): Skill {
  const dir = dirname(file);
  const folder = basename(dir);
  const skill: Skill = {
    id: folder,
    name: folder,
    dir,
    file,
    card: { name: folder, description: "", triggers: [], notFor: [] },
    body: "",
    frontmatter: {},
    modelInvocable: true,
    source: { kind: "eva", copies: [] },
    problems: [],
  };
  const unusable = (message: string, location: Location = { file, line: 1, column: 1 }) =>
    skill.problems.push(
      problem("skill/eva-meta", {
        message: `The prompt cannot be offered to a model: ${message}.`,
        fix: "Give meta.yml a description (or summary) that says what the prompt does and when to use it.",
        location,
      }),
    );

  const prompt = readText(join(dir, "prompt.xml"));
  if (prompt.status === "text") skill.body = prompt.text.replace(/^\uFEFF/, "");
  const read = readText(file);
  if (read.status === "unreadable") {
    unusable(read.message);
    return skill;
  }

  const start = read.bom ? 1 : 0;
  const meta = readFrontmatter(read.text, start, read.text.length);
  const name = string(meta.values["id"]) || string(meta.values["name"]) || folder;
  skill.id = name;
  skill.name = name;
  skill.frontmatter = meta.values;
  skill.card = {
    name,
    description: string(meta.values["description"]) || string(meta.values["summary"]),
    triggers: strings(meta.values["triggers"]),
    notFor: strings(meta.values["not_for"]),
  };
  skill.reading = {
    text: read.text,
    bom: read.bom,
    header: read.text.slice(start),
    fields: meta.fields,
    repairs: meta.repairs,
    bodyStart: read.text.length,
  };
  const fault = meta.failure ?? meta.repairs[0];
  if (fault) unusable(`meta.yml cannot be read: ${fault.message}`, placeIn(read.text, file, fault.place));
  else if (skill.card.description === "") unusable("meta.yml has neither description nor summary");
  return skill;
}

function string(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

function strings(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map(string).filter((entry) => entry !== "");
}
