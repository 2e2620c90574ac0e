import { useMemo, useState } from "preact/hooks";
import type { PageResult } from "../../../../src/reporters/html/page-data.ts";
import type { Model, Row } from "../../data/model.ts";
import { param } from "../../data/route.ts";
import { Choice, Toggle } from "../../parts/choice.tsx";
import { number, oneLine } from "../../parts/words.ts";
import { VerdictTabs } from "./verdict-tabs.tsx";

const NAMES = ["target", "skill", "cause", "tag", "flaky", "noted", "changed"];

/** Filters of the list. On a phone all but the verdict are folded. */
export function Filters({ model, rows }: { model: Model; rows: Row[] }) {
  const [isOpen, setOpen] = useState(false);
  const values = useMemo(() => valuesOf(model, rows), [model, rows]);
  const has = useMemo(() => {
    const any = (test: (result: PageResult) => boolean) => model.targets.some(({ results }) => results.some(test));
    return { flaky: any(({ flaky }) => flaky), changed: any(({ change }) => change !== undefined) };
  }, [model]);
  const set = NAMES.filter((name) => param(name) !== "").length;
  return (
    <>
      <VerdictTabs rows={rows} />
      <fieldset class={`filters${isOpen ? "" : " folded"}`}>
        <legend class="unseen">Filters</legend>
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          filters{set > 0 && ` (${set} set)`}
        </button>
        {model.targets.length > 1 && (
          <Choice name="target" label="target" values={model.targets.map(({ id }) => [id, oneLine(id)])} />
        )}
        <Choice name="skill" label="skill" values={values.skills} />
        {values.causes.length > 0 && <Choice name="cause" label="cause" values={values.causes} />}
        {values.tags.length > 0 && <Choice name="tag" label="tag" values={values.tags} />}
        {has.flaky && <Toggle name="flaky">flaky</Toggle>}
        {model.notes.size > 0 && <Toggle name="noted">noted</Toggle>}
        {has.changed && <Toggle name="changed">changed</Toggle>}
      </fieldset>
    </>
  );
}

type Values = [value: string, text: string][];

/** Every skill, tag and cause, with its number of questions. */
function valuesOf({ data }: Model, rows: readonly Row[]): { skills: Values; tags: Values; causes: Values } {
  const [skills, tags, causes] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const add = (counts: Map<string, number>, value: string) => counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const { question, answers } of rows) {
    if (question.skill !== undefined) add(skills, question.skill);
    for (const tag of question.tags) add(tags, tag);
    const found = new Set<string>();
    for (const answer of answers) {
      if (answer === undefined) continue;
      for (const cause of Object.keys(answer.result.causes)) found.add(cause);
      if (answer.result.errors > 0) found.add("error");
    }
    for (const cause of found) add(causes, cause);
  }
  const named = (counts: Map<string, number>, name: (value: string) => string): Values =>
    [...counts].map(([value, n]) => [value, `${name(value)} (${number(n)})`]);
  const byName = ([a]: Values[number], [b]: Values[number]) => (a < b ? -1 : 1);
  return {
    skills: named(skills, oneLine).sort(byName),
    tags: named(tags, oneLine).sort(byName),
    causes: named(causes, (cause) => data.words.causes[cause] ?? cause),
  };
}
