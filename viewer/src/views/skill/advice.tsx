import type { Model } from "../../data/model.ts";
import { count, oneLine } from "../../parts/words.ts";

/** Advice of `proctor collisions` for this skill's pairs. */
export function Advice({ model, id }: { model: Model; id: string }) {
  const { collisions } = model.data;
  const pairs = (collisions?.pairs ?? []).filter(({ skills, risk }) => skills.includes(id) && risk >= 0.3).slice(0, 5);
  const vague = collisions?.vague.find(({ skill }) => skill === id);
  const broad = collisions?.broad.find(({ skill }) => skill === id);
  if (pairs.length === 0 && vague === undefined && broad === undefined) return null;
  return (
    <section aria-labelledby="advice">
      <h2 id="advice">What to do about its card</h2>
      <ul class="plain-list">
        {pairs.map(({ skills, advice, risk }) => (
          <li key={skills.join(" ")}>
            {oneLine(advice)} <span class="quiet">risk {risk.toFixed(2)}</span>
          </li>
        ))}
        {broad !== undefined && (
          <li>
            It fires on what {count(broad.takesFrom.length, "sibling")} are for. Say what it is not for, and which skill
            is.
          </li>
        )}
        {vague !== undefined && (
          <li>Its card hardly says when to use it. Say when, in the words of the people who need it.</li>
        )}
      </ul>
    </section>
  );
}
