import type { GraderSpec } from "../../model/index.ts";
import { get, isNull, items, type Node, plain, text, texts } from "../documents/index.ts";
import { defined } from "../questions/question.ts";

/** Turns a task's `expected` into graders. waza documents these keys but ignores most of them. */
export function expectedGraders(expected: Node | undefined): GraderSpec[] {
  if (expected === undefined || isNull(expected)) return [];
  const list = (key: string) => {
    const found = texts(get(expected, key));
    return found.length > 0 ? found : undefined;
  };
  const spoken = defined({
    contains: list("output_contains"),
    not_contains: list("output_not_contains"),
    contains_any: list("output_contains_any"),
    regex_match: list("matches"),
  });
  const done = get(expected, "behavior");
  const calls = get(expected, "tool_calls");
  const outcomes = items(get(expected, "outcomes"));
  const statements = outcomes.flatMap(statementOf);
  const called = outcomes.flatMap((outcome) =>
    isOutcome(outcome, "tool_called") ? (text(get(outcome, "tool_name")) ?? []) : [],
  );
  const graders: GraderSpec[] = [];
  const add = (type: string, name: string, config: unknown) => graders.push({ type, name, config });
  if (Object.keys(spoken).length > 0) add("text", "expected", spoken);
  if (done?.type === "map") add("behavior", "expected behavior", behaviorConfig(plain(done)));
  if (calls !== undefined && !isNull(calls)) add("tool_calls", "expected tool_calls", toolCallConfig(calls));
  if (called.length > 0) add("tool_calls", "expected outcomes", { required_tools: called });
  if (statements.length > 0) add("expectations", "expected outcomes", { statements });
  return graders;
}

function behaviorConfig(written: unknown): Record<string, unknown> {
  const { max_iterations, max_response_time_ms, ...rest } = written as Record<string, unknown>;
  return defined({ max_turns: max_iterations, max_duration_ms: max_response_time_ms, ...rest });
}

function isOutcome(outcome: Node, type: string): boolean {
  return text(get(outcome, "type")) === type;
}

/**
 * A sentence for a judge. `task_completed` holds for every measured trial, and tool calls can be seen, so neither needs
 * one.
 */
function statementOf(outcome: Node): string[] {
  if (isOutcome(outcome, "task_completed")) return [];
  if (isOutcome(outcome, "tool_called") && text(get(outcome, "tool_name")) !== undefined) return [];
  const said = (key: string) => {
    const node = get(outcome, key);
    return node === undefined || isNull(node) ? [] : [text(node) ?? JSON.stringify(plain(node))];
  };
  const type = text(get(outcome, "type"))?.replaceAll("_", " ");
  const written = text(outcome) ?? text(get(outcome, "description")) ?? type;
  if (written === undefined || written.trim() === "") return [];
  return [[written, ...said("value"), ...said("condition")].join(": ")];
}

/**
 * A list names tools that must be called; a mapping is the grader's configuration, with the short names `required` and
 * `forbidden`.
 */
function toolCallConfig(node: Node): unknown {
  if (node.type === "list") {
    const named = node.items.flatMap((item) => text(item) ?? []);
    const told = node.items.filter((item) => item.type === "map").map(plain);
    return defined({
      required_tools: named.length > 0 ? named : undefined,
      expect: told.length > 0 ? told : undefined,
    });
  }
  const { required, forbidden, ...rest } = plain(node) as Record<string, unknown>;
  return defined({
    ...rest,
    required_tools: required === undefined ? rest["required_tools"] : toolNamesIn(required),
    forbidden_tools: forbidden === undefined ? rest["forbidden_tools"] : toolNamesIn(forbidden),
  });
}

function toolNamesIn(list: unknown): unknown[] {
  const entries = Array.isArray(list) ? list : [list];
  return entries.map((entry) =>
    typeof entry === "object" && entry !== null
      ? ((entry as Record<string, unknown>)["tool"] ?? (entry as Record<string, unknown>)["pattern"])
      : entry,
  );
}
