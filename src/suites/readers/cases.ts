import type { Problem } from "../../base/index.ts";
import type { GraderSpec } from "../../graders/index.ts";
import { asWritten, type Document, get, items, type MapNode, type Node, number, plain, text, texts, word } from "../documents/index.ts";
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
  const whole = text(rubric);
  if (whole !== undefined) judged.push({ type: "llm", config: { text: whole } });
  return [...judged, ...items(get(row, "graders")).flatMap(graderOf)];
}

function assertionOf(node: Node): GraderSpec[] {
  const sentence = text(node);
  if (sentence !== undefined) return sentence.trim() === "" ? [] : [{ type: "llm", config: { text: sentence } }];
  if (node.type !== "map") return [];
  const type = text(get(node, "type"));
  if (type !== undefined) return [{ type, name: text(get(node, "name")), config: configIn(type, node, ["type", "name"]) }];
  const described =
    text(get(node, "text")) ??
    text(get(node, "description")) ??
    text(get(node, "assertion")) ??
    text(get(node, "expectation")) ??
    text(get(node, "name"));
  return described === undefined ? [] : [{ type: "llm", config: { text: described } }];
}

/** `{ type, name, weight, config }`, as waza writes a grader. */
export function graderOf(node: Node): GraderSpec[] {
  const type = text(get(node, "type")) ?? text(get(node, "kind"));
  if (node.type !== "map" || type === undefined) return [];
  const config = get(node, "config");
  const weight = number(get(node, "weight"));
  return [
    {
      type: type === "skill-invocation" ? "skill_invocation" : type,
      name: word(get(node, "name")),
      weight: weight !== undefined && weight > 0 ? weight : undefined,
      config: config === undefined ? configIn(type, node, ["type", "kind", "name", "weight"]) : configOf(type, config),
    },
  ];
}

const LOOKS_FOR_TEXT = new Set(["contains", "not_contains", "contains_any", "contains_all", "output_contains", "output_not_contains"]);

/** The configuration of a grader. What looks for a text looks for it as its author wrote it: `1.10` is not 1.1. */
export function configOf(type: string, node: Node): unknown {
  return LOOKS_FOR_TEXT.has(type) ? asWritten(node) : plain(node);
}

/** A grader's configuration, where it is written next to its type. */
function configIn(type: string, node: MapNode, others: string[]): Record<string, unknown> {
  const own = node.entries.filter(({ key }) => !others.includes(key));
  return Object.fromEntries(own.map(({ key, value }) => [key, configOf(type, value)]));
}
