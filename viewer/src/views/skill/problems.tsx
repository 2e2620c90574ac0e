import type { PageSkill } from "../../../../src/reporters/html/page-data.ts";
import { oneLine } from "../../parts/words.ts";

/** Findings of `proctor check`. */
export function Problems({ problems }: { problems: NonNullable<PageSkill["problems"]> }) {
  if (problems.length === 0) return null;
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">What proctor check finds</h2>
      <ul class="problems">
        {problems.map(({ severity, code, message, place }) => (
          <li key={`${code} ${place}`}>
            <span class={`flag ${severity === "error" ? "bad" : ""}`}>{severity}</span> {oneLine(message)}{" "}
            <span class="quiet">
              {oneLine(place)} {oneLine(code)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
