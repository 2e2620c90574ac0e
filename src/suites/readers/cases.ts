import type { Problem } from "../../base/index.ts";
import type { GraderSpec } from "../../graders/index.ts";
import { type Document, get, items, type MapNode, type Node, number, plain, text, texts, word } from "../documents/index.ts";
import { readFields } from "../fields.ts";
import { makeCase } from "../question.ts";
import type { Case } from "../suite.ts";

/** A case as evolve, skill-creator and their kin write it: a prompt, and what must hold afterwards. */
export function caseOf(document: Document, row: MapNode, skill: string | undefined, problems: Problem[]): Case | undefined {
  const prompt = text(get(row, "prompt")) ?? text(get(row, "question")) ?? text(get(row, "query")) ?? text(get(row, "input"));
  if (prompt === undefined || prompt.trim() === "") return undefined;
  const name = text(get(row, "name")) ?? text(get(row, "eval_name")) ?? text(get(row, "title"));
  const expectedOutput = text(get(row, "expected_output"));
  return makeCase({
    ...readFields(document, row, problems),
    skill,
    name,
    expectedOutput,
    prompt,
    graders: gradersOf(row),
    models: texts(get(row, "models")),
    source: document.at(row),
  });
}

/** Expectations are sentences for a judge; assertions are sentences or typed checks; graders are written out. */
export function gradersOf(row: MapNode): GraderSpec[] {
  const sentences = [...items(get(row, "expectations")), ...items(get(row, "assertions")), ...items(get(row, "expected_behavior"))];
  const rubric = get(row, "rubric");
  const judged = [...sentences, ...items(rubric)].flatMap(assertionOf);
  if (rubric?.type === "scalar" && text(rubric) !== undefined) judged.push({ type: "llm", config: { text: text(rubric)! } });
  return [...judged, ...items(get(row, "graders")).flatMap(graderOf)];
}

function assertionOf(node: Node): GraderSpec[] {
  const sentence = text(node);
  if (sentence !== undefined) return sentence.trim() === "" ? [] : [{ type: "llm", config: { text: sentence } }];
  if (node.type !== "map") return [];
  const type = text(get(node, "type"));
  const config = Object.fromEntries(Object.entries(plain(node) as Record<string, unknown>).filter(([key]) => key !== "type"));
  if (type !== undefined)
    return [{ type, ...(text(get(node, "name")) === undefined ? {} : { name: text(get(node, "name"))! }), config: withoutName(config) }];
  const described =
    text(get(node, "text")) ??
    text(get(node, "description")) ??
    text(get(node, "assertion")) ??
    text(get(node, "expectation")) ??
    text(get(node, "name"));
  return described === undefined ? [] : [{ type: "llm", config: { text: described } }];
}

function withoutName(config: Record<string, unknown>): Record<string, unknown> {
  const { name: _, ...rest } = config;
  return rest;
}

/** `{ type, name, weight, config }`, as waza writes a grader. */
export function graderOf(node: Node): GraderSpec[] {
  const type = text(get(node, "type")) ?? text(get(node, "kind"));
  if (node.type !== "map" || type === undefined) return [];
  const config = get(node, "config");
  const name = word(get(node, "name"));
  const weight = number(get(node, "weight"));
  const { type: _type, kind: _kind, name: _name, weight: _weight, config: _config, ...rest } = plain(node) as Record<string, unknown>;
  return [
    {
      type: type === "skill-invocation" ? "skill_invocation" : type,
      ...(name === undefined ? {} : { name }),
      ...(weight === undefined || weight <= 0 ? {} : { weight }),
      config: config === undefined ? rest : plain(config),
    },
  ];
}
