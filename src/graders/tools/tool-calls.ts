import { z } from "zod";
import { count } from "../../base/index.ts";
import type { Check, ToolCall } from "../../model/index.ts";
import { checked } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { argument, hasArguments } from "./arguments.ts";
import { forbiddenTool, requiredTool } from "./behavior.ts";
import { callsOf, fitsTool, isCalls, toolPattern, usedTools, whateverCase } from "./calls.ts";

const tools = z.array(z.string().min(1)).default([]);
const expected = z.strictObject({ tool: toolPattern(true), args: z.record(z.string(), argument).default({}) });

/** waza's `tool_calls`: which tools were called, how often, and with which arguments. Its score is the share of checks that passed. */
export const toolCalls = defineGrader({
  type: "tool_calls",
  config: z
    .strictObject({
      required_tools: tools,
      forbidden_tools: tools,
      min_calls: z.int().min(0).optional(),
      max_calls: z.int().min(0).optional(),
      expect: z.array(expected).default([]),
    })
    .superRefine((config, context) => {
      const { required_tools, forbidden_tools, min_calls, max_calls, expect } = config;
      const add = (message: string) => context.addIssue({ code: "custom", message });
      if (
        required_tools.length + forbidden_tools.length + expect.length === 0 &&
        min_calls === undefined &&
        max_calls === undefined
      )
        add("Nothing to check: name required_tools, forbidden_tools, min_calls, max_calls or expect");
      if (min_calls !== undefined && max_calls !== undefined && min_calls > max_calls)
        add("min_calls is larger than max_calls");
    }),
  scoring: "mean",

  grade({ required_tools, forbidden_tools, min_calls, max_calls, expect }, transcript) {
    const calls = callsOf(transcript);
    if (!isCalls(calls)) return [calls];
    const { length } = calls;
    return [
      ...required_tools.map((name) => requiredTool(calls, name)),
      ...forbidden_tools.map((name) => forbiddenTool(calls, name)),
      ...(min_calls === undefined
        ? []
        : [checked(length >= min_calls, `${length} tool calls, at least ${min_calls} are required`)]),
      ...(max_calls === undefined
        ? []
        : [checked(length <= max_calls, `${length} tool calls, at most ${max_calls} are allowed`)]),
      ...expect.map((wanted) => expectedCall(calls, wanted)),
    ];
  },
});

function expectedCall(calls: readonly ToolCall[], { tool, args }: z.output<typeof expected>): Check {
  const ofTool = calls.filter((call) => fitsTool(call, whateverCase(tool)));
  const found = ofTool.some((call) => hasArguments(call.input, args));
  const told = Object.keys(args).length === 0 ? "" : ` with ${JSON.stringify(args)}`;
  if (found) return checked(true, `${tool} was called${told}`);
  const instead =
    ofTool.length === 0 ? usedTools(calls) : `it was called ${count(ofTool.length, "time")}, never like that`;
  return checked(false, `${tool} was not called${told} (${instead})`);
}
