import type { Model } from "../../data/model.ts";
import { param } from "../../data/route.ts";
import { Choice } from "../../parts/choice.tsx";
import { oneLine } from "../../parts/words.ts";
import { Edits } from "./edits.tsx";
import { METRICS } from "./metric.ts";
import { RunTable } from "./run-table.tsx";
import { Trend } from "./trend.tsx";

/** Rates over stored runs, with the edits of skills between them. */
export function RunsView({ model }: { model: Model }) {
  const skill = param("skill");
  return (
    <>
      <h1>Over time</h1>
      <div class="filters">
        <Choice name="metric" label="rate" any={null} values={Object.entries(METRICS)} />
        <Choice
          name="skill"
          label="skill"
          any="all of the library"
          values={model.data.library.skills.map(({ id }) => [id, oneLine(id)])}
        />
      </div>
      <Trend model={model} skill={skill} />
      <div class="columns even">
        <RunTable model={model} skill={skill} />
        <Edits model={model} skill={skill} />
      </div>
    </>
  );
}
