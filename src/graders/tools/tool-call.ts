import { z } from "zod";
import { checked } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { find, pattern } from "../patterns/pattern.ts";
import { callsOf, fitsTool, isCalls, shownTool, toolPattern, usedTools } from "./calls.ts";

/** evolve's `tool_call`: a call whose tool has a name that matches, on this host or on another, and whose input matches. */
export const toolCall = defineGrader({
  type: "tool_call",
  config: z
    .strictObject({ tool: toolPattern(false).optional(), pattern: pattern().optional(), text: z.string().optional() })
    .refine(({ tool, pattern }) => tool !== undefined || pattern !== undefined, {
      error: "Nothing to look for: name tool or pattern",
    }),

  grade({ tool, pattern }, transcript) {
    const calls = callsOf(transcript);
    if (!isCalls(calls)) return [calls];
    const ofTool = tool === undefined ? calls : calls.filter((call) => fitsTool(call, tool));
    const found = ofTool.find(
      ({ input }) => pattern === undefined || find(pattern, JSON.stringify(input) ?? "") !== undefined,
    );
    const wanted = [
      tool === undefined ? "a tool" : `/${tool}/`,
      ...(pattern === undefined ? [] : [`with /${pattern}/`]),
    ].join(" ");
    if (found !== undefined)
      return [checked(true, `${wanted} was called: ${shownTool(found)}`, JSON.stringify(found.input)?.slice(0, 300))];
    const instead =
      ofTool.length > 0 && pattern !== undefined
        ? `${ofTool.length} calls of it, none with that input`
        : usedTools(calls);
    return [checked(false, `${wanted} was not called (${instead})`)];
  },
});
