import type { Steal } from "../../../model/index.ts";
import { type AskTallies, expectedOf } from "../tallies/ask-tally.ts";

/** Who takes whose prompts: the required skill did not fire, and a sibling did. Most prompts first. */
export function stealsOf(asks: AskTallies): Steal[] {
  const steals = new Map<string, Steal>();
  for (const ask of asks.values()) {
    const { stolen } = ask;
    const victim = stolen && expectedOf(ask);
    if (stolen === undefined || victim == null) continue;
    for (const [thief, trials] of stolen) {
      const key = `${thief}\0${victim}`;
      const steal = steals.get(key);
      if (steal === undefined) steals.set(key, { thief, victim, prompts: 1, trials });
      else {
        steal.prompts++;
        steal.trials += trials;
      }
    }
  }
  return [...steals.values()].sort(
    (a, b) => b.prompts - a.prompts || b.trials - a.trials || (a.thief + a.victim < b.thief + b.victim ? -1 : 1),
  );
}
