import { z } from "zod";

const share = z.number().min(0).max(1);
const count = z.int().min(1);

const targetSettings = z.strictObject({
  target: z.string().min(1).describe("As on the command line: embedded, claude:haiku, script:answers.yaml …"),
  endpoint: z.string().optional().describe("Another address than the provider's own: a gateway, a local server."),
  env: z.record(z.string(), z.string()).optional().describe("Variables for this target alone."),
  options: z.record(z.string(), z.unknown()).optional().describe("Options of this kind of target; they are part of its identity."),
  concurrency: count.optional().describe("At most so many of its trials at once."),
  timeout_seconds: z.number().positive().optional().describe("Time limit of one of its trials."),
  cost_usd: z.number().min(0).optional().describe("What one trial is expected to cost, where Proctor cannot know."),
});

/** What proctor.config.* may say. Keys are the long flags of the command line, with underscores. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  libraries: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe("Splits what is found from the root into libraries: a name and the folders that belong to it, relative to this file."),
  targets: z
    .array(z.union([z.string().min(1), targetSettings]))
    .optional()
    .describe("Who answers when no -t is given, and settings per target."),
  runs: z
    .union([count, z.strictObject({ triggers: count.optional(), cases: count.optional() })])
    .optional()
    .describe("How often each question is asked (triggers 3, cases 1)."),
  jobs: count.optional().describe("Trials at once, over all targets."),
  threshold: share.optional().describe("A positive passes at this hit rate (0.5)."),
  negative_threshold: share.optional().describe("A negative passes below this hit rate (0.5)."),
  gates: z.array(z.string()).optional().describe("Like --gate: 'recall>=0.8', 'lower(precision)>=0.7', 'skill:NAME score>=0.75'."),
  min_coverage: share.optional().describe("Share of the questions that must get a verdict (1)."),
  allow_predicted: z.boolean().optional().describe("Let targets that only predict decide the exit code."),
  rules: z
    .record(z.string(), z.enum(["off", "info", "warning", "error"]))
    .optional()
    .describe("Levels of proctor check's rules, by code."),
  max_warnings: z.int().min(0).optional().describe("More warnings than this fail proctor check."),
  hosts: z.array(z.string()).optional().describe("The hosts whose rules proctor check applies."),
  budget: z
    .union([
      z.number().min(0),
      z.strictObject({ usd: z.number().min(0).optional(), tokens: z.number().min(0).optional(), trials: z.int().min(0).optional() }),
    ])
    .optional()
    .describe("Dollars, or dollars, tokens and trials, that a run may not pass."),
  cache: z.boolean().optional().describe("Reuse answers to unchanged asks (true)."),
  early_stop: z.boolean().optional().describe("Stop asking when the remaining runs cannot change a verdict (true)."),
  evidence: z
    .enum(["any", "loaded"])
    .optional()
    .describe("What counts as an activation: every counted evidence, or only loads the host confirmed."),
  timeout_seconds: z.number().positive().optional().describe("Time limit of a trial (120)."),
  max_turns: count.optional().describe("Turn limit of a trial."),
  retries: z.int().min(0).optional().describe("How often a trial is tried again after an error that can pass (3)."),
  judge: z.string().optional().describe("The model that judges free text, whatever a suite names."),
  providers: z
    .record(z.string(), z.strictObject({ baseUrl: z.string().optional(), apiKey: z.string().optional() }))
    .optional()
    .describe("Model providers: where they are, and any further one that speaks OpenAI's chat completions."),
  prices: z
    .record(
      z.string(),
      z.strictObject({ input: z.number(), output: z.number(), cacheRead: z.number().optional(), cacheWrite: z.number().optional() }),
    )
    .optional()
    .describe("Dollars per million tokens by provider/model, where Proctor's table has none or an old one."),
  reporters: z.array(z.string()).optional().describe("Like --reporter: terminal, json=FILE."),
});

export type Config = z.infer<typeof configSchema>;
export type TargetSettings = z.infer<typeof targetSettings>;

/** Types a configuration written in TypeScript or JavaScript; it changes nothing. */
export function defineConfig(config: Config): Config {
  return config;
}
