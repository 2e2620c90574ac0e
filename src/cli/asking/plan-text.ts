import { count, printable, VERSION } from "../../base/index.ts";
import { roleOf } from "../../model/index.ts";
import { moneyText, questionsSentence, rounded, wrap } from "../../reporters/index.ts";
import type { RunPlan } from "../../verbs/index.ts";

export function planText(plan: RunPlan, width: number): string {
  const { library, partial, estimates } = plan;
  const head = [
    `proctor ${VERSION}`,
    `library ${library.name}: ${count(library.skills.length, "skill")} (fingerprint ${library.fingerprint.slice(0, 6)})`,
    asked(plan),
    ...(partial.length > 0 ? [`partial (${partial.join(", ")})`] : []),
  ].join("   ");
  const lacks = estimates.flatMap(({ target, missing }) =>
    missing === undefined ? [] : [`${target} cannot be asked yet: ${printable(missing)}`],
  );
  const remarks = estimates.flatMap((estimate) => remarksOn(estimate, plan));
  const below = [
    ...remarks,
    "This is the plan. Nothing was asked and nothing was spent.",
    ...lacks,
    ...plan.notices,
  ].flatMap((line) => wrap(line, width));
  const rows = [["target", "asks", "trials", "time", "cost"], ...estimates.map(row)];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const table = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("   ")
      .trimEnd(),
  );
  return `${wrap(head, width).join("\n")}\n\n${table.join("\n")}\n\n${below.join("\n")}\n`;
}

function asked({ questions, targets, estimates }: RunPlan): string {
  const triggers = questions.filter(({ kind }) => kind === "trigger");
  const positive = triggers.filter((question) => roleOf(question).role === "positive").length;
  const counts = {
    questions: questions.length,
    prompts: new Set(questions.map(({ ask }) => ask)).size,
    positive,
    negative: triggers.length - positive,
    cases: questions.length - triggers.length,
    skipped: questions.filter((question) => targets.every((target) => question.skipped[target] !== undefined)).length,
  };
  return questionsSentence(
    counts,
    estimates.every(({ predicted }) => predicted),
  );
}

function row({ target, asks, trials, ms, usd }: RunPlan["estimates"][number]): string[] {
  return [
    target,
    String(asks),
    range(trials, (value) => String(value)),
    ms === null ? "not known" : `about ${range(ms, duration)}`,
    usd === null ? "not known" : range(usd, moneyText),
  ];
}

function remarksOn(estimate: RunPlan["estimates"][number], { estimates, options }: RunPlan): string[] {
  const { target, skipped, cached } = estimate;
  const left = Object.entries(skipped).map(
    ([reason, questions]) => `${count(questions, "question")} not asked: ${reason}`,
  );
  const kept = cached > 0 ? [`${count(cached, "trial")} in the cache`] : [];
  const all = [...kept, ...sourceOf(estimate, options), ...left].join("; ");
  return all === "" ? [] : [`${estimates.length > 1 ? `${target}: ` : ""}${printable(all)}`];
}

function sourceOf(
  { asks, usd, past, firstTells }: RunPlan["estimates"][number],
  { limits }: RunPlan["options"],
): string[] {
  if (past > 0) return [`time and cost are from ${count(past, "earlier trial")}`];
  if (usd !== null || asks === 0) return [];
  const none = "no earlier trial to estimate from";
  if (Object.values(limits).some((limit) => limit !== undefined)) return [none];
  const first = firstTells ? "--budget 1 keeps a first run to about $1" : "--max-trials 6 keeps a first run small";
  return [`${none}: ${first}, and the next plan uses its trials`];
}

function range({ least, most }: { least: number; most: number }, show: (value: number) => string): string {
  const [low, high] = [show(least), show(most)];
  return low === high ? high : `${low} to ${high}`;
}

function duration(ms: number): string {
  if (ms < 1_000) return "1 s";
  return ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** The drop that a comparison with another such run would detect, for `proctor plan`. */
export function dropText({ drops, estimates }: RunPlan, width: number): string {
  const asked = drops.filter(({ target }) => estimates.some((one) => one.target === target && one.asks > 0));
  const lines = asked.map(({ target, visible, needed, rate, from }) => {
    if (visible === null) return `${target} answers the same each time: one run shows every change.`;
    const points = Math.round(visible.drop * 100);
    const basis =
      from === undefined
        ? `if ${Math.round(rate * 100)} % of the runs come out right, which is a guess`
        : `at ${Math.round(rate * 100)} % right, as in ${from}`;
    const now = `this plan would notice a drop of ${points} points ${Math.floor(visible.power * 100)} times in 100`;
    if (needed === null) return `${target}: ${now}; more runs would not be enough: add questions (${basis}).`;
    if (visible.power >= 0.8) return `${target}: ${now} (${basis}).`;
    const cost = needed.usd === null ? "" : `, ${moneyText(needed.usd)}`;
    return `${target}: ${now}. ${count(needed.runs, "run")} of each question would notice it 4 times in 5: --runs ${needed.runs} --no-early-stop, ${count(needed.trials, "trial")}${cost} (${basis}).`;
  });
  return lines.length === 0 ? "" : `\n${lines.flatMap((line) => wrap(line, width)).join("\n")}\n`;
}

/**
 * A stable, versioned document, or a list for several libraries: within a version, keys are added but never changed or
 * removed.
 */
export function planJson(plans: readonly RunPlan[]): string {
  const [first, ...others] = plans.map(planOf);
  const report = others.length === 0 ? first : { version: 1, libraries: [first, ...others] };
  return `${JSON.stringify(report, rounded, 2)}\n`;
}

function planOf({ library, questions, partial, estimates, drops, notices }: RunPlan) {
  return {
    version: 1,
    library: { name: library.name, skills: library.skills.length, fingerprint: library.fingerprint },
    questions: questions.length,
    prompts: new Set(questions.map(({ ask }) => ask)).size,
    partial,
    notices,
    targets: estimates.map((estimate) => {
      const { target: _, ...seen } = drops.find(({ target }) => target === estimate.target) ?? {
        target: estimate.target,
      };
      return { ...estimate, drop: seen };
    }),
  };
}
