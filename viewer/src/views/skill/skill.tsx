import type { PageTarget } from "../../../../src/reporters/html/page-data.ts";
import type { Model } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { oneLine } from "../../parts/words.ts";
import { NotHere } from "../question.tsx";
import { Trend } from "../runs/trend.tsx";
import { Advice } from "./advice.tsx";
import { Card } from "./card.tsx";
import { Groups } from "./groups.tsx";
import { Problems } from "./problems.tsx";
import { Rates } from "./rates.tsx";
import { Rivals } from "./rivals.tsx";

export function SkillView({ model, id }: { model: Model; id: string }) {
  const skill = model.skills.get(id);
  const rows = model.rowsBySkill.get(id) ?? [];
  if (skill === undefined && rows.length === 0) return <NotHere what="skill" id={id} back="skills" />;
  return (
    <article class="skill">
      <p class="crumbs">
        <a rel="up" href={to("skills")}>
          Skills
        </a>
      </p>
      <h1>
        <bdi>{oneLine(id)}</bdi>
      </h1>
      <div class="columns">
        <div>
          <Rates measured={model.targets.flatMap((target) => ratesOn(target, id))} />
          <Groups model={model} rows={rows} />
        </div>
        <div class="aside">
          <Card model={model} id={id} />
          <Rivals model={model} id={id} />
          <Advice model={model} id={id} />
          <Problems problems={skill?.problems ?? []} />
          {model.data.history.length > 1 && (
            <section aria-labelledby="trend">
              <h2 id="trend">Over time</h2>
              <Trend model={model} skill={id} small />
              <p>
                <a href={to("runs", "", { skill: id })}>Larger, with the edits</a>
              </p>
            </section>
          )}
        </div>
      </div>
    </article>
  );
}

function ratesOn(target: PageTarget, id: string) {
  const rates = target.skills.find((one) => one.skill === id);
  return rates === undefined ? [] : [{ target, rates }];
}
