import { compareRuns, createScorer, regressions } from "../src/exam/score/index.ts";
import { type Random, seeded } from "../src/exam/score/statistics/distributions.ts";
import { type Design, power } from "../src/exam/score/statistics/power.ts";
import type { HeaderLine, QuestionLine, Scores, TrialLine } from "../src/model/index.ts";
import { drawRate } from "./numbers-distributions.ts";

/** A library and how its two runs are made. */
interface Scene {
  skills: number;
  /** Questions of each skill. */
  questions: number;
  runs: number;
  rate: number;
  spread: number;
  /** How much the rate of every question falls. */
  drop: number;
}

const target = "claude:haiku";

/** How often `compare` calls a regression, from records to verdict, and how that agrees with the power it prints. */
export function simulate(rounds: number): string {
  const lines: string[] = [`share of ${rounds} pairs of runs in which a regression is called`];
  const row = (what: string, scene: Scene, limit: string) => {
    const { any, whole } = shares(scene, rounds);
    lines.push(`  ${what.padEnd(62)} whole ${whole.toFixed(3)}  whole or any skill ${any.toFixed(3)}  ${limit}`);
    return { any, whole };
  };
  row(
    "equal skill, 40 questions × 5 runs, rate 0.85",
    { skills: 1, questions: 40, runs: 5, rate: 0.85, spread: 0, drop: 0 },
    "(at most 0.05)",
  );
  row(
    "equal skill, 40 × 5, questions differ",
    { skills: 1, questions: 40, runs: 5, rate: 0.85, spread: 0.3, drop: 0 },
    "(at most 0.05)",
  );
  row(
    "equal skill, a library of 20 skills × 8 questions × 3 runs",
    { skills: 20, questions: 8, runs: 3, rate: 0.9, spread: 0.2, drop: 0 },
    "(at most 0.05)",
  );
  row(
    "a drop of 30 points, 40 questions × 5 runs",
    { skills: 1, questions: 40, runs: 5, rate: 0.85, spread: 0.2, drop: 0.3 },
    "(at least 0.90)",
  );
  lines.push("power as printed, and as simulated through compare (within 0.03)");
  const scenes: Scene[] = [
    { skills: 1, questions: 12, runs: 3, rate: 0.85, spread: 0, drop: 0.3 },
    { skills: 1, questions: 40, runs: 5, rate: 0.85, spread: 0, drop: 0.1 },
    { skills: 1, questions: 40, runs: 5, rate: 0.9, spread: 0.3, drop: 0.1 },
    { skills: 1, questions: 40, runs: 1, rate: 0.8, spread: 0, drop: 0.2 },
    { skills: 1, questions: 100, runs: 3, rate: 0.85, spread: 0.3, drop: 0.06 },
    { skills: 1, questions: 200, runs: 2, rate: 0.9, spread: 0.5, drop: 0.05 },
  ];
  for (const scene of scenes) {
    const { questions, runs, rate, spread, drop } = scene;
    const design: Design = {
      asks: Array.from({ length: questions }, () => 1),
      runs: { before: runs, now: runs },
      rate,
      spread,
    };
    const [printed, seen] = [power(design, drop), shares(scene, rounds * 4).whole];
    const what = `${questions} questions × ${runs} runs, ${rate} − ${drop}, spread ${spread}`;
    lines.push(
      `  ${what.padEnd(62)} printed ${printed.toFixed(3)}  simulated ${seen.toFixed(3)}  apart ${Math.abs(printed - seen).toFixed(3)}`,
    );
  }
  return lines.join("\n");
}

export function shares(scene: Scene, rounds: number): { any: number; whole: number } {
  const random = seeded(JSON.stringify(scene));
  let any = 0;
  let whole = 0;
  for (let round = 0; round < rounds; round++) {
    const rates = Array.from({ length: scene.skills * scene.questions }, () =>
      drawRate(scene.rate, scene.spread, random),
    );
    const before = scored(scene, rates, random, "2026-11-15");
    const now = scored(
      scene,
      rates.map((rate) => rate * (1 - scene.drop / scene.rate)),
      random,
      "2026-11-16",
    );
    const found = regressions(compareRuns(before, now, target)!);
    any += Number(found.length > 0);
    whole += Number(found.some(({ skill }) => skill === undefined));
  }
  return { any: any / rounds, whole: whole / rounds };
}

function scored({ skills, questions, runs }: Scene, rates: readonly number[], random: Random, day: string): Scores {
  const scorer = createScorer();
  scorer.add(headerOf(skills, day));
  const lines = rates.map((_, index) => questionOf(index, `skill-${Math.floor(index / questions)}`, runs));
  for (const line of lines) scorer.add(line);
  for (const [index, line] of lines.entries())
    for (let run = 1; run <= runs; run++) scorer.add(trialOf(line, run, random() < rates[index]!, day));
  return scorer.finish();
}

function headerOf(skills: number, day: string): HeaderLine {
  const identity = { options: {}, deterministic: false };
  return {
    type: "header",
    version: 2,
    run: day,
    proctor: "0.0.0",
    node: "",
    platform: "",
    startedAt: `${day}T10:00:00.000Z`,
    library: {
      name: "simulated",
      root: "/",
      fingerprint: day,
      skills: Array.from({ length: skills }, (_, index) => ({
        id: `skill-${index}`,
        fingerprint: day,
        modelInvocable: true,
      })),
    },
    suite: { fingerprint: "suite", files: [] },
    targets: [{ id: target, kind: "agent", predicted: false, identity, fingerprint: "same" }],
    options: { earlyStop: false },
    optionsFingerprint: "same",
  };
}

function questionOf(index: number, skill: string, runs: number): QuestionLine {
  return {
    type: "question",
    id: `q${index}`,
    kind: "trigger",
    skill,
    positive: true,
    ask: `ask ${index}`,
    prompt: `prompt ${index}`,
    expect: { required_skills: [skill], forbidden_skills: [], also_fine: [], mode: "any_order", allow_extra: true },
    source: { file: "triggers.yaml" },
    tags: [],
    runs: { [target]: runs },
    skipped: {},
  };
}

function trialOf({ ask, id, skill = "" }: QuestionLine, run: number, right: boolean, day: string): TrialLine {
  return {
    type: "trial",
    target,
    ask,
    run,
    startedAt: `${day}T10:00:00.000Z`,
    ms: 1,
    how: "completed",
    turns: 1,
    activations: right ? [{ skill, turn: 1, evidence: "loaded" }] : [],
    checks: [{ question: id, passed: right, score: Number(right), message: "" }],
    attempts: [],
  };
}
