import type { PageTrial } from "../../../../src/reporters/html/page-data.ts";
import type { Model } from "../../data/model.ts";
import { Pair } from "../../parts/pair.tsx";
import { count, oneLine } from "../../parts/words.ts";

const SHOWN: Record<string, string> = { whole: "whole", cut: "cut", bare: "name only", absent: "not at all" };

/** The part of the library shown to the model. */
export function Shown({ model, trial }: { model: Model; trial: PageTrial }) {
  const listing = trial.listing === undefined ? undefined : model.exam?.listings[trial.listing];
  if (listing === undefined || listing.length === 0) return null;
  const groups = Object.keys(SHOWN).map((shown) => ({
    shown,
    skills: listing.filter((entry) => entry.shown === shown).map(({ skill }) => skill),
  }));
  return (
    <section>
      <h2>What the model was shown</h2>
      <dl class="pairs">
        {groups
          .filter(({ skills }) => skills.length > 0)
          .map(({ shown, skills }) => (
            <Pair key={shown} name={SHOWN[shown] ?? shown}>
              {skills.length > 8 ? (
                <details>
                  <summary>{count(skills.length, "skill")}</summary>
                  {skills.map(oneLine).join(", ")}
                </details>
              ) : (
                skills.map(oneLine).join(", ")
              )}
            </Pair>
          ))}
      </dl>
    </section>
  );
}
