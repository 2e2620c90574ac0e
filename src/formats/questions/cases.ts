import type { Problem } from "../../base/index.ts";
import type { Case, GraderSpec, Responder } from "../../model/index.ts";
import {
  asWritten,
  boolean,
  type Document,
  get,
  items,
  type MapNode,
  type Node,
  number,
  plain,
  text,
  texts,
  word,
} from "../documents/index.ts";
import { readFields } from "./fields.ts";
import { unknownKeys } from "./native.ts";
import { defined, makeCase } from "./question.ts";

export function caseOf(
  row: MapNode,
  { document, skill, problems }: { document: Document; skill: string | undefined; problems: Problem[] },
): Case | undefined {
  const prompt =
    text(get(row, "prompt")) ?? text(get(row, "question")) ?? text(get(row, "query")) ?? text(get(row, "input"));
  if (prompt === undefined || prompt.trim() === "") return undefined;
  const name = text(get(row, "name")) ?? text(get(row, "eval_name")) ?? text(get(row, "title"));
  const expectedOutput = text(get(row, "expected_output"));
  const graders = gradersOf(row);
  return makeCase({
    ...readFields(document, row, problems),
    skill,
    name,
    expectedOutput,
    prompt,
    graders: graders.length === 0 ? asDescribed(expectedOutput) : graders,
    setup: listOf(get(row, "setup")),
    followUps: listOf(get(row, "follow_ups") ?? get(row, "follow_up_prompts")),
    responder: responderOf(get(row, "responder")),
    models: texts(get(row, "models")),
    source: document.at(row),
  });
}

/** Beside other checks, `expected_output` is a reference for the judge. Alone, it is the only check. */
function asDescribed(expectedOutput: string | undefined): GraderSpec[] {
  if (expectedOutput === undefined || expectedOutput.trim() === "") return [];
  return [
    { type: "expectations", config: { statements: [`The result is as its author describes it: ${expectedOutput}`] } },
  ];
}

export function listOf(node: Node | undefined): string[] | undefined {
  const found = texts(node).filter((one) => one.trim() !== "");
  return found.length === 0 ? undefined : found;
}

const MOST_REPLIES = 5;

export function responderOf(node: Node | undefined): Responder | undefined {
  if (node?.type !== "map") return undefined;
  const mostReplies = number(get(node, "max_followups")) ?? number(get(node, "max_replies")) ?? MOST_REPLIES;
  const instructions = text(get(node, "instructions"));
  if (instructions !== undefined) return defined({ instructions, model: text(get(node, "model")), mostReplies });
  const rules = items(get(node, "replies")).flatMap((rule) => {
    const [pattern, reply] = [text(get(rule, "pattern")) ?? ".", text(get(rule, "reply")) ?? text(rule)];
    return reply === undefined ? [] : [{ pattern, reply }];
  });
  return rules.length === 0 ? undefined : { rules, mostReplies };
}

/**
 * Expectations are sentences that one judgement covers, assertions are sentences or typed checks, and graders are
 * written out.
 */
export function gradersOf(row: MapNode): GraderSpec[] {
  const written = [
    ...items(get(row, "expectations")),
    ...items(get(row, "assertions")),
    ...items(get(row, "expected_behavior")),
  ];
  const rubric = get(row, "rubric");
  const whole = text(rubric);
  const all = [...written, ...items(rubric)];
  const statements = [...all.flatMap(sentenceOf), ...(whole === undefined || whole.trim() === "" ? [] : [whole])];
  const judged = statements.length === 0 ? [] : [{ type: "expectations", config: { statements } }];
  return [
    ...judged,
    ...all.flatMap(typedCheck),
    ...all.flatMap(untyped),
    ...items(get(row, "graders")).flatMap(graderOf),
  ];
}

function sentenceOf(node: Node): string[] {
  const bare = text(node);
  if (bare !== undefined) return bare.trim() === "" ? [] : [bare];
  if (node.type !== "map" || (get(node, "type") !== undefined && !isPlainLlm(node))) return [];
  const keys = ["text", "description", "assertion", "expectation", "name"];
  const sentence = keys.map((key) => text(get(node, key))).find((one) => one !== undefined);
  return sentence === undefined || sentence.trim() === "" ? [] : [sentence];
}

function isPlainLlm(node: MapNode): boolean {
  return (
    text(get(node, "type")) === "llm" &&
    text(get(node, "text")) !== undefined &&
    node.entries.every(({ key }) => key === "type" || key === "text")
  );
}

function typedCheck(node: Node): GraderSpec[] {
  const type = text(get(node, "type"));
  if (node.type !== "map" || type === undefined || isPlainLlm(node)) return [];
  return [defined({ type, name: word(get(node, "name")), ...weighing(node), config: configIn(type, node, OWN) })];
}

/** Keeps a mapping that is neither a sentence nor a check, so that `check` can report that it checks nothing. */
function untyped(node: Node): GraderSpec[] {
  if (
    node.type !== "map" ||
    node.entries.length === 0 ||
    text(get(node, "type")) !== undefined ||
    sentenceOf(node).length > 0
  )
    return [];
  return [{ type: "", config: plain(node) }];
}

const OWN = ["type", "kind", "name", "weight", "gate", "threshold"];

function weighing(node: Node): Pick<GraderSpec, "weight" | "gate" | "threshold"> {
  const weight = number(get(node, "weight"));
  return {
    weight: weight !== undefined && weight > 0 ? weight : undefined,
    gate: boolean(get(node, "gate")) === true ? true : undefined,
    threshold: number(get(node, "threshold")),
  };
}

const BESIDE_CONFIG = ["assertions", "rubric", "model", "script", "ref"];

export function idleGraderKeys(document: Document, node: Node): Problem[] {
  if (node.type !== "map" || get(node, "config") === undefined) return [];
  const known = new Set([...OWN, "config", "description", ...BESIDE_CONFIG]);
  return unknownKeys(document, node, { known, where: "a grader" });
}

export function graderOf(node: Node): GraderSpec[] {
  if (node.type !== "map") return [];
  const type = text(get(node, "type")) ?? text(get(node, "kind")) ?? text(get(node, "ref")) ?? "";
  const config = besideConfig(node);
  const own = config === undefined && type === "trigger" ? OWN.filter((key) => key !== "threshold") : OWN;
  const spec = {
    type: type.replaceAll("-", "_"),
    name: word(get(node, "name")),
    ...weighing(node),
    config: config === undefined ? configIn(type, node, own) : configOf(type, config),
  };
  return [defined(spec.type === "trigger" && config === undefined ? { ...spec, threshold: undefined } : spec)];
}

function besideConfig(node: MapNode): Node | undefined {
  const config = get(node, "config");
  if (config?.type !== "map") return config;
  const beside = node.entries.filter(
    ({ key }) => (key === "assertions" || key === "rubric" || key === "model") && get(config, key) === undefined,
  );
  return beside.length === 0 ? config : { ...config, entries: [...config.entries, ...beside] };
}

const LOOKS_FOR_TEXT = new Set([
  "text",
  "contains",
  "not_contains",
  "contains_any",
  "contains_all",
  "output_contains",
  "output_not_contains",
]);

/** A grader that looks for a text gets it as written: `1.10` is not 1.1. */
export function configOf(type: string, node: Node): unknown {
  return LOOKS_FOR_TEXT.has(type) ? asWritten(node) : plain(node);
}

function configIn(type: string, node: MapNode, others: string[]): Record<string, unknown> {
  const own = node.entries.filter(({ key }) => !others.includes(key));
  return Object.fromEntries(own.map(({ key, value }) => [key, configOf(type, value)]));
}
