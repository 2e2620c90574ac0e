import { useMemo } from "preact/hooks";
import { type Answer, type Model, type Row, worst, worstAnswer } from "../data/model.ts";
import { go, here, param, to } from "../data/route.ts";
import { type Trials, trialKey, trialsOf } from "../data/trials.ts";
import { Dots, Mark } from "../parts/marks.tsx";
import { memo } from "../parts/memo.ts";
import { VirtualTable } from "../parts/virtual.tsx";
import { count, expectation, oneLine, place, VERDICTS } from "../parts/words.ts";
import { LiftSection } from "./lift.tsx";

/** Every question, with how each target did on it. */
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
  const targets = useMemo(
    () => model.targets.flatMap((target, at) => (filters.target === "" || target.id === filters.target ? [{ target, at }] : [])),
    [model, filters.target],
  );
  const places = useMemo(() => targets.map(({ at }) => at), [targets]);
  const of = all.length;
  return (
    <>
      <h1>{kind === "case" ? "Cases" : "Questions"}</h1>
      <Filters model={model} rows={all} />
      <p class="quiet" role="status">
        {rows.length === of ? count(of, kind ?? "question") : `${rows.length.toLocaleString("en")} of ${count(of, kind ?? "question")}`}
        {(filters.expected !== "" || filters.fired !== "") &&
          ` where ${oneLine(filters.expected)} was expected and ${oneLine(filters.fired)} fired`}
        {rows.length < of && (
          <>
            {" · "}
            <a href={to(kind === "case" ? "cases" : "questions", "", { target: undefined })}>show all</a>
          </>
        )}
      </p>
      {kind === "case" && <LiftSection model={model} />}
      <VirtualTable
        class="list"
        label="Questions"
        items={rows}
        height={58}
        head={
          <tr>
            <SortHead name="prompt" now={sort}>
              question
            </SortHead>
            <SortHead name="skill" now={sort} class="wide">
              skill
            </SortHead>
            {targets.map(({ target, at }) => (
              <SortHead key={target.id} name={`verdict${at}`} now={sort} class="result">
                <bdi>{oneLine(target.id)}</bdi>
              </SortHead>
            ))}
          </tr>
        }
        row={(row, at) => <QuestionRow key={row.question.id} row={row} at={at} targets={places} />}
      />
      {rows.length === 0 && <p>No question is like that.</p>}
    </>
  );
}

const QuestionRow = memo(({ row, at, targets }: { row: Row; at: number; targets: number[] }) => {
  const { question } = row;
  const why = worstAnswer(row, targets)?.result.why;
  return (
    <tr aria-rowindex={at + 2} class="row">
      <td class="what">
        <a class="entry" href={to("question", question.id)}>
          <bdi class="prompt">{oneLine(question.prompt).slice(0, 400)}</bdi>
          <span class="quiet">{why === undefined ? `${expectation(question)} · ${place(question)}` : oneLine(why)}</span>
        </a>
      </td>
      <td class="wide">
        <a href={question.skill === undefined ? to("skills") : to("skill", question.skill)}>{oneLine(question.skill ?? "library")}</a>
        <span class="quiet">{expectation(question)}</span>
      </td>
      {targets.map((target) => {
        const answer = row.answers[target];
        return (
          <td key={target} class="result">
            {answer === undefined ? (
              <span class="quiet">—</span>
            ) : (
              <>
                <Mark verdict={answer.result.status === "skipped" ? "skipped" : answer.result.verdict} words />
                <span class="under">
                  <Dots result={answer.result} /> {answer.result.flaky && <span class="quiet">flaky</span>}{" "}
                  {answer.result.change !== undefined && <span class="quiet">{answer.result.change}</span>}
                </span>
              </>
            )}
          </td>
        );
      })}
    </tr>
  );
});

export function SortHead({
  name,
  now,
  class: style = "",
  children,
}: {
  name: string;
  now: string;
  class?: string;
  children: preact.ComponentChildren;
}) {
  const isDown = now === name;
  const isUp = now === `-${name}`;
  return (
    <th scope="col" class={style} aria-sort={isDown ? "ascending" : isUp ? "descending" : "none"}>
      <a class="sort" href={here({ sort: isDown ? `-${name}` : name })}>
        {children}
        <span aria-hidden="true">{isDown ? " ↓" : isUp ? " ↑" : ""}</span>
      </a>
    </th>
  );
}

interface FilterValues {
  q: string;
  target: string;
  skill: string;
  tag: string;
  verdict: string;
  cause: string;
  flaky: string;
  changed: string;
  expected: string;
  fired: string;
  noted: string;
}

function fitting(filters: FilterValues, model: Model, trials: Trials | undefined): (row: Row) => boolean {
  const { verdict, cause, flaky, changed, target, expected, fired, skill, tag, noted } = filters;
  const q = filters.q.toLowerCase();
  const isOfAnswers = [verdict, cause, flaky, changed, expected, fired].some((value) => value !== "");
  return ({ question, at, answers, text }) => {
    if (skill !== "" && question.skill !== skill) return false;
    if (tag !== "" && !question.tags.includes(tag)) return false;
    if (q !== "" && !text().includes(q)) return false;
    if (noted !== "" && !model.notes.has(at)) return false;
    if (!isOfAnswers) return true;
    return answers.some((answer) => {
      if (answer === undefined || (target !== "" && answer.target.id !== target)) return false;
      const { result } = answer;
      if (verdict !== "" && (result.status === "skipped" ? "skipped" : result.verdict) !== verdict) return false;
      if (cause !== "" && !(cause in result.causes) && !(cause === "error" && result.errors > 0)) return false;
      if (flaky !== "" && !result.flaky) return false;
      if (changed !== "" && result.change === undefined) return false;
      return expected === "" || firedIn(answer, expected, fired, model, trials);
    });
  };
}

/** The trials that a cell of the matrix counts. */
function firedIn({ targetAt, result }: Answer, expected: string, fired: string, model: Model, trials: Trials | undefined): boolean {
  const wanted = model.expectedOf(targetAt, result.ask);
  if (wanted !== expected && !(expected.startsWith("(") && wanted === "")) return false;
  return [...result.runs].some((run, at) => {
    const trial = trials?.get(trialKey(targetAt, result.ask, at + 1));
    if (trial === undefined) return false;
    if (run === "!" || trial.error !== undefined) return fired === "(error)";
    const first = trial.fired.find(({ evidence }) => evidence !== "refused" && evidence !== "mentioned")?.skill ?? "(none)";
    return first === fired;
  });
}

function sorted(rows: Row[], sort: string): Row[] {
  const name = sort.replace(/^-/, "");
  const value = (row: Row): string | number =>
    name === "prompt"
      ? row.text()
      : name === "skill"
        ? (row.question.skill ?? "")
        : worst(row, name === "verdict" ? undefined : Number(name.slice("verdict".length)));
  const keyed = rows.map((row) => ({ row, value: value(row) }));
  keyed.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : a.row.at - b.row.at));
  if (sort.startsWith("-")) keyed.reverse();
  return keyed.map(({ row }) => row);
}

function Filters({ model, rows }: { model: Model; rows: Row[] }) {
  const skills = useMemo(
    () => [...new Set(model.rows.map(({ question }) => question.skill ?? ""))].filter((skill) => skill !== "").sort(),
    [model],
  );
  const tags = useMemo(() => [...new Set(model.rows.flatMap(({ question }) => question.tags))].sort(), [model]);
  const causes = useMemo(
    () => [...new Set(model.targets.flatMap(({ results }) => results.flatMap(({ causes: found }) => Object.keys(found))))],
    [model],
  );
  const target = param("target");
  const verdicts = useMemo(() => verdictCounts(rows, target), [rows, target]);
  const has = (test: (result: Model["targets"][number]["results"][number]) => boolean) =>
    model.targets.some(({ results }) => results.some(test));
  return (
    <fieldset class="filters">
      <legend class="unseen">Filters</legend>
      {model.targets.length > 1 && <Choice name="target" label="target" values={model.targets.map(({ id }) => [id, oneLine(id)])} />}
      <Choice name="verdict" label="verdict" values={verdicts} />
      <Choice name="skill" label="skill" values={skills.map((skill) => [skill, oneLine(skill)])} />
      {causes.length > 0 && (
        <Choice name="cause" label="cause" values={causes.map((cause) => [cause, model.data.words.causes[cause] ?? cause])} />
      )}
      {tags.length > 0 && <Choice name="tag" label="tag" values={tags.map((tag) => [tag, oneLine(tag)])} />}
      {has(({ flaky }) => flaky) && <Toggle name="flaky">flaky</Toggle>}
      {model.notes.size > 0 && <Toggle name="noted">noted</Toggle>}
      {has(({ change }) => change !== undefined) && <Toggle name="changed">changed</Toggle>}
    </fieldset>
  );
}

/** Every verdict that there is, with how many questions have it. */
function verdictCounts(rows: readonly Row[], target: string): [string, string][] {
  const counts = new Map<string, number>();
  for (const { answers } of rows) {
    const own = answers.filter((answer) => answer !== undefined && (target === "" || answer.target.id === target));
    for (const verdict of new Set(own.map((answer) => (answer?.result.status === "skipped" ? "skipped" : (answer?.result.verdict ?? "")))))
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  return Object.entries(VERDICTS).flatMap(([verdict, word]): [string, string][] => {
    const n = counts.get(verdict);
    return n === undefined ? [] : [[verdict, `${word} (${n.toLocaleString("en")})`]];
  });
}

interface ChoiceProps {
  name: string;
  label: string;
  values: [string, string][];
  /** What it says when nothing is chosen; null: the first value is. */
  any?: string | null;
}

export function Choice({ name, label, values, any = "any" }: ChoiceProps) {
  return (
    <label class={`choice${param(name) === "" ? "" : " set"}`}>
      <span>{label}</span>
      <select
        value={param(name) || (any === null ? values[0]?.[0] : "")}
        onChange={(event) => go(here({ [name]: event.currentTarget.value }))}
      >
        {any !== null && <option value="">{any}</option>}
        {values.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Toggle({ name, children }: { name: string; children: preact.ComponentChildren }) {
  const isOn = param(name) !== "";
  return (
    <button
      type="button"
      class={`toggle${isOn ? " set" : ""}`}
      aria-pressed={isOn}
      onClick={() => go(here({ [name]: isOn ? undefined : "yes" }))}
    >
      {children}
    </button>
  );
}
