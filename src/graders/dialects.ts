import { z } from "zod";
import { insidePath } from "./files/inside-path.ts";
import { pattern, patternSyntax, rejectPatterns } from "./patterns/pattern.ts";
import { wanted } from "./text/text.ts";
import { tokenCount, tokenizer } from "./text/tokens.ts";
import { toolPattern } from "./tools/calls.ts";
import { tools } from "./tools/tools.ts";

/** A grader type of another tool or of Proctor 0.1. */
export interface GraderDialect<Schema extends z.ZodType = z.ZodType> {
  /** Validates the configuration as written, so that errors use the author's own names. */
  config: Schema;
  native(config: z.output<Schema>): { type: string; config: unknown };
}

function dialect<Schema extends z.ZodType>(one: GraderDialect<Schema>): GraderDialect {
  return one as unknown as GraderDialect;
}

const oneText = z.strictObject({ value: wanted });
const severalTexts = z.strictObject({ value: z.array(wanted).min(1, "The list is empty") });
const onePattern = z
  .strictObject({ value: z.string().min(1), syntax: patternSyntax })
  .superRefine(({ value, syntax }, context) => rejectPatterns([value], { syntax, path: ["value"], context }));
const tokenLimit = z
  .strictObject({ value: z.union([tokenCount, z.strictObject({ value: tokenCount, tokenizer })]) })
  .transform(({ value }) => (typeof value === "number" ? { value, tokenizer: "words" as const } : value));
const onePath = z.strictObject({ path: insidePath, text: z.string().optional() });
const evolvePattern = z.strictObject({
  pattern: pattern("lines"),
  path: insidePath.optional(),
  text: z.string().optional(),
});

function evolveSearch({ pattern, path }: z.output<typeof evolvePattern>, key: "regex_match" | "regex_not_match") {
  return path === undefined
    ? { type: "text", config: { [key]: [pattern], syntax: "lines" } }
    : { type: "file", config: { [key]: [{ path, pattern }], syntax: "lines" } };
}

const { required_tools, forbidden_tools, min_calls, max_calls, expect, allow_only, max_turns, max_tokens } =
  tools.config.shape;
const MODES = { exact_match: "exact_match", in_order_match: "in_order", any_order_match: "any_order" } as const;

export const dialects: ReadonlyMap<string, GraderDialect> = new Map(
  Object.entries({
    contains: dialect({
      config: oneText,
      native: ({ value }) => ({ type: "text", config: { contains_cs: [value] } }),
    }),
    not_contains: dialect({
      config: oneText,
      native: ({ value }) => ({ type: "text", config: { not_contains_cs: [value] } }),
    }),
    contains_any: dialect({
      config: severalTexts,
      native: ({ value }) => ({ type: "text", config: { contains_any_cs: value } }),
    }),
    contains_all: dialect({
      config: severalTexts,
      native: ({ value }) => ({ type: "text", config: { contains_cs: value } }),
    }),
    matches: dialect({
      config: onePattern,
      native: ({ value, syntax }) => ({ type: "text", config: { regex_match: [value], syntax } }),
    }),
    not_matches: dialect({
      config: onePattern,
      native: ({ value, syntax }) => ({ type: "text", config: { regex_not_match: [value], syntax } }),
    }),
    regex: dialect({ config: evolvePattern, native: (config) => evolveSearch(config, "regex_match") }),
    not_regex: dialect({ config: evolvePattern, native: (config) => evolveSearch(config, "regex_not_match") }),
    min_tokens: dialect({
      config: tokenLimit,
      native: ({ value, tokenizer }) => ({ type: "tokens", config: { min: value, tokenizer } }),
    }),
    max_tokens: dialect({
      config: tokenLimit,
      native: ({ value, tokenizer }) => ({ type: "tokens", config: { max: value, tokenizer } }),
    }),
    file_exists: dialect({
      config: onePath,
      native: ({ path }) => ({ type: "file", config: { must_exist: [path] } }),
    }),
    file_absent: dialect({
      config: onePath,
      native: ({ path }) => ({ type: "file", config: { must_not_exist: [path] } }),
    }),
    program: dialect({
      config: z.strictObject({
        command: z.string().min(1),
        args: z.array(z.coerce.string()).default([]),
        timeout: z.number().positive().max(3600).default(30),
        env: z.record(z.string(), z.coerce.string()).default({}),
        stdin: z.string().optional(),
      }),
      native: ({ command, ...rest }) => ({ type: "command", config: { program: command, ...rest } }),
    }),
    action_sequence: dialect({
      config: z.strictObject({
        matching_mode: z.enum(["exact_match", "in_order_match", "any_order_match"]),
        expected_actions: z.array(z.string().min(1)).min(1, "expected_actions is empty"),
      }),
      native: ({ matching_mode, expected_actions }) => ({
        type: "tools",
        config: { sequence: { mode: MODES[matching_mode], tools: expected_actions } },
      }),
    }),
    tool_call: dialect({
      config: z
        .strictObject({
          tool: toolPattern(false).optional(),
          pattern: pattern().optional(),
          text: z.string().optional(),
        })
        .refine(({ tool, pattern }) => tool !== undefined || pattern !== undefined, {
          error: "Nothing to look for: name tool or pattern",
        }),
      native: ({ tool, pattern }) => ({
        type: "tools",
        config: { expect: [{ tool, input_pattern: pattern, case_sensitive: true }] },
      }),
    }),
    tool_calls: dialect({
      config: z
        .strictObject({ required_tools, forbidden_tools, min_calls, max_calls, expect })
        .superRefine(({ min_calls, max_calls, ...lists }, context) => {
          const add = (message: string) => context.addIssue({ code: "custom", message });
          const isEmpty = Object.values(lists).every((list) => list.length === 0);
          if (isEmpty && min_calls === undefined && max_calls === undefined)
            add("Nothing to check: name required_tools, forbidden_tools, min_calls, max_calls or expect");
          if (min_calls !== undefined && max_calls !== undefined && min_calls > max_calls)
            add("min_calls is larger than max_calls");
        }),
      native: (config) => ({ type: "tools", config }),
    }),
    tool_constraint: dialect({
      config: z
        .strictObject({ expect_tools: expect, reject_tools: expect, allow_only, max_turns, max_tokens })
        .refine(
          ({ expect_tools, reject_tools, ...others }) =>
            expect_tools.length + reject_tools.length > 0 || Object.values(others).some((value) => value !== undefined),
          { error: "Nothing to check: name expect_tools, reject_tools or allow_only" },
        ),
      native: ({ expect_tools, reject_tools, ...rest }) => ({
        type: "tools",
        config: { expect: expect_tools, reject: reject_tools, ...rest },
      }),
    }),
    prompt: dialect({
      config: z
        .strictObject({
          prompt: z.string().min(1).optional(),
          rubric: z.string().min(1).optional(),
          model: z.string().optional(),
          mode: z.enum(["independent", "pairwise"]).default("independent"),
          /** Ignored: Proctor's judge always sees the task, the actions and the files. */
          continue_session: z.boolean().optional(),
          reasoning_effort: z.string().optional(),
        })
        .refine(({ prompt, rubric }) => prompt !== undefined || rubric !== undefined, {
          error: "Nothing to judge by: name prompt or rubric",
        }),
      native({ prompt, rubric, model, mode }) {
        const criteria = [prompt, rubric].filter((text) => text !== undefined).join("\n\n");
        return mode === "pairwise"
          ? { type: "pairwise", config: { prompt: criteria, model } }
          : { type: "llm", config: { criteria, model } };
      },
    }),
  }),
);
