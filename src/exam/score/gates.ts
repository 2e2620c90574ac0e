import { count, didYouMean, UsageError } from "../../base/index.ts";
import type { Gate, GateResult, Rate, Rates, Scores, TargetScores } from "../../model/index.ts";

const metrics = ["score", "triggers", "cases", "recall", "fpr", "precision", "f1", "coverage"] as const;

const shape = /^(?:(lower|upper)\(\s*([a-z0-9_]+)\s*\)|([a-z0-9_]+))\s*(>=|<=|>|<)\s*([0-9]*\.?[0-9]+)\s*(%?)$/i;

export function parseGate(text: string): Gate {
  let rest = text.trim();
  const scope: { skill?: string; target?: string } = {};
  for (;;) {
    const match = /^(skill|target):(\S+)\s+/.exec(rest);
    if (match === null) break;
    scope[match[1] as "skill" | "target"] = match[2];
    rest = rest.slice(match[0].length);
  }
  const match = shape.exec(rest);
  if (match === null && /\b(?:drop|rise)\b|^new-thefts|^no-regression/i.test(rest))
    throw new UsageError(
      `The gate "${text}" is about what changed between two runs.`,
      "proctor compare checks it on two runs, or on a revision and what is here.",
    );
  if (match === null) {
    throw new UsageError(
      `The gate "${text}" is not understood.`,
      "Write it like 'recall>=0.8', 'lower(recall)>=0.7' or 'skill:go-style score>=0.75'.",
    );
  }
  const name = (match[2] ?? match[3] ?? "").toLowerCase();
  const metric = metrics.find((known) => known === name);
  if (metric === undefined) {
    throw new UsageError(
      `The gate "${text}" names "${name}", which is not a rate.`,
      didYouMean(name, metrics, `Rates: ${metrics.join(", ")}.`, { most: 1 }),
    );
  }
  const limit = Number(match[5]) / (match[6] === "%" ? 100 : 1);
  if (limit > 1)
    throw new UsageError(
      `The gate "${text}" has the limit ${match[5]}; rates lie between 0 and 1.`,
      `${match[5]} % is written ${match[5]}%.`,
    );
  const bound = (match[1]?.toLowerCase() as "lower" | "upper" | undefined) ?? "estimate";
  if (metric === "coverage" && bound !== "estimate")
    throw new UsageError(`The gate "${text}" asks for a bound; coverage is counted and has none.`);
  return { text: text.trim(), ...scope, metric, bound, operator: match[4] as Gate["operator"], limit };
}

export function evaluateGates(scores: Pick<Scores, "targets">, gates: Gate[]): GateResult[] {
  return gates.flatMap((gate) => {
    const targets = scores.targets.filter((target) => gate.target === undefined || gate.target === target.id);
    if (targets.length === 0) {
      const target = gate.target ?? "";
      return [
        {
          gate,
          target,
          predicted: false,
          status: "unmeasured",
          value: null,
          n: 0,
          message: `no target ${target} in this run`,
        } as const,
      ];
    }
    return targets.map((target) => evaluate(gate, target));
  });
}

function evaluate(gate: Gate, target: TargetScores): GateResult {
  const base = { gate, target: target.id, predicted: target.predicted };
  const rates = gate.skill === undefined ? target.total : target.skills.find((skill) => skill.skill === gate.skill);
  if (rates === undefined)
    return {
      ...base,
      status: "unmeasured",
      value: null,
      n: 0,
      message: `no question of skill ${gate.skill} in this run`,
    };
  const { value, n, prompts } = measured(gate, rates);
  if (value === null)
    return {
      ...base,
      status: "unmeasured",
      value,
      n,
      message: `${gate.metric} was not measured${leftOut(gate, rates)}`,
    };
  const status = holds(value, gate) ? "met" : "breached";
  const what = gate.bound === "estimate" ? gate.metric : `${gate.bound}(${gate.metric})`;
  return {
    ...base,
    status,
    value,
    n,
    message: `${what} is ${apart(value, gate.limit)} over ${overText({ n, prompts })}, the gate is ${gate.operator} ${gate.limit}${leftOut(gate, rates)}`,
  };
}

/** A gate applies to the questions the target can tell. A gate on coverage limits how many it cannot. */
function leftOut({ metric }: Gate, { coverage: { missing } }: Rates): string {
  return missing.unsure === 0 || metric === "coverage"
    ? ""
    : `; ${missing.unsure} it cannot tell ${missing.unsure === 1 ? "is" : "are"} left out`;
}

/** Two digits, or as many as show on which side of the limit the value is: 0.7955 is below 0.8, 0.80 would not be. */
export function apart(value: number, limit: number): string {
  if (Math.abs(value - limit) <= slack) return value.toFixed(2);
  for (let digits = 2; digits < 9; digits++) {
    const text = value.toFixed(digits);
    if (Number(text) !== limit && Number(text) < limit === value < limit) return text;
  }
  return `${value}`;
}

function overText({ n, prompts }: { n: number; prompts: number }): string {
  const questions = count(n, "question");
  return prompts < n ? `${questions} on ${count(prompts, "prompt")}` : questions;
}

function measured(gate: Gate, rates: Rates): { value: number | null; n: number; prompts: number } {
  if (gate.metric === "coverage") {
    const { verdicts, planned } = rates.coverage;
    return { value: planned === 0 ? null : verdicts / planned, n: planned, prompts: planned };
  }
  const rate: Rate = rates[gate.metric];
  const value = gate.bound === "estimate" ? rate.value : gate.bound === "lower" ? rate.low : rate.high;
  return { value, n: rate.n, prompts: rate.prompts };
}

/** Slack for rounding: 0.1 + 0.7 must meet 0.8. */
const slack = 1e-9;

function holds(value: number, { operator, limit }: Gate): boolean {
  switch (operator) {
    case ">=":
      return value >= limit - slack;
    case ">":
      return value > limit + slack;
    case "<=":
      return value <= limit + slack;
    case "<":
      return value < limit - slack;
  }
}
