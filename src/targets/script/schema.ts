import { z } from "zod";
import { ERROR_REASONS, EVIDENCE, type Evidence } from "../../model/index.ts";

const milliseconds = z.number().nonnegative();
const evidence = z.enum(EVIDENCE as [Evidence, ...Evidence[]]);
const tokens = z.number().int().nonnegative();

const skill = z.union([
  z.string(),
  z.strictObject({
    skill: z.string(),
    evidence: evidence.optional(),
    turn: z.number().int().positive().default(1),
    agent: z.string().optional(),
  }),
]);

const failure = z.strictObject({
  reason: z.enum(ERROR_REASONS),
  message: z.string().optional(),
  retryable: z.boolean().optional(),
  retry_after: milliseconds.optional(),
  times: z.number().int().positive().optional(),
});

const bytes = z.union([
  z.number().int().positive(),
  z
    .string()
    .regex(/^\d+ ?(kb|mb|gb)$/i, "Write bytes as a number, or like 1gb")
    .transform(
      (text) =>
        Number.parseInt(text, 10) *
        { k: 1e3, m: 1e6, g: 1e9 }[text.toLowerCase().replace(/[\d ]/g, "")[0] as "k" | "m" | "g"],
    ),
]);

const call = z.strictObject({
  tool: z.string().min(1),
  input: z.unknown().default({}),
  ok: z.boolean().default(true),
  result: z.string().optional(),
});

const reply = z.strictObject({
  skills: z.array(skill).default([]),
  text: z.string().optional(),
  calls: z.array(call).default([]),
  files: z.record(z.string(), z.string().nullable()).optional(),
  latency: z.union([milliseconds, z.tuple([milliseconds, milliseconds])]).optional(),
  tail: milliseconds.optional(),
  error: z
    .union([z.enum(ERROR_REASONS).transform((reason): z.output<typeof failure> => ({ reason })), failure])
    .optional(),
  fault: z
    .enum(["hang", "deaf", "crash", "cut", "half_line", "invalid_text", "lie_skill", "lie_evidence", "lie_model"])
    .optional(),
  flood: bytes.optional(),
  cost: z.number().nonnegative().nullable().optional(),
  usage: z
    .strictObject({
      input_tokens: tokens.optional(),
      output_tokens: tokens.optional(),
      cache_read_tokens: tokens.optional(),
      cache_write_tokens: tokens.optional(),
    })
    .optional(),
  listing: z.record(z.string(), z.enum(["whole", "cut", "bare", "absent"])).optional(),
  model: z.string().optional(),
});

const varied = reply.extend({ hit_rate: z.number().min(0).max(1).optional(), otherwise: reply.optional() });

const answer = varied.extend({
  without_skill: varied.optional(),
  runs: z.record(z.string().regex(/^[1-9]\d*$/, "Runs are numbered from 1"), reply).optional(),
});

const entry = answer
  .extend({ query: z.union([z.string(), z.array(z.string()).nonempty()]).optional(), pattern: z.string().optional() })
  .refine(
    (one) => (one.query === undefined) !== (one.pattern === undefined),
    "An answer needs either a query or a pattern",
  );

export const scriptSchema = z.strictObject({
  answers: z.array(entry).default([]),
  default: answer.optional(),
  provider: z.string().optional(),
  model: z.string().optional(),
  version: z.coerce.string().optional(),
  cost_per_trial: z.union([z.number().nonnegative(), z.literal("unknown")]).default(0),
  deterministic: z.boolean().default(false),
  predicted: z.boolean().default(false),
  concurrency: z.number().int().positive().optional(),
  latency: z.union([milliseconds, z.tuple([milliseconds, milliseconds])]).default(0),
  seed: z.number().int().default(1),
});

export type Script = z.output<typeof scriptSchema>;
export type ScriptedReply = z.output<typeof reply>;
export type ScriptedAnswer = z.output<typeof answer>;
