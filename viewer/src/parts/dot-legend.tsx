import { useMemo } from "preact/hooks";
import type { Model } from "../data/model.ts";
import { Dot } from "./marks.tsx";
import { RUN_WORDS } from "./words.ts";

/** Explains the marks of single runs that occur. */
export function DotLegend({ model }: { model: Model }) {
  const signs = useMemo(() => {
    const seen = new Set<string>();
    for (const { results } of model.targets) for (const { runs } of results) for (const run of runs) seen.add(run);
    return Object.keys(RUN_WORDS).filter((sign) => seen.has(sign));
  }, [model]);
  if (signs.length === 0) return null;
  return (
    <p class="dot-legend quiet">
      a mark is a run:
      {signs.map((sign) => (
        <span key={sign}>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <Dot run={sign} x={6} y={6} />
          </svg>
          {RUN_WORDS[sign]}
        </span>
      ))}
    </p>
  );
}
