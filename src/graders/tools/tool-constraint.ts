import { z } from "zod";
import type { Check } from "../../model/index.ts";
import { type ToolCall, toolNames, totalTokens } from "../../model/index.ts";
import { checked } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { find } from "../patterns/pattern.ts";
import { argument, hasArguments } from "./arguments.ts";
import { atMost, limit } from "./behavior.ts";
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
const more = {
  command_pattern: loose,
  skill_pattern: loose,
  path_pattern: loose,
  args: z.record(z.string(), argument).default({}),
};
/** Its name alone, or with what the call must be like. */
const named = <Tool extends z.ZodType<string>>(tool: Tool) =>
  z.union([tool.transform((tool): Spec => ({ tool, args: {} })), z.strictObject({ tool, ...more })]);

interface Spec {
  tool: string;
  command_pattern?: string | undefined;
  skill_pattern?: string | undefined;
  path_pattern?: string | undefined;
  args: Record<string, z.output<typeof argument>>;
}

/**
 * waza's `tool_constraint`: calls that must be made, that must not be, and the only ones that may be. Tools to expect and to reject are patterns,
 * in whatever case; those that are allowed are names.
 */
export const toolConstraint = defineGrader({
  type: "tool_constraint",
  config: z
    .strictObject({
      expect_tools: z.array(named(toolPattern(true))).default([]),
      reject_tools: z.array(named(toolPattern(true))).default([]),
      allow_only: z.array(named(z.string().min(1))).optional(),
      max_turns: limit,
      max_tokens: limit,
    })
    .refine(
      ({ expect_tools, reject_tools, ...others }) =>
        expect_tools.length + reject_tools.length > 0 || Object.values(others).some((value) => value !== undefined),
      { error: "Nothing to check: name expect_tools, reject_tools or allow_only" },
    ),
  scoring: "mean",

  grade({ expect_tools, reject_tools, allow_only, max_turns, max_tokens }, transcript) {
    const calls = callsOf(transcript);
    if (!isCalls(calls)) return [calls];
    return [
      ...expect_tools.map((wanted) => expected(calls, wanted)),
      ...reject_tools.map((unwanted) => rejected(calls, unwanted)),
      ...(allow_only === undefined ? [] : [onlyAllowed(calls, allow_only)]),
      ...atMost("turns", transcript.turns, max_turns),
      ...atMost("tokens", totalTokens(transcript.usage), max_tokens),
    ];
  },
});

function expected(calls: readonly ToolCall[], wanted: Spec): Check {
  const found = calls.find((call) => isLike(call, wanted));
  return checked(
    found !== undefined,
    found ? `${shown(wanted)} was called` : `${shown(wanted)} was not called (${usedTools(calls)})`,
  );
}

function rejected(calls: readonly ToolCall[], unwanted: Spec): Check {
  const found = calls.find((call) => isLike(call, unwanted));
  if (found === undefined) return checked(true, `${shown(unwanted)} was not called`);
  return checked(false, `${shown(unwanted)} was called, but must not be`, JSON.stringify(found.input)?.slice(0, 300));
}

function onlyAllowed(calls: readonly ToolCall[], allowed: readonly Spec[]): Check {
  const isAllowed = (call: ToolCall) => allowed.some((spec) => isNamed(call, spec.tool) && isToldSo(call, spec));
  const others = [...new Set(calls.filter((call) => !isAllowed(call)).map(shownTool))];
  if (others.length === 0) return checked(true, "only allowed tools were used");
  const may = allowed.length === 0 ? "no tool may be used" : `only ${allowed.map(shown).join(", ")} may be`;
  return checked(false, `${others.join(", ")} ${others.length === 1 ? "was" : "were"} used, and ${may}`);
}

function isLike(call: ToolCall, spec: Spec): boolean {
  return fitsTool(call, whateverCase(spec.tool)) && isToldSo(call, spec);
}

/** By the whole name, in whatever case: `bash` does not allow `bashful`. */
function isNamed(call: ToolCall, name: string): boolean {
  return (
    isTool(call, name) || toolNames(call.tool, call.input).some((known) => known.toLowerCase() === name.toLowerCase())
  );
}

/** One call that meets all of it. */
function isToldSo(call: ToolCall, { command_pattern, skill_pattern, path_pattern, args }: Spec): boolean {
  const matches = (written: string | undefined, texts: readonly (string | undefined)[]) =>
    written === undefined ||
    texts.some((text) => text !== undefined && find(whateverCase(written), text) !== undefined);
  return (
    matches(command_pattern, [commandOf(call)]) &&
    matches(skill_pattern, [skillOf(call)]) &&
    matches(path_pattern, pathsOf(call)) &&
    hasArguments(call.input, args)
  );
}

function shown({ tool, command_pattern, skill_pattern, path_pattern, args }: Spec): string {
  const patterns = [command_pattern, skill_pattern, path_pattern].flatMap((written) =>
    written === undefined ? [] : [`/${written}/`],
  );
  const told = [...patterns, ...(Object.keys(args).length > 0 ? [JSON.stringify(args)] : [])];
  return told.length === 0 ? tool : `${tool} with ${told.join(" and ")}`;
}
