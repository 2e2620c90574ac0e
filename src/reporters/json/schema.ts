import { z } from "zod";

/** Raised if a reader of the previous version would misread a report, but not for new keys alone. */
export const REPORT_VERSION = 1;

const count = z.int().min(0);
const value = z.number().nullable();

const rate = z
  .strictObject({
    value: value.describe("The estimate; null where nothing was measured"),
    n: count.describe("Number of questions it is based on"),
    prompts: count.describe(
      "Number of different prompts they are on; the interval counts questions on one prompt as dependent",
    ),
    low: value.describe("Lower end of the 95 % interval; null where there is none"),
    high: value,
  })
  .meta({ id: "rate" });

const interval = z
  .strictObject({ low: z.number(), high: z.number() })
  .describe("The 95 % interval, clustered by prompt");

const agreed = {
  n: count.describe("Questions on which both have a verdict"),
  prompts: count,
  agreed: count,
  low: value.describe("Lower end of the 95 % interval of the share that agrees; null without questions"),
  high: value,
};

const hardness = {
  negatives: count,
  expectSibling: count.describe("Negatives that name the sibling that should win"),
  belongToSibling: count.describe("Negatives whose prompt is a positive of a sibling"),
  hard: count.describe("Either"),
};

const rates = {
  score: rate.describe("Share of questions passed"),
  triggers: rate.describe("Share of triggers passed"),
  cases: rate.describe("Share of cases passed"),
  recall: rate.describe("Mean of the positives' hit rates"),
  fpr: rate.describe("Mean of the negatives' hit rates"),
  precision: rate.describe("At the suite's own ratio of positives to negatives"),
  f1: rate,
  firstMove: z.strictObject({ recall: rate, fpr: rate }).describe("As if only the first move counted"),
  flaky: count,
  coverage: z.strictObject({
    planned: count,
    verdicts: count,
    skipped: count,
    missing: z.strictObject({ invalid: count, notAsked: count, errors: count, undecided: count, unsure: count }),
  }),
};

const cause = z.enum([
  "not_shown",
  "sibling",
  "unused",
  "refused",
  "asked_back",
  "not_as_expected",
  "error",
  "misfire",
  "check",
]);

const unsureReason = z.enum(["language", "words", "alone", "near", "weak", "excluded", "locked"]);

const question = z.strictObject({
  id: z.string(),
  kind: z.enum(["trigger", "case"]),
  skill: z.string().optional(),
  role: z.enum(["positive", "negative"]).describe("Should the question's own skill fire?"),
  positive: z.boolean().describe("Does it require any skill?"),
  ask: z.string().describe("Questions with the same share their trials"),
  prompt: z.string(),
  name: z.string().optional().describe("What its author calls a case"),
  draft: z.literal(true).optional().describe("A tool wrote it, and nobody has reviewed it: passing it proves nothing"),
  neverLoaded: z.literal(true).optional().describe("Of a case on an agent: its skill was loaded in none of its trials"),
  unchecked: z
    .array(z.string())
    .optional()
    .describe("Of a case that passes: graders that could be applied to none of its trials, and why not"),
  judged: z.literal(true).optional().describe("A model had a say in its verdict"),
  checks: z.string().optional().describe("A fingerprint of what is checked"),
  measuredAt: z
    .strictObject({ first: z.string(), last: z.string() })
    .optional()
    .describe("When its trials were measured, in this run or, from the cache, before"),
  source: z.strictObject({ file: z.string(), line: count.optional(), column: count.optional() }),
  tags: z.array(z.string()),
  cross: z.boolean(),
  status: z.enum(["asked", "not asked", "skipped", "invalid"]),
  reason: z.string().optional(),
  verdict: z
    .enum(["pass", "fail", "inconclusive", "unsure"])
    .describe("unsure: the target predicts and says that it cannot tell; no failure, and in no rate"),
  flaky: z.boolean(),
  hits: count,
  measured: count,
  planned: count,
  trials: count,
  errors: count,
  rate,
  unbiased: z.strictObject({ hits: count, n: count, misfires: count }),
  won: z.array(z.strictObject({ skill: z.string(), trials: count })),
  causes: z.partialRecord(cause, count),
  cause: cause.optional(),
  certainty: z.number().optional().describe("Of a failure, 0 to 1: how surely it fails"),
  fired: z
    .array(z.strictObject({ skill: z.string(), trials: count, turn: count, evidence: z.string() }))
    .describe(
      "What fired: of a question that passed in all its trials, otherwise what was at fault in those that went wrong",
    ),
  beside: z
    .array(z.string())
    .optional()
    .describe(
      "Of a positive that passes: what fired as well in at least half of its trials, of which the suite says nothing",
    ),
  expected: z.array(z.string()),
  unsure: unsureReason.optional().describe("Why the target could not tell"),
  why: z.string().optional(),
});

const trialMeans = {
  usd: value.describe("Of a trial, on average; null where no cost is known"),
  ms: value.describe("Of a trial, on average"),
  loaded: count.describe("Trials in which the skill was loaded"),
  trials: count,
};

const armOfCase = z.strictObject({ passed: count, runs: count, rate: value, ...trialMeans });

const armOfAll = z.strictObject({ rate: value.describe("The mean of the cases' rates"), ...trialMeans });

const difference = {
  difference: value.describe(
    "With the skill less without it; null where fewer than half of the runs were measured on a side",
  ),
  low: value.describe("Lower end of its 95 % interval; null where there is none"),
  high: value,
};

const lift = z.strictObject({
  label: z.string().describe("What the skill was compared with"),
  n: count.describe("Cases that were compared; the difference is their mean"),
  prompts: count.describe(
    "Prompts that these cases are on; the interval is over prompts, or over runs where there is one prompt",
  ),
  ...difference,
  with: armOfAll,
  without: armOfAll,
  cases: z.array(
    z.strictObject({
      question: z.string(),
      name: z.string().optional(),
      skill: z.string().optional(),
      with: armOfCase,
      without: armOfCase,
      ...difference,
      mark: z
        .enum(["helps", "harms", "passes both ways", "fails both ways", "not compared"])
        .describe("A case that passes both ways measures nothing"),
    }),
  ),
});

const target = z.strictObject({
  id: z.string(),
  kind: z.string(),
  predicted: z.boolean().describe("It predicts and runs no agent"),
  deterministic: z.boolean(),
  note: z.string().optional(),
  identity: z.record(z.string(), z.unknown()),
  total: z.strictObject(rates),
  macro: z
    .strictObject({ score: value, recall: value, fpr: value, precision: value, f1: value, skills: count })
    .describe("Plain means over skills"),
  skills: z.array(
    z.strictObject({
      skill: z.string(),
      ...rates,
      negatives: z.strictObject({ ...hardness, nearestSibling: z.string().optional() }),
      takesFrom: z.array(z.strictObject({ skill: z.string(), prompts: count, trials: count })),
    }),
  ),
  questions: z.array(question),
  confusion: z.strictObject({
    cells: z
      .array(z.strictObject({ expected: z.string(), fired: z.string(), trials: count, wrong: count }))
      .describe(
        "Expected × first activation, every trial once; (none), (error), (not said) and (cannot tell) are not skills",
      ),
    later: z.array(z.strictObject({ expected: z.string(), fired: z.string(), trials: count })),
  }),
  steals: z.array(z.strictObject({ thief: z.string(), victim: z.string(), prompts: count, trials: count })),
  causes: z.strictObject({
    misses: z.array(z.strictObject({ cause, trials: count, questions: count })),
    misfires: z.array(z.strictObject({ skill: z.string(), trials: count, questions: count })),
  }),
  unsure: z
    .array(z.strictObject({ reason: unsureReason, questions: count }))
    .describe("Questions that a predicting target could not tell, by reason"),
  attempts: z
    .array(
      z.strictObject({
        k: count,
        n: count,
        prompts: count,
        passAt: z.number(),
        passAtInterval: interval,
        passAll: z.number(),
        passAllInterval: interval,
      }),
    )
    .describe("pass@k and pass^k, over the questions with at least k runs"),
  lift: lift.optional().describe("With --baseline: what the skill adds to its cases"),
  trials: z.strictObject({
    total: count,
    measured: count,
    errors: z.record(
      z.string(),
      z.strictObject({ trials: count, message: z.string(), raw: z.literal(true).optional() }),
    ),
    retries: count,
    cached: count,
    oldestCached: z.string().optional(),
    savedMs: z.number(),
    savedUsd: z.number(),
    cost: z.strictObject({ usd: z.number(), known: count, unknown: count, estimated: count }),
    perTrial: z.strictObject({ ms: value, usd: value, cpuMs: value }),
    peakMemoryBytes: value.describe("Of the trial that needed the most"),
    tokens: z.strictObject({ input: count, output: count }),
    askedBecause: z.array(z.strictObject({ reason: z.string(), trials: count })),
  }),
});

export const reportSchema = z.strictObject({
  version: z.literal(REPORT_VERSION),
  exitCode: z.int().describe("The exit code of proctor run for these scores"),
  notes: z
    .strictObject({
      all: z.array(
        z.strictObject({
          question: z.string(),
          target: z.string().optional(),
          verdict: z.enum(["right", "wrong"]).optional(),
          text: z.string(),
          at: z.string(),
        }),
      ),
      agreement: z
        .strictObject({ n: count, prompts: count, right: count, low: z.number(), high: z.number() })
        .nullable(),
    })
    .optional()
    .describe(
      "What people think of the verdicts, and how often they agree with the judge, over the questions it had a say in",
    ),
  run: z.strictObject({
    id: z.string(),
    proctor: z.string(),
    startedAt: z.string(),
    endedAt: z.string().optional(),
    how: z.enum(["complete", "interrupted", "stopped", "unfinished"]),
    goesOn: z.literal(true).optional().describe("It has no end yet because a process is writing it"),
    damage: z
      .array(z.string())
      .optional()
      .describe("Lines of the record that are damaged or missing; the scores are those of the rest"),
    library: z.strictObject({ name: z.string(), root: z.string(), fingerprint: z.string(), skills: count }),
    suite: z.strictObject({ fingerprint: z.string(), files: z.array(z.string()) }),
    git: z.strictObject({ commit: z.string(), dirty: z.boolean().optional() }).optional(),
    partial: z
      .array(z.string())
      .optional()
      .describe("The filters of a run that did not ask everything; such a run is never used as a base"),
    paths: z
      .array(z.string())
      .optional()
      .describe("The paths that chose the questions, relative to the library's root"),
    said: z.array(z.string()).describe("The flags that a command must repeat to ask the same"),
    ownTargets: z.literal(true).optional().describe("Each suite was put to the targets it names itself"),
    shard: z.strictObject({ index: count, count }).optional(),
    missingShards: z.array(count).optional().describe("In a merged run: the shards that were missing"),
    limits: z
      .strictObject({ usd: z.number().optional(), tokens: z.number().optional(), trials: z.number().optional() })
      .describe("Its limits"),
    notAsked: z.record(z.string(), count),
    saved: z.strictObject({ trials: count, usd: z.number().optional() }),
    changed: z
      .array(z.string())
      .optional()
      .describe("Skills and files that were edited while it ran; its trials saw them as they were before"),
  }),
  options: z.strictObject({
    threshold: z.number(),
    negativeThreshold: z.number(),
    evidence: z.string(),
    earlyStop: z.boolean(),
    confidence: value,
    gates: z.array(z.string()),
    minCoverage: z.number(),
    allowPredicted: z.boolean(),
  }),
  plan: z.strictObject({
    questions: count,
    prompts: count.describe("Different prompts that they are on"),
    positive: count,
    negative: count,
    cases: count,
    invalid: count,
    skipped: count.describe("Not asked of any target, with the reason at the question"),
    drafts: count.describe("Drafted by a tool and not edited since"),
    skillsWithoutQuestions: z.array(z.string()),
    negatives: z.strictObject(hardness),
  }),
  gates: z.array(
    z.strictObject({
      gate: z.string(),
      target: z.string(),
      predicted: z.boolean(),
      status: z.enum(["met", "breached", "unmeasured"]),
      value,
      n: count,
      message: z.string(),
    }),
  ),
  agreements: z
    .array(
      z.strictObject({
        first: z.string(),
        second: z.string(),
        ...agreed,
        kappa: value.describe("Cohen's kappa: agreement beyond chance"),
        positives: z.strictObject(agreed),
        negatives: z.strictObject(agreed),
        secondFails: z
          .strictObject({ givenFail: rate, givenPass: rate, givenUnsure: rate })
          .describe("How often the second fails what the first fails, passes, or cannot tell"),
      }),
    )
    .describe("Every two targets of the run, both ways"),
  targets: z.array(target),
});

export type JsonReport = z.infer<typeof reportSchema>;
