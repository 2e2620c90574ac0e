import { z } from "zod";
import { MOST_RUNS } from "../base/options/index.ts";
import { graders } from "../graders/index.ts";

/**
 * Schemas of the native files for editors: `$schema` in a suite gives completion and inline errors. The readers do not
 * use them, because their own messages are clearer and they are faster.
 */
const name = z.string().min(1);
const seconds = z.number().positive();

const file = z.union([
  z.string().min(1).describe("Relative to the suite's folder; files/a/b is staged as a/b"),
  z.object({ path: name.describe("Where to put it"), content: z.string() }).strict(),
  z
    .object({
      path: name.describe("Where to put it"),
      from: name.describe("The file to copy, relative to the suite's folder"),
    })
    .strict(),
]);

const message = z.object({ role: z.enum(["user", "assistant"]), content: z.string() }).strict();

const common = {
  id: z
    .union([z.string().min(1), z.int()])
    .optional()
    .describe("Keeps the question's history when its text changes; without one, an id is made from the text"),
  files: z.array(file).optional().describe("Put into the workspace before the question is asked"),
  messages: z.array(message).optional().describe("The conversation so far"),
  tags: z.array(name).optional(),
  runs: z.int().min(1).max(MOST_RUNS).optional().describe("How many times to ask it"),
  skip: z
    .union([z.string().min(1), z.boolean()])
    .optional()
    .describe("Do not ask it; the text says why"),
  skip_providers: z.array(name).optional().describe("Providers to skip: anthropic, openai, google …"),
  split: name.optional().describe("train, test …"),
  notes: z.string().optional(),
  note: z.string().optional(),
  draft: z.boolean().optional().describe("Written by a tool and not yet reviewed by a person"),
  max_turns: z.int().min(1).optional(),
  timeout_seconds: seconds.optional(),
};

/** Strict, so that an editor underlines `should_triger`. Keys that begin with `$`, `_` or `x-` are the author's own. */
const trigger = z
  .strictObject({
    query: z.string().min(1).describe("The prompt, verbatim"),
    should_trigger: z.boolean().optional().describe("Whether the skill of this suite should be activated"),
    expect: z
      .union([name, z.array(name), z.null()])
      .optional()
      .describe('What should be activated: a skill, several, or none ("none", null or [])'),
    exclusive: z.boolean().optional().describe("No other skill may be activated"),
    forbid: z
      .array(name)
      .optional()
      .describe("Skills that must not be activated; the suite's own only where should_trigger is false"),
    mode: z.enum(["any_order", "in_order", "exact_match"]).optional().describe("How several expected skills count"),
    models: z.array(name).optional().describe("Ask only these models"),
    also_fine: z
      .array(name)
      .optional()
      .describe("Skills that may be activated instead of the expected one, and are never extras"),
    skill: name.optional().describe("The skill this is about, if it is not the folder's"),
    ...common,
  })
  .describe("A prompt, and which skill it should activate. Either should_trigger or expect is required.");

const triggers = z.array(trigger);

export const triggersSchema = z
  .union([
    z.strictObject({
      $schema: z.string().optional(),
      skill_name: name
        .nullable()
        .optional()
        .describe("Repeats the folder's name, which is what counts; null: the questions are about the whole library"),
      runs: z.int().min(1).max(MOST_RUNS).optional().describe("How many times to ask each question"),
      skill: name.nullable().optional(),
      models: z.array(name).optional().describe("Ask only these models"),
      version: z.union([z.string(), z.number()]).optional(),
      notes: z.string().optional(),
      comment: z.unknown().optional(),
      description: z.string().optional(),
      draft: z.boolean().optional(),
      triggers,
    }),
    triggers,
  ])
  .describe("Triggers of a skill: evals/triggers.json in its folder, or evals/<skill>/triggers.json elsewhere");

const grader = z
  .looseObject({
    type: name.describe(graders.map(({ type }) => type).join(", ")),
    name: name.optional(),
    weight: z.number().positive().optional().describe("How much it counts in the score; it changes no verdict"),
    gate: z.boolean().optional().describe("When it fails, no judge is asked"),
    threshold: z.number().min(0).max(1).optional().describe("It passes from this score up"),
    config: z.record(z.string(), z.unknown()).optional(),
  })
  .describe("A grader with its configuration");

const assertion = z.union([
  z.string().min(1).describe("A sentence that a judge checks the answer against"),
  z.looseObject({ type: name.describe(graders.map(({ type }) => type).join(", ")) }),
  z.looseObject({ text: z.string().min(1) }),
  z.looseObject({ name, description: z.string().optional() }),
]);

const evaluation = z
  .looseObject({
    prompt: z.string().min(1).describe("What the agent is asked to do, verbatim"),
    name: z.string().optional().describe("Its name in reports"),
    expected_output: z.string().optional().describe("For the judge to compare with"),
    expectations: z.array(assertion).optional().describe("Sentences that must be true afterwards"),
    assertions: z.array(assertion).optional().describe("Sentences, or checks with a type"),
    graders: z.array(grader).optional(),
    setup: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe("Commands for the shell, run in the workspace beforehand"),
    follow_ups: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe("What is said next, after each answer"),
    responder: z
      .union([
        z.strictObject({
          instructions: z.string().min(1),
          model: name.optional(),
          max_replies: z.int().min(1).optional(),
        }),
        z.strictObject({
          replies: z.array(
            z.union([z.string(), z.strictObject({ pattern: z.string().optional(), reply: z.string() })]),
          ),
          max_replies: z.int().min(1).optional(),
        }),
      ])
      .optional()
      .describe("Who answers what the agent asks back: a model by instructions, or replies by pattern"),
    models: z.array(name).optional().describe("Ask only these models"),
    should_trigger: z.boolean().optional(),
    ...common,
  })
  .describe("A prompt and what a good answer must satisfy");

const evaluations = z.array(evaluation);

export const evalsSchema = z
  .union([
    z.looseObject({
      $schema: z.string().optional(),
      skill_name: name
        .nullable()
        .optional()
        .describe("Repeats the folder's name, which is what counts; null: the questions are about the whole library"),
      models: z.array(name).optional().describe("Ask only these models"),
      draft: z.boolean().optional(),
      evals: evaluations,
    }),
    evaluations,
  ])
  .describe("Cases of a skill: evals/evals.json in its folder, or evals/<skill>/evals.json elsewhere");
