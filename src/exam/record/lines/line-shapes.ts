import { MOST_RUNS, MOST_SHARDS } from "../../../base/options/index.ts";
import { ERROR_REASONS, EVIDENCE, UNSURE_OF_ALL } from "../../../model/index.ts";
import {
  amount,
  anything,
  count,
  countTo,
  isObject,
  list,
  memberName,
  moment,
  number,
  object,
  oneOf,
  optional,
  orNull,
  positive,
  type Shape,
  table,
  text,
  yesOrNo,
} from "./shape.ts";

const shard = countTo(MOST_SHARDS, 1);
const usage = object({
  inputTokens: optional(amount),
  outputTokens: optional(amount),
  cacheReadTokens: optional(amount),
  cacheWriteTokens: optional(amount),
});
const error = object({
  reason: oneOf(ERROR_REASONS),
  message: text,
  retryable: yesOrNo,
  retryAfterMs: optional(amount),
});
const activations = list(object({ skill: text, turn: count, evidence: oneOf(EVIDENCE), agent: optional(text) }));
const listing = list(object({ skill: text, shown: oneOf(["whole", "cut", "bare", "absent"]) }));
const verdict = oneOf(["fires", "uncertain", "silent"]);
const prediction = object({
  ranking: list(
    object({
      skill: text,
      score: number,
      probability: number,
      verdict,
      words: list(text),
      excluded: optional(yesOrNo),
    }),
  ),
  needs: number,
  silentBelow: optional(number),
  uncertain: optional(list(text)),
  unsure: optional(oneOf(UNSURE_OF_ALL)),
});
const resources = object({ peakMemoryBytes: amount, cpuMs: amount });
const how = oneOf(["completed", "max_turns", "stopped", "error"]);
const segment = object({ segment: text, offset: count, length: count, sum: optional(text) });
const source = object({ file: text, line: optional(amount), column: optional(amount) });
const identity = object({
  host: optional(text),
  version: optional(text),
  provider: optional(text),
  model: optional(text),
  endpoint: optional(text),
  options: table(anything),
  deterministic: yesOrNo,
});

export const headerShape = object({
  run: text,
  proctor: text,
  node: text,
  platform: text,
  startedAt: moment,
  createdAt: optional(moment),
  library: object({
    name: text,
    root: text,
    fingerprint: text,
    skills: list(
      object({ id: text, fingerprint: text, modelInvocable: optional(yesOrNo), description: optional(text) }),
    ),
  }),
  suite: object({ fingerprint: text, files: list(text) }),
  targets: list(
    object({ id: memberName, kind: text, predicted: yesOrNo, note: optional(text), identity, fingerprint: text }),
  ),
  options: table(anything),
  optionsFingerprint: text,
  git: optional(object({ commit: text, dirty: optional(yesOrNo) })),
  partial: optional(list(text)),
  shard: optional(object({ index: shard, count: shard })),
  missingShards: optional(list(shard)),
});

export const questionShape = object({
  id: text,
  kind: oneOf(["trigger", "case"]),
  skill: optional(text),
  positive: yesOrNo,
  ask: text,
  asks: optional(table(text)),
  prompt: text,
  name: optional(text),
  expect: optional(
    object({
      required_skills: list(text),
      forbidden_skills: list(text),
      also_fine: list(text),
      mode: text,
      allow_extra: yesOrNo,
    }),
  ),
  source,
  tags: list(text),
  runs: table(countTo(MOST_RUNS)),
  skipped: table(text),
  invalid: optional(text),
  draft: optional(yesOrNo),
  baseline: optional(object({ of: text, label: text })),
  cross: optional(yesOrNo),
});

const parts = list(object({ grader: text, passed: orNull(yesOrNo), message: text, evidence: optional(text) }));

const trialMembers = object({
  target: text,
  ask: text,
  run: countTo(MOST_RUNS, 1),
  startedAt: moment,
  ms: amount,
  how,
  turns: count,
  activations,
  reason: optional(text),
  askedBack: optional(yesOrNo),
  error: optional(error),
  checks: list(
    object({
      question: text,
      passed: orNull(yesOrNo),
      score: orNull(number),
      message: text,
      compared: optional(orNull(yesOrNo)),
      parts: optional(parts),
    }),
  ),
  attempts: list(
    object({
      ms: amount,
      error: optional(error),
      usage: optional(usage),
      costUsd: optional(amount),
      worker: optional(text),
    }),
  ),
  usage: optional(usage),
  judged: optional(object({ asked: positive, usage })),
  costUsd: optional(amount),
  costEstimated: optional(yesOrNo),
  resources: optional(resources),
  listing: optional(listing),
  prediction: optional(prediction),
  cached: optional(object({ measuredAt: moment, savedMs: amount, savedUsd: optional(amount) })),
  askedBecause: optional(text),
  transcript: optional(segment),
  raw: optional(segment),
  leftOut: optional(text),
});

export const trialShape: Shape = (value) =>
  trialMembers(value) ?? (endsAsItSays(value) ? undefined : ".error and its end disagree");

export const footerShape = object({
  endedAt: moment,
  how: oneOf(["complete", "interrupted", "stopped"]),
  notAsked: table(count),
  saved: object({ trials: count, usd: optional(amount) }),
  changed: optional(list(text)),
});

const workspace = object({
  files: list(
    object({
      path: text,
      change: oneOf(["added", "changed", "removed", "same"]),
      kind: oneOf(["file", "folder", "link", "special"]),
      text: optional(text),
      base64: optional(text),
      before: optional(text),
    }),
  ),
  cut: optional(text),
});

const outcome: Shape = (value) =>
  isObject(value) && value["status"] === "activations"
    ? object({ activations })(value)
    : object({ status: oneOf(["error"]), error })(value);

export const transcriptShape = object({
  outcome,
  activations,
  calls: list(
    object({
      turn: count,
      id: text,
      tool: text,
      agent: optional(text),
      ok: optional(yesOrNo),
      result: optional(text),
      ms: optional(amount),
      tookMs: optional(amount),
    }),
  ),
  texts: list(object({ turn: count, text, agent: optional(text), ms: optional(amount) })),
  finalText: text,
  turns: count,
  how,
  prediction: optional(prediction),
  listing: optional(listing),
  usage: optional(usage),
  costUsd: optional(amount),
  costEstimated: optional(yesOrNo),
  model: optional(text),
  resources: optional(resources),
  workspace: optional(workspace),
});

function endsAsItSays(value: unknown): boolean {
  return isObject(value) && (value["how"] === "error") === isObject(value["error"]);
}
