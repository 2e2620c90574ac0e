import { z } from "zod";
import { graders } from "../graders/index.ts";

/**
 * The native files, for editors: `$schema` in a suite gives completion and inline errors. The readers do not use these; they explain what
 * is wrong in their own words, and they are faster.
 */
const name = z.string().min(1);
const seconds = z.number().positive();

const file = z.union([
  z.string().min(1).describe("Relative to the suite's folder; files/a/b is staged as a/b"),
  z.object({ path: name.describe("Where it is put"), content: z.string() }).strict(),
  z
    .object({ path: name.describe("Where it is put"), from: name.describe("The file that is copied, relative to the suite's folder") })
    .strict(),
]);

const message = z.object({ role: z.enum(["user", "assistant"]), content: z.string() }).strict();

const common = {
  id: z
    .union([z.string().min(1), z.int()])
    .optional()
    .describe("Stays the same when the text is changed; made of the text where there is none"),
  files: z.array(file).optional().describe("Put into the workspace before the question is asked"),
  messages: z.array(message).optional().describe("The conversation so far"),
  tags: z.array(name).optional(),
  runs: z.int().min(1).optional().describe("How often it is asked"),
  skip: z
    .union([z.string().min(1), z.boolean()])
    .optional()
    .describe("Do not ask it, and why"),
  skip_providers: z.array(name).optional().describe("Providers it is not put to: anthropic, openai, google …"),
  split: name.optional().describe("train, test …"),
  notes: z.string().optional(),
  note: z.string().optional(),
  draft: z.boolean().optional().describe("Made by a tool and not yet looked at by a person"),
  max_turns: z.int().min(1).optional(),
  timeout_seconds: seconds.optional(),
};

const trigger = z
  .looseObject({
    query: z.string().min(1).describe("The prompt, verbatim"),
    should_trigger: z.boolean().optional().describe("Whether the skill of this suite should be activated"),
    expect: z
      .union([name, z.array(name), z.null()])
      .optional()
      .describe('Who should be activated: a skill, several, or nobody ("none", null or [])'),
    exclusive: z.boolean().optional().describe("No other skill may be activated"),
    also_fine: z.array(name).optional().describe("Skills that may stand in for the expected one, and are never extras"),
    skill: name.optional().describe("The skill this is about, where it is not that of the folder"),
    ...common,
  })
  .describe("A prompt, and who should be activated by it. One of should_trigger and expect is needed.");

const triggers = z.array(trigger);

export const triggersSchema = z
  .union([
    z.looseObject({
      $schema: z.string().optional(),
      skill_name: name.optional().describe("An echo of the folder's name, which is what counts"),
      runs: z.int().min(1).optional().describe("How often each question is asked"),
      draft: z.boolean().optional(),
      triggers,
    }),
    triggers,
  ])
  .describe("Triggers of a skill: evals/triggers.json in its folder, or evals/<skill>/triggers.json beside it");

const grader = z
  .looseObject({
    type: name.describe(graders.map(({ type }) => type).join(", ")),
    name: name.optional(),
    weight: z.number().positive().optional(),
    config: z.record(z.string(), z.unknown()).optional(),
  })
  .describe("A grader with its configuration");

const assertion = z.union([
  z.string().min(1).describe("A sentence that a judge holds against the answer"),
  z.looseObject({ type: name.describe(graders.map(({ type }) => type).join(", ")) }),
  z.looseObject({ text: z.string().min(1) }),
  z.looseObject({ name, description: z.string().optional() }),
]);

const evaluation = z
  .looseObject({
    prompt: z.string().min(1).describe("What the agent is asked to do, verbatim"),
    name: z.string().optional().describe("What reports call it"),
    expected_output: z.string().optional().describe("For the judge to compare with"),
    expectations: z.array(assertion).optional().describe("Sentences that must be true afterwards"),
    assertions: z.array(assertion).optional().describe("Sentences, or checks with a type"),
    graders: z.array(grader).optional(),
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
      skill_name: name.optional().describe("An echo of the folder's name, which is what counts"),
      models: z.array(name).optional().describe("Ask only these models"),
      draft: z.boolean().optional(),
      evals: evaluations,
    }),
    evaluations,
  ])
  .describe("Cases of a skill: evals/evals.json in its folder, or evals/<skill>/evals.json beside it");
