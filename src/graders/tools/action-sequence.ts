import { z } from "zod";
import type { ToolCall } from "../../model/index.ts";
import { defineGrader } from "../grader.ts";
import { callsOf, isCalls, isTool, shownTool } from "./calls.ts";

/** waza's `action_sequence`: the tools that were called, in order. Its score is F1 over them, 1 where it passes. */
export const actionSequence = defineGrader({
  type: "action_sequence",
  config: z.strictObject({
    matching_mode: z.enum(["exact_match", "in_order_match", "any_order_match"]),
    expected_actions: z.array(z.string().min(1)).min(1, "expected_actions is empty"),
  }),

  grade({ matching_mode, expected_actions }, transcript) {
    const calls = callsOf(transcript);
    if (!isCalls(calls)) return [calls];
    const { passed, right } = matched(calls, expected_actions, matching_mode);
    const done = calls.map(shownTool);
    const wanted = { exact_match: "exactly", in_order_match: "in this order", any_order_match: "in any order" }[
      matching_mode
    ];
    const shown = `${expected_actions.join(", ")} ${wanted}`;
    const message = passed
      ? `${shown}, as expected`
      : `${shown} should be called (called: ${done.length === 0 ? "nothing" : done.join(", ").slice(0, 300)})`;
    const given =
      matching_mode === "exact_match" ? calls.length : Math.max(right, Math.min(calls.length, expected_actions.length));
    return [{ passed, score: passed ? 1 : right === 0 ? 0 : (2 * right) / (given + expected_actions.length), message }];
  },
});

function matched(
  calls: readonly ToolCall[],
  wanted: readonly string[],
  mode: string,
): { passed: boolean; right: number } {
  if (mode === "any_order_match") {
    const left = [...calls];
    const right = wanted.filter((name) => {
      const at = left.findIndex((call) => isTool(call, name));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    }).length;
    return { passed: right === wanted.length, right };
  }
  const right = inOrder(calls, wanted);
  return { passed: right === wanted.length && (mode === "in_order_match" || calls.length === wanted.length), right };
}

/** How many of the wanted are called one after the other, with others in between: the longest such part. */
function inOrder(calls: readonly ToolCall[], wanted: readonly string[]): number {
  let previous = new Array<number>(wanted.length + 1).fill(0);
  for (const call of calls) {
    const current = [0];
    wanted.forEach((name, index) => {
      current.push(
        isTool(call, name) ? (previous[index] ?? 0) + 1 : Math.max(previous[index + 1] ?? 0, current[index] ?? 0),
      );
    });
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
