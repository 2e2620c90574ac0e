import type { Model } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { count, oneLine } from "../../parts/words.ts";

export function Rivals({ model, id }: { model: Model; id: string }) {
  const steals = model.targets.flatMap((target) =>
    target.steals.filter(({ thief, victim }) => thief === id || victim === id).map((steal) => ({ ...steal, target })),
  );
  if (steals.length === 0) return null;
  return (
    <section aria-labelledby="rivals">
      <h2 id="rivals">Its rivals</h2>
      <ul class="plain-list">
        {steals.slice(0, 10).map(({ thief, victim, prompts, trials, target }) => {
          const other = thief === id ? victim : thief;
          return (
            <li key={`${target.id} ${thief} ${victim}`}>
              {thief === id ? "takes from " : "loses to "}
              <a href={to("skill", other)}>{oneLine(other)}</a>:{" "}
              <a href={to("questions", "", { expected: victim, fired: thief, target: target.id })}>
                {count(prompts, "prompt")}, {count(trials, "trial")}
              </a>
              {model.targets.length > 1 && <span class="quiet"> on {oneLine(target.id)}</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
