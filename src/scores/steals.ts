import type { Asks } from "./asks.ts";
import type { Steal } from "./scores.ts";
import type { TargetTally } from "./target-tally.ts";

/** Who takes whose prompts: the required skill did not fire, and a sibling did. Most prompts first. */
export function stealsOf(tally: TargetTally, asks: Asks): Steal[] {
  const steals = new Map<string, Steal>();
  for (const [key, { stolen }] of tally.asks) {
    const victim = asks.get(key)?.expected;
    if (stolen === undefined || victim === undefined) continue;
    for (const [thief, trials] of stolen) {
      const steal = steals.get(`${thief}\0${victim}`) ?? { thief, victim, prompts: 0, trials: 0 };
      steals.set(`${thief}\0${victim}`, { ...steal, prompts: steal.prompts + 1, trials: steal.trials + trials });
    }
  }
  return [...steals.values()].sort(
    (a, b) => b.prompts - a.prompts || b.trials - a.trials || (a.thief + a.victim < b.thief + b.victim ? -1 : 1),
  );
}
