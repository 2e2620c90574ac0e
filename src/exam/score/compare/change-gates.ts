import { count, didYouMean, UsageError } from "../../../base/index.ts";
import type { GateResult, QuestionScore, Scores } from "../../../model/index.ts";
import { apart } from "../gates.ts";
import { compareTargets } from "./compare.ts";
import type { Comparison, PairedRate } from "./comparison.ts";
import { regressions } from "./regressions.ts";

const rates = ["recall", "fpr", "score"] as const;

/**
 * A limit on what changed between two runs: `no-regression`, `recall drop<=0.05`, `lower(recall drop)<=0.05`, `fpr
 * rise<=0.1`, `new-thefts<=0`, optionally for one skill or target.
 */
export interface ChangeGate {
  text: string;
  skill?: string;
  target?: string;
  what:
    | { type: "no-regression" }
    | { type: "new-thefts"; limit: number }
    | {
        type: "rate";
        rate: (typeof rates)[number];
        way: "drop" | "rise";
        bound: "estimate" | "lower" | "upper";
        limit: number;
      };
}

export interface ChangeGateResult extends Omit<GateResult, "gate"> {
  gate: ChangeGate;
}

const shape =
  /^(?:(lower|upper)\(\s*([a-z0-9_]+)\s+(drop|rise)\s*\)|([a-z0-9_]+)\s+(drop|rise))\s*<=\s*([0-9]*\.?[0-9]+)\s*(%?)$/i;
const MOST_NAMED = 3;
const HINT =
  "On change: no-regression, 'recall drop<=0.05', 'lower(recall drop)<=0.05', 'fpr rise<=0.1', 'new-thefts<=0'.";

/** Undefined if the text is about a rate itself, not about its change. */
export function parseChangeGate(text: string): ChangeGate | undefined {
  const { scope, rest } = scoped(text);
  const gate = (what: ChangeGate["what"]): ChangeGate => ({ text: text.trim(), ...scope, what });
  if (/^no-regressions?$/i.test(rest)) return gate({ type: "no-regression" });
  const thefts = /^new-thefts\s*<=\s*([0-9]+)$/i.exec(rest);
  if (thefts !== null) return gate({ type: "new-thefts", limit: Number(thefts[1]) });
  const match = shape.exec(rest);
  if (match === null) {
    if (/\b(?:drop|rise|thefts?)\b|regres/i.test(rest))
      throw new UsageError(`The gate "${text}" is not understood.`, HINT);
    return undefined;
  }
  const name = (match[2] ?? match[4] ?? "").toLowerCase();
  const rate = rates.find((known) => known === name);
  if (rate === undefined)
    throw new UsageError(`The gate "${text}" names "${name}".`, didYouMean(name, rates, HINT, { most: 1 }));
  const bound = (match[1]?.toLowerCase() as "lower" | "upper" | undefined) ?? "estimate";
  if (rate === "score" && bound !== "estimate")
    throw new UsageError(`The gate "${text}" asks for a bound; verdicts are counted, and their change has none.`, HINT);
  const limit = Number(match[6]) / (match[7] === "%" ? 100 : 1);
  const way = (match[3] ?? match[5] ?? "drop").toLowerCase() as "drop" | "rise";
  return gate({ type: "rate", rate, way, bound, limit });
}

export function evaluateChangeGates(
  comparisons: readonly Comparison[],
  gates: readonly ChangeGate[],
  { before, now, minCoverage = 1 }: { before: Scores; now: Scores; minCoverage?: number },
): ChangeGateResult[] {
  return gates.flatMap((gate): ChangeGateResult[] => {
    const meant = comparisons.filter(({ target }) => gate.target === undefined || gate.target === target);
    if (meant.length === 0) {
      const target = gate.target ?? "";
      const message = target === "" ? "the two runs have no target in common" : `${target} is not in both runs`;
      return [{ gate, target, predicted: false, status: "unmeasured", value: null, n: 0, message }];
    }
    return meant.map((comparison) => {
      const part = gate.skill === undefined ? comparison : ofSkill(comparison, gate.skill, { before, now });
      return unlessLost(evaluate(gate, part), part, minCoverage);
    });
  });
}

function scoped(text: string): { scope: { skill?: string; target?: string }; rest: string } {
  let rest = text.trim();
  const scope: { skill?: string; target?: string } = {};
  for (
    let match = /^(skill|target):(\S+)\s+/.exec(rest);
    match !== null;
    match = /^(skill|target):(\S+)\s+/.exec(rest)
  ) {
    scope[match[1] as "skill" | "target"] = match[2];
    rest = rest.slice(match[0].length);
  }
  return { scope, rest };
}

function ofSkill(
  { target, against }: Comparison,
  skill: string,
  { before, now }: { before: Scores; now: Scores },
): Comparison {
  const part = ({ targets }: Scores, id: string) => {
    // `!`: only targets of both runs are asked for.
    const found = targets.find((one) => one.id === id)!;
    return { ...found, questions: found.questions.filter((question) => question.skill === skill) };
  };
  return compareTargets(
    part(before, against),
    part(now, target),
    before.run.suite.fingerprint === now.run.suite.fingerprint,
  );
}

/**
 * A question that passed and has no verdict now may have got worse, so a gate met without it is undecided unless
 * `minCoverage` allows that many to be missing.
 */
function unlessLost(result: ChangeGateResult, { lost, n, leftOut }: Comparison, minCoverage: number): ChangeGateResult {
  const missing = lost.filter((question) => isAbout(result.gate, question));
  if (result.status !== "met" || missing.length === 0) return result;
  const known = n + leftOut.sameAnswers;
  const text = `${count(missing.length, "question")} that passed ${missing.length === 1 ? "has" : "have"} no verdict now`;
  if (known >= minCoverage * (known + missing.length) - 1e-9)
    return { ...result, message: `${result.message}; ${text}` };
  const message = `not decided, because ${text}: ${wayOut(missing)} (--min-coverage allows some)`;
  return { ...result, status: "unmeasured", value: null, message };
}

function wayOut(missing: readonly QuestionScore[]): string {
  if (missing.some(({ verdict }) => verdict === "unsure")) return "look at the edit, or ask a target that can tell";
  return missing.every(({ status }) => status === "invalid") ? "they name a skill that is gone" : "ask again";
}

function isAbout({ what }: ChangeGate, { kind, role, positive }: QuestionScore): boolean {
  if (what.type === "new-thefts") return positive;
  if (what.type === "no-regression" || what.rate === "score") return true;
  return kind === "trigger" && role === (what.rate === "recall" ? "positive" : "negative");
}

function evaluate(gate: ChangeGate, comparison: Comparison): ChangeGateResult {
  const { target, predicted, n, leftOut } = comparison;
  const result = (status: GateResult["status"], value: number | null, message: string): ChangeGateResult => ({
    gate,
    target,
    predicted,
    status,
    value,
    n,
    message,
  });
  if (n === 0 && leftOut.sameAnswers === 0) return result("unmeasured", null, "no question was compared");
  // The same answers have the same verdicts.
  if (n === 0)
    return result(
      "met",
      0,
      `${count(leftOut.sameAnswers, "question")} with the same answers as the earlier run: nothing can have changed`,
    );
  const { what } = gate;
  switch (what.type) {
    case "no-regression": {
      // With one skill, the skill and the whole are the same questions.
      const found = regressions(comparison).filter(({ skill }) => gate.skill === undefined || skill === undefined);
      const words = found.map(({ skill, text }) => (skill === undefined ? text : `${skill}: ${text}`));
      return result(
        found.length === 0 ? "met" : "breached",
        found.length,
        words.join("; ") || `nothing got worse beyond noise over ${count(n, "question")}`,
      );
    }
    case "new-thefts": {
      const { newThefts } = comparison;
      const message = `${count(newThefts.length, "prompt")} newly taken by a sibling${takersText(newThefts)}, the gate is <= ${what.limit}`;
      return result(newThefts.length <= what.limit ? "met" : "breached", newThefts.length, message);
    }
    case "rate": {
      const { value, over } = changeOf(what, comparison);
      const name = what.bound === "estimate" ? `${what.rate} ${what.way}` : `${what.bound}(${what.rate} ${what.way})`;
      if (value === null) return { ...result("unmeasured", null, `the ${name} was not measured`), n: over };
      const message = `the ${name} is ${apart(value, what.limit)} over ${count(over, "question")}, the gate is <= ${what.limit}`;
      return { ...result(value <= what.limit + 1e-9 ? "met" : "breached", value, message), n: over };
    }
  }
}

/**
 * ` (faq from refund ×3, status from refund)`, most first. The victim is the expected skill, since a question may be in
 * the suite of the very skill that takes its prompt.
 */
function takersText(newThefts: Comparison["newThefts"]): string {
  const times = new Map<string, number>();
  for (const { thief, question } of newThefts) {
    const pair = `${thief} from ${question.expected.join(" + ")}`;
    times.set(pair, (times.get(pair) ?? 0) + 1);
  }
  const named = [...times].sort(([, a], [, b]) => b - a).map(([pair, n]) => (n === 1 ? pair : `${pair} ×${n}`));
  const more = named.length > MOST_NAMED ? `, and ${named.length - MOST_NAMED} more` : "";
  return named.length === 0 ? "" : ` (${named.slice(0, MOST_NAMED).join(", ")}${more})`;
}

function changeOf(
  { rate, way, bound }: Extract<ChangeGate["what"], { type: "rate" }>,
  { rates: paired, passed, n }: Comparison,
): { value: number | null; over: number } {
  const sign = way === "drop" ? -1 : 1;
  if (rate === "score") return { value: n === 0 ? null : (sign * (passed.now - passed.before)) / n, over: n };
  const { difference, before, now, n: over }: PairedRate = paired[rate];
  if (before === null || now === null) return { value: null, over };
  if (bound === "estimate") return { value: sign * (now - before), over };
  if (difference === null) return { value: null, over };
  // The lower end of a drop is the upper end of the change.
  const end = (bound === "lower") === sign > 0 ? difference.low : difference.high;
  return { value: sign * end, over };
}
