import { count } from "../../base/index.ts";
import { moneyText, wrap } from "../../reporters/index.ts";
import type { RunPlan } from "../../verbs/index.ts";

/** What a comparison with another such run would see, for `proctor plan`. */
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
