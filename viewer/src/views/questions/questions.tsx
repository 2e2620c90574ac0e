import { useEffect, useMemo } from "preact/hooks";
import type { Model } from "../../data/model.ts";
import { rememberList } from "../../data/neighbours.ts";
import { param, to } from "../../data/route.ts";
import { trialsOf } from "../../data/trials.ts";
import { DotLegend } from "../../parts/dot-legend.tsx";
import { SortHead } from "../../parts/sort-head.tsx";
import { VirtualTable } from "../../parts/virtual.tsx";
import { count, number, oneLine } from "../../parts/words.ts";
import { LiftSection } from "../lift.tsx";
import { Filters } from "./filters.tsx";
import { fitting } from "./fitting.ts";
import { QuestionRow } from "./row.tsx";
import { sorted } from "./sorted.ts";

export function QuestionsView({ model, kind }: { model: Model; kind?: "case" }) {
  const filters = {
    q: param("q"),
    target: param("target"),
    skill: param("skill"),
    tag: param("tag"),
    verdict: param("verdict"),
    cause: param("cause"),
    flaky: param("flaky"),
    changed: param("changed"),
    expected: param("expected"),
    fired: param("fired"),
    noted: param("noted"),
  };
  const sort = param("sort") || "verdict";
  const all = kind === "case" ? model.cases : model.rows;
  const trials = filters.expected === "" ? undefined : trialsOf(model);
  const key = JSON.stringify(filters);
  const rows = useMemo(() => {
    const fit = fitting(filters, model, trials);
    return sorted(all.filter(fit), sort);
  }, [model, all, trials, key, sort]);
  useEffect(
    () =>
      rememberList(
        kind === "case" ? "cases" : "questions",
        rows.map(({ question }) => question.id),
      ),
    [rows],
  );
  const targets = useMemo(
    () =>
      model.targets.flatMap((target, at) =>
        filters.target === "" || target.id === filters.target ? [{ target, at }] : [],
      ),
    [model, filters.target],
  );
  const places = useMemo(() => targets.map(({ at }) => at), [targets]);
  const of = all.length;
  return (
    <>
      <h1>{kind === "case" ? "Cases" : "Questions"}</h1>
      <Filters model={model} rows={all} />
      {kind === "case" && <LiftSection model={model} />}
      <div class="above-list">
        <p class="quiet" role="status">
          {rows.length === of
            ? count(of, kind ?? "question")
            : `${number(rows.length)} of ${count(of, kind ?? "question")}`}
          {(filters.expected !== "" || filters.fired !== "") &&
            ` where ${oneLine(filters.expected)} was expected and ${oneLine(filters.fired)} fired`}
          {rows.length < of && (
            <>
              {" · "}
              <a href={to(kind === "case" ? "cases" : "questions", "", { target: undefined })}>show all</a>
            </>
          )}
        </p>
        <DotLegend model={model} />
      </div>
      <VirtualTable
        class="list"
        label={kind === "case" ? "Cases" : "Questions"}
        items={rows}
        height={58}
        head={
          <tr>
            <SortHead name="prompt" now={sort}>
              {kind ?? "question"}
            </SortHead>
            <SortHead name="skill" now={sort} class="wide">
              skill
            </SortHead>
            {targets.map(({ target, at }) => (
              <SortHead
                key={target.id}
                name={`verdict${at}`}
                now={sort}
                class={`result${model.targets.length === 1 ? " only" : ""}`}
              >
                {model.targets.length === 1 ? "verdict" : <bdi>{oneLine(target.id)}</bdi>}
              </SortHead>
            ))}
          </tr>
        }
        row={(row, at) => <QuestionRow key={row.question.id} row={row} at={at} targets={places} />}
      />
      {rows.length === 0 && <p>No {kind ?? "question"} is like that.</p>}
    </>
  );
}
