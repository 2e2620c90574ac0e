import { z } from "zod";
import { count } from "../../base/index.ts";
import { type Check, type ToolCall, toolNames, totalTokens } from "../../model/index.ts";
import { checked } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { find, pattern } from "../patterns/pattern.ts";
import { argument, hasArguments } from "./arguments.ts";
import { atMost, forbiddenTool, limit, requiredTool } from "./behavior.ts";
import {
  callsOf,
  commandOf,
  fitsTool,
  isCalls,
  isTool,
  pathsOf,
  shownTool,
  skillOf,
  toolPattern,
  usedTools,
  whateverCase,
} from "./calls.ts";

const loose = toolPattern(true).optional();

const details = {
  command_pattern: loose,
  skill_pattern: loose,
  path_pattern: loose,
  input_pattern: pattern().optional(),
  case_sensitive: z.boolean().default(false),
  args: z.record(z.string(), argument).default({}),
};
const described = z.strictObject({ tool: loose, ...details });
type CallPattern = z.output<typeof described>;

const anyCall: Omit<CallPattern, "tool"> = { args: {}, case_sensitive: false };
const callPattern = z.union([toolPattern(true).transform((tool): CallPattern => ({ tool, ...anyCall })), described]);
const callByName = z.union([
  z
    .string()
    .min(1)
    .transform((tool) => ({ tool, ...anyCall })),
  z.strictObject({ tool: z.string().min(1), ...details }),
]);

const names = z.array(z.string().min(1)).default([]);

const sequence = z.strictObject({
  mode: z.enum(["exact_match", "in_order", "any_order"]),
  tools: z.array(z.string().min(1)).min(1, "The list of tools is empty"),
});

/** `expect` and `reject` take patterns; the other lists take names. */
export const tools = defineGrader({
  type: "tools",
  config: z
    .strictObject({
      required_tools: names,
      forbidden_tools: names,
      min_calls: limit,
      max_calls: limit,
      expect: z.array(callPattern).default([]),
      reject: z.array(callPattern).default([]),
      allow_only: z.array(callByName).optional(),
      sequence: sequence.optional(),
      max_turns: limit,
      max_tokens: limit,
    })
    .superRefine(({ min_calls, max_calls, ...others }, context) => {
      const add = (message: string) => context.addIssue({ code: "custom", message });
      const isEmpty = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);
      const { allow_only, ...lists } = others;
      if ([min_calls, max_calls, allow_only].every((one) => one === undefined) && Object.values(lists).every(isEmpty))
        add("Nothing to check: name calls to expect or reject, allow_only, a sequence, or a number of calls");
      if (min_calls !== undefined && max_calls !== undefined && min_calls > max_calls)
        add("min_calls is larger than max_calls");
    }),
  scoring: "mean",

  grade(config, transcript) {
    const calls = callsOf(transcript);
    if (!isCalls(calls)) return [calls];
    const { min_calls, allow_only } = config;
    const { length } = calls;
    return [
      ...config.required_tools.map((name) => requiredTool(calls, name)),
      ...config.forbidden_tools.map((name) => forbiddenTool(calls, name)),
      ...(min_calls === undefined
        ? []
        : [checked(length >= min_calls, `${length} tool calls, at least ${min_calls} are required`)]),
      ...atMost("tool calls", length, config.max_calls),
      ...config.expect.map((wanted) => expected(calls, wanted)),
      ...config.reject.map((unwanted) => rejected(calls, unwanted)),
      ...(allow_only === undefined ? [] : [onlyAllowed(calls, allow_only)]),
      ...(config.sequence === undefined ? [] : [inSequence(calls, config.sequence)]),
      ...atMost("turns", transcript.turns, config.max_turns),
      ...atMost("tokens", totalTokens(transcript.usage), config.max_tokens),
    ];
  },
});

function expected(calls: readonly ToolCall[], wanted: CallPattern): Check {
  const ofTool = calls.filter((call) => isOfTool(call, wanted));
  const found = ofTool.find((call) => isDescribed(call, wanted));
  if (found !== undefined) return checked(true, `${shown(wanted)} was called: ${shownTool(found)}`, shownInput(found));
  const instead =
    wanted.tool === undefined || ofTool.length === 0
      ? usedTools(calls)
      : `it was called ${count(ofTool.length, "time")}, never like that`;
  return checked(false, `${shown(wanted)} was not called (${instead})`);
}

function rejected(calls: readonly ToolCall[], unwanted: CallPattern): Check {
  const found = calls.find((call) => isOfTool(call, unwanted) && isDescribed(call, unwanted));
  if (found === undefined) return checked(true, `${shown(unwanted)} was not called`);
  return checked(false, `${shown(unwanted)} was called, but must not be`, shownInput(found));
}

function onlyAllowed(calls: readonly ToolCall[], allowed: readonly z.output<typeof callByName>[]): Check {
  const isAllowed = (call: ToolCall) => allowed.some((spec) => isNamed(call, spec.tool) && isDescribed(call, spec));
  const others = [...new Set(calls.filter((call) => !isAllowed(call)).map(shownTool))];
  if (others.length === 0) return checked(true, "only allowed tools were used");
  const may = allowed.length === 0 ? "no tool may be used" : `only ${allowed.map(shown).join(", ")} may be`;
  return checked(false, `${others.join(", ")} ${others.length === 1 ? "was" : "were"} used, and ${may}`);
}

function inSequence(calls: readonly ToolCall[], { mode, tools }: z.output<typeof sequence>): Check {
  const right = mode === "any_order" ? inAnyOrder(calls, tools) : inOrder(calls, tools);
  const passed = right === tools.length && (mode !== "exact_match" || calls.length === tools.length);
  const how = { exact_match: "exactly", in_order: "in this order", any_order: "in any order" }[mode];
  const called = calls.length === 0 ? "nothing" : calls.map(shownTool).join(", ").slice(0, 300);
  const outcome = passed ? ", as expected" : ` should be called (called: ${called})`;
  const given = mode === "exact_match" ? calls.length : Math.max(right, Math.min(calls.length, tools.length));
  return {
    passed,
    score: passed ? 1 : right === 0 ? 0 : (2 * right) / (given + tools.length),
    message: `${tools.join(", ")} ${how}${outcome}`,
  };
}

function inAnyOrder(calls: readonly ToolCall[], tools: readonly string[]): number {
  const left = [...calls];
  return tools.filter((name) => {
    const at = left.findIndex((call) => isTool(call, name));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
}

function inOrder(calls: readonly ToolCall[], tools: readonly string[]): number {
  let previous = new Array<number>(tools.length + 1).fill(0);
  for (const call of calls) {
    const current = [0];
    tools.forEach((name, index) => {
      current.push(
        isTool(call, name) ? (previous[index] ?? 0) + 1 : Math.max(previous[index + 1] ?? 0, current[index] ?? 0),
      );
    });
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

function isOfTool(call: ToolCall, { tool, case_sensitive }: CallPattern): boolean {
  return tool === undefined || fitsTool(call, case_sensitive ? tool : whateverCase(tool));
}

/** Compares whole names and ignores case: `bash` does not allow `bashful`. */
function isNamed(call: ToolCall, name: string): boolean {
  return (
    isTool(call, name) || toolNames(call.tool, call.input).some((known) => known.toLowerCase() === name.toLowerCase())
  );
}

function isDescribed(call: ToolCall, spec: Omit<CallPattern, "tool">): boolean {
  const matches = (written: string | undefined, texts: readonly (string | undefined)[]) =>
    written === undefined ||
    texts.some(
      (text) => text !== undefined && find(spec.case_sensitive ? written : whateverCase(written), text) !== undefined,
    );
  return (
    matches(spec.command_pattern, [commandOf(call)]) &&
    matches(spec.skill_pattern, [skillOf(call)]) &&
    matches(spec.path_pattern, pathsOf(call)) &&
    matches(spec.input_pattern, [JSON.stringify(call.input) ?? ""]) &&
    hasArguments(call.input, spec.args)
  );
}

function shown({ tool, case_sensitive, args, ...patterns }: CallPattern): string {
  const name = tool === undefined ? "a tool" : case_sensitive ? `/${tool}/` : tool;
  const { command_pattern, skill_pattern, path_pattern, input_pattern } = patterns;
  const told = [
    ...[command_pattern, skill_pattern, path_pattern, input_pattern].flatMap((one) => (one ? [`/${one}/`] : [])),
    ...(Object.keys(args).length > 0 ? [JSON.stringify(args)] : []),
  ];
  return told.length === 0 ? name : `${name} with ${told.join(" and ")}`;
}

function shownInput({ input }: ToolCall): string | undefined {
  return JSON.stringify(input)?.slice(0, 300);
}
