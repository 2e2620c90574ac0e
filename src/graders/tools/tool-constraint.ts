import { z } from "zod";
import type { ToolCall } from "../../transcripts/index.ts";
import { checked } from "../checks.ts";
import { type Check, defineGrader } from "../grader.ts";
import { find, patternFault } from "../patterns/pattern.ts";
import { argument, hasArguments } from "./arguments.ts";
import { callsOf, commandOf, isCalls, isTool, pathsOf, shownTool, skillOf, usedTools } from "./calls.ts";

/** Found anywhere in it, whatever its case. */
const loose = z
  .string()
  .min(1)
  .superRefine((written, context) => {
    const message = patternFault(`(?i)${written}`, "re2");
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

const spec = z.strictObject({
  tool: z.string().min(1),
  command_pattern: loose.optional(),
  skill_pattern: loose.optional(),
  path_pattern: loose.optional(),
  args: z.record(z.string(), argument).default({}),
});
type Spec = z.output<typeof spec>;

/** waza's `tool_constraint`: calls that must be made, that must not be, and the only tools that may be used. */
export const toolConstraint = defineGrader({
  type: "tool_constraint",
  config: z
    .strictObject({
      expect_tools: z.array(spec).default([]),
      reject_tools: z.array(spec).default([]),
      allow_only: z.array(z.string().min(1)).optional(),
    })
    .refine(({ expect_tools, reject_tools, allow_only }) => expect_tools.length + reject_tools.length > 0 || allow_only !== undefined, {
      error: "Nothing to check: name expect_tools, reject_tools or allow_only",
    }),
  scoring: "mean",

  grade({ expect_tools, reject_tools, allow_only }, transcript) {
    const calls = callsOf(transcript);
    if (!isCalls(calls)) return [calls];
    return [
      ...expect_tools.map((wanted) => expected(calls, wanted)),
      ...reject_tools.map((unwanted) => rejected(calls, unwanted)),
      ...(allow_only === undefined ? [] : [onlyAllowed(calls, allow_only)]),
    ];
  },
});

function expected(calls: readonly ToolCall[], wanted: Spec): Check {
  const found = calls.find((call) => fits(call, wanted));
  return checked(found !== undefined, found ? `${shown(wanted)} was called` : `${shown(wanted)} was not called (${usedTools(calls)})`);
}

function rejected(calls: readonly ToolCall[], unwanted: Spec): Check {
  const found = calls.find((call) => fits(call, unwanted));
  if (found === undefined) return checked(true, `${shown(unwanted)} was not called`);
  return checked(false, `${shown(unwanted)} was called, and must not be`, JSON.stringify(found.input)?.slice(0, 300));
}

function onlyAllowed(calls: readonly ToolCall[], allowed: readonly string[]): Check {
  const others = [...new Set(calls.filter((call) => !allowed.some((name) => isTool(call, name))).map(shownTool))];
  if (others.length === 0) return checked(true, "only allowed tools were used");
  return checked(false, `${others.join(", ")} was used, and only ${allowed.length === 0 ? "no tool" : allowed.join(", ")} may be`);
}

/** One call that meets all of it. */
function fits(call: ToolCall, { tool, command_pattern, skill_pattern, path_pattern, args }: Spec): boolean {
  const matches = (written: string | undefined, texts: readonly (string | undefined)[]) =>
    written === undefined || texts.some((text) => text !== undefined && find(`(?i)${written}`, text) !== undefined);
  return (
    isTool(call, tool) &&
    matches(command_pattern, [commandOf(call)]) &&
    matches(skill_pattern, [skillOf(call)]) &&
    matches(path_pattern, pathsOf(call)) &&
    hasArguments(call.input, args)
  );
}

function shown({ tool, command_pattern, skill_pattern, path_pattern, args }: Spec): string {
  const patterns = [command_pattern, skill_pattern, path_pattern].flatMap((written) => (written === undefined ? [] : [`/${written}/`]));
  const told = [...patterns, ...(Object.keys(args).length > 0 ? [JSON.stringify(args)] : [])];
  return told.length === 0 ? tool : `${tool} with ${told.join(" and ")}`;
}
