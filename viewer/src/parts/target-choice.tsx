import type { PageTarget } from "../../../src/reporters/html/page-data.ts";
import type { Model } from "../data/model.ts";
import { here, param } from "../data/route.ts";
import { oneLine } from "./words.ts";

/** The target in the address, else the first that measured something. */
export function chosenTarget({ targets }: Model): { target: PageTarget; at: number } | undefined {
  const named = targets.findIndex(({ id }) => id === param("target"));
  const measured = targets.findIndex(({ predicted, total }) => !predicted && total.coverage.verdicts > 0);
  const at = named >= 0 ? named : Math.max(0, measured);
  const target = targets[at];
  return target === undefined ? undefined : { target, at };
}

/** Tabs for several targets. */
export function TargetChoice({ model }: { model: Model }) {
  const now = chosenTarget(model);
  if (model.targets.length < 2) return null;
  return (
    <nav class="tabs" aria-label="Target">
      {model.targets.map(({ id, predicted }) => (
        <a key={id} href={here({ target: id })} aria-current={id === now?.target.id ? "true" : undefined}>
          {oneLine(id)}
          {predicted && <span class="quiet"> predicted</span>}
        </a>
      ))}
    </nav>
  );
}
