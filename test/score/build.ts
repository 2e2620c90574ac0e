import { createScorer } from "../../src/exam/score/index.ts";
import type {
  Activation,
  ErrorReason,
  FooterLine,
  HeaderLine,
  QuestionLine,
  RecordLine,
  ScoreOptions,
  Scores,
  TrialLine,
} from "../../src/model/index.ts";

type Target = HeaderLine["targets"][number];

export function target(id: string, more: Partial<Target> & { deterministic?: boolean } = {}): Target {
  const { deterministic = false, ...rest } = more;
  return {
    id,
    kind: id.split(":")[0]!,
    predicted: false,
    identity: { options: {}, deterministic },
    fingerprint: `fp ${id}`,
    ...rest,
  };
}

export const embedded = target("embedded", { predicted: true, deterministic: true });
export const claude = target("claude:haiku");

export function header(more: Partial<HeaderLine> & { skills?: string[] } = {}): HeaderLine {
  const { skills = [], ...rest } = more;
  return {
    type: "header",
    version: 1,
    run: "2026-11-15-a",
    proctor: "0.1.0",
    node: "v20.19.0",
    platform: "linux",
    startedAt: "2026-11-15T10:00:00.000Z",
    library: {
      name: "shop",
      root: "examples/shop",
      fingerprint: "4f2a91c0ffee",
      skills: skills.map((id) => ({ id, fingerprint: id, modelInvocable: true })),
    },
    suite: { fingerprint: "5u17e", files: ["triggers.yaml"] },
    targets: [claude],
    options: {},
    optionsFingerprint: "0",
    ...rest,
  };
}

interface TriggerParts extends Partial<Omit<QuestionLine, "expect" | "runs">> {
  required?: string[];
  forbidden?: string[];
  alsoFine?: string[];
  allowExtra?: boolean;
  mode?: string;
  runs?: number | Record<string, number>;
}

let lines = 0;

/** A trigger; positive when it requires something. Every target gets the given number of runs. */
export function trigger(
  id: string,
  parts: TriggerParts = {},
  targets: string[] = [claude.id, embedded.id],
): QuestionLine {
  const {
    required = [],
    forbidden = [],
    alsoFine = [],
    allowExtra = true,
    mode = "any_order",
    runs = 1,
    ...rest
  } = parts;
  return {
    type: "question",
    id: `triggers.yaml#${id}`,
    kind: "trigger",
    positive: required.length > 0,
    ask: `ask ${id}`,
    prompt: `query ${id}`,
    expect: {
      required_skills: required,
      forbidden_skills: forbidden,
      also_fine: alsoFine,
      mode,
      allow_extra: allowExtra,
    },
    source: { file: "triggers.yaml", line: ++lines },
    tags: [],
    runs: typeof runs === "number" ? Object.fromEntries(targets.map((name) => [name, runs])) : runs,
    skipped: {},
    ...rest,
  };
}

export function positive(id: string, skill: string, parts: TriggerParts = {}): QuestionLine {
  return trigger(id, { skill, required: [skill], ...parts });
}

export function negative(id: string, skill: string, parts: TriggerParts = {}): QuestionLine {
  return trigger(id, { skill, forbidden: [skill], ...parts });
}

export function caseQuestion(id: string, skill: string, more: Partial<QuestionLine> = {}): QuestionLine {
  const { expect: _, ...line } = trigger(id, { skill });
  return { ...line, kind: "case", positive: true, ...more };
}

/** `"a"`: fired on turn 1. */
export function fired(...skills: (string | Activation)[]): Activation[] {
  return skills.map((skill) => (typeof skill === "string" ? { skill, turn: 1, evidence: "loaded" } : skill));
}

/** A measured trial of one or more questions that share an ask, checked as the trial's activations say. */
export function trial(
  questions: QuestionLine | QuestionLine[],
  run: number,
  activations: Activation[],
  more: Partial<TrialLine> = {},
): TrialLine {
  const shared = Array.isArray(questions) ? questions : [questions];
  return {
    type: "trial",
    target: claude.id,
    ask: shared[0]!.ask,
    run,
    startedAt: "2026-11-15T10:00:00.000Z",
    ms: 1000,
    how: "completed",
    turns: 1,
    activations,
    checks: shared.map((question) => {
      const passed = passes(question, activations);
      return { question: question.id, passed, score: Number(passed), message: passed ? "" : "the check failed" };
    }),
    attempts: [{ ms: 1000 }],
    ...more,
  };
}

export function failedTrial(
  question: QuestionLine,
  run: number,
  reason: ErrorReason = "rate_limit",
  more: Partial<TrialLine> = {},
): TrialLine {
  return trial(question, run, [], {
    how: "error",
    checks: [],
    error: { reason, message: `the ${reason} message`, retryable: false },
    ...more,
  });
}

export const footer: FooterLine = {
  type: "footer",
  endedAt: "2026-11-15T10:00:00.400Z",
  how: "complete",
  notAsked: {},
  saved: { trials: 0 },
};

export function score(recordLines: RecordLine[], options: ScoreOptions = {}): Scores {
  const scorer = createScorer(options);
  for (const line of recordLines) scorer.add(line);
  return scorer.finish();
}

function passes({ expect }: QuestionLine, activations: Activation[]): boolean {
  // Of a case; whoever builds its trial says how it came out.
  if (expect === undefined) return true;
  const counted = activations
    .filter(({ evidence }) => evidence !== "refused" && evidence !== "mentioned")
    .map(({ skill }) => skill);
  const { required_skills: required, forbidden_skills: forbidden, also_fine: fine, allow_extra } = expect;
  const found = required.every((skill) => counted.includes(skill)) || fine.some((skill) => counted.includes(skill));
  const extra = counted.some((skill) => !required.includes(skill) && !fine.includes(skill));
  return (
    (required.length === 0 || found) && !forbidden.some((skill) => counted.includes(skill)) && (allow_extra || !extra)
  );
}
