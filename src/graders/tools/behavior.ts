import { z } from "zod";
import type { Check } from "../../model/index.ts";
import { type ToolCall, totalTokens } from "../../model/index.ts";
import { checked, skipped } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { callsOf, isCalls, isTool, usedTools } from "./calls.ts";

export const limit = z.int().min(0).optional();
const tools = z.array(z.string().min(1)).default([]);

export const behavior = defineGrader({
  type: "behavior",
  config: z
    .strictObject({
      max_tool_calls: limit,
      max_tokens: limit,
      max_duration_ms: z.number().min(0).optional(),
      max_turns: limit,
      required_tools: tools,
      forbidden_tools: tools,
    })
    .refine(
      ({ required_tools, forbidden_tools, ...limits }) =>
        required_tools.length + forbidden_tools.length > 0 ||
        Object.values(limits).some((value) => value !== undefined),
      { error: "Nothing to check: name a limit, required_tools or forbidden_tools" },
    ),
  scoring: "mean",

  grade(
    { max_tool_calls, max_tokens, max_duration_ms, max_turns, required_tools, forbidden_tools },
    transcript,
    { ms },
  ) {
    const calls = callsOf(transcript);
    const seen = isCalls(calls) ? calls : undefined;
    const aboutCalls = (check: (calls: readonly ToolCall[]) => Check): Check =>
      seen === undefined ? (calls as Check) : check(seen);
    return [
      ...(max_tool_calls === undefined
        ? []
        : [aboutCalls((calls) => within("tool calls", calls.length, max_tool_calls))]),
      ...atMost("tokens", totalTokens(transcript.usage), max_tokens),
      ...atMost("milliseconds", ms === undefined ? undefined : Math.round(ms), max_duration_ms),
      ...atMost("turns", transcript.turns, max_turns),
      ...required_tools.map((name) => aboutCalls((calls) => requiredTool(calls, name))),
      ...forbidden_tools.map((name) => aboutCalls((calls) => forbiddenTool(calls, name))),
    ];
  },
});

export function atMost(what: string, value: number | undefined, limit: number | undefined): Check[] {
  if (limit === undefined) return [];
  return [value === undefined ? skipped(`${what} are not known here`) : within(what, value, limit)];
}

function within(what: string, value: number, limit: number): Check {
  return checked(value <= limit, `${value} ${what}, at most ${limit} are allowed`);
}

export function requiredTool(calls: readonly ToolCall[], name: string): Check {
  const used = calls.some((call) => isTool(call, name));
  return checked(used, used ? `${name} was used` : `${name} was not used (${usedTools(calls)})`);
}

export function forbiddenTool(calls: readonly ToolCall[], name: string): Check {
  const used = calls.some((call) => isTool(call, name));
  return checked(!used, used ? `${name} was used, but must not be` : `${name} was not used`);
}
