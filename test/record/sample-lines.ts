import type { HeaderStart } from "../../src/exam/record/index.ts";
import type { FooterLine, QuestionLine, Transcript, TrialLine } from "../../src/model/index.ts";

export const header: HeaderStart = {
  proctor: "0.1.0",
  node: "v20.20.2",
  platform: "linux",
  startedAt: "2026-11-15T12:00:00.000Z",
  library: {
    name: "shop",
    root: "/shop",
    fingerprint: "f1",
    skills: [{ id: "a", fingerprint: "f2", modelInvocable: true }],
  },
  suite: { fingerprint: "f3", files: ["triggers.yaml"] },
  targets: [
    {
      id: "script:a.yaml",
      kind: "script",
      predicted: false,
      identity: { options: {}, deterministic: false },
      fingerprint: "f4",
    },
  ],
  options: {},
  optionsFingerprint: "f5",
};

export const question: QuestionLine = {
  type: "question",
  id: "triggers.yaml#1",
  kind: "trigger",
  positive: true,
  ask: "k1",
  prompt: "Where is my parcel?",
  source: { file: "triggers.yaml", line: 3 },
  tags: [],
  runs: { "script:a.yaml": 3 },
  skipped: {},
};

export function trial(run: number, more: Partial<TrialLine> = {}): TrialLine {
  return {
    type: "trial",
    target: "script:a.yaml",
    ask: "k1",
    run,
    startedAt: "2026-11-15T12:00:01.000Z",
    ms: 12,
    how: "completed",
    turns: 1,
    activations: [{ skill: "a", turn: 1, evidence: "loaded" }],
    checks: [{ question: "triggers.yaml#1", passed: true, score: 1, message: "a fired" }],
    attempts: [{ ms: 12 }],
    ...more,
  };
}

export const footer: FooterLine = {
  type: "footer",
  endedAt: "2026-11-15T12:01:00.000Z",
  how: "complete",
  notAsked: {},
  saved: { trials: 0 },
};

export function transcript(text = "", skills: string[] = ["a"]): Transcript {
  const activations = skills.map((skill) => ({ skill, turn: 1, evidence: "loaded" as const }));
  return {
    outcome: { status: "activations", activations },
    activations,
    calls: [],
    texts: [{ turn: 1, text }],
    finalText: text,
    turns: 1,
    how: "completed",
  };
}
