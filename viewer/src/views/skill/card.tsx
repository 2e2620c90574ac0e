import type { Model } from "../../data/model.ts";
import { oneLine, safe } from "../../parts/words.ts";
import { shownOf } from "../shown.ts";

/** A skill's card as each host shows it to its model: whole, cut, by name only, or not at all. */
export function Card({ model, id }: { model: Model; id: string }) {
  const skill = model.skills.get(id);
  const text = skill?.description;
  return (
    <section aria-labelledby="card">
      <h2 id="card">Its card</h2>
      {text === undefined ? (
        <p class="quiet">This record does not hold its description.</p>
      ) : (
        <blockquote class="card-text">
          <bdi>{safe(text) || "(no description)"}</bdi>
        </blockquote>
      )}
      {waysOf(model, id).map(({ shown, targets }) => (
        <figure key={shown} class="as-shown">
          <figcaption>
            {targets.map(oneLine).join(", ")} {targets.length === 1 ? "shows" : "show"} it <b>{shown}</b>
          </figcaption>
          <Shown id={id} text={text ?? ""} shown={shown} />
        </figure>
      ))}
      {skill?.modelInvocable === false && (
        <p>It has disable-model-invocation: hosts that honour it never offer it to a model.</p>
      )}
    </section>
  );
}

/** Groups targets that show it alike. */
function waysOf(model: Model, id: string): { shown: string; targets: string[] }[] {
  const ways = new Map<string, string[]>();
  model.targets.forEach(({ id: target }, at) => {
    const shown = shownOf(model, at).get(id);
    if (shown !== undefined) ways.set(shown, [...(ways.get(shown) ?? []), target]);
  });
  return [...ways].map(([shown, targets]) => ({ shown, targets }));
}

/** Where a host cuts is not recorded, so a cut card fades out. */
function Shown({ id, text, shown }: { id: string; text: string; shown: string }) {
  if (shown === "whole" || shown === "not shown") return null;
  const isBare = shown === "name only";
  return (
    <blockquote class={`card-text ${isBare ? "bare" : "cut"}`}>
      <b>
        <bdi>{oneLine(id)}</bdi>
      </b>
      {!isBare && <bdi>{` ${oneLine(text.slice(0, 2000))}`}</bdi>}
    </blockquote>
  );
}
