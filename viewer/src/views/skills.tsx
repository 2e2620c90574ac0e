import { useMemo } from "preact/hooks";
import type { PageTarget } from "../../../src/reporters/html/page-data.ts";
import type { Model, Row } from "../data/model.ts";
import { param, to } from "../data/route.ts";
import { Interval } from "../parts/interval.tsx";
import { SortHead } from "../parts/sort-head.tsx";
import { chosenTarget, TargetChoice } from "../parts/target-choice.tsx";
import { VirtualTable } from "../parts/virtual.tsx";
import { count, intervalText, number, oneLine, rateText, shareText, VERDICTS } from "../parts/words.ts";

import { shownOf } from "./shown.ts";

type SkillRates = PageTarget["skills"][number];

interface SkillRow {
  skill: string;
  rates: SkillRates | undefined;
  rows: Row[];
  shown: string;
  problems: number;
  takenBy: { skill: string; prompts: number }[];
}

export function SkillsView({ model }: { model: Model }) {
  const chosen = chosenTarget(model);
  const [sort, q] = [param("sort") || "score", param("q").toLowerCase()];
  const rows = useMemo(() => {
    const all = skillRows(model, chosen?.target, chosen?.at ?? 0);
    return sorted(
      q === ""
        ? all
        : all.filter(
            ({ skill, rows: questions }) =>
              skill.toLowerCase().includes(q) || questions.some(({ text }) => text().includes(q)),
          ),
      sort,
    );
  }, [model, chosen?.at, sort, q]);
  const predicted = chosen?.target.predicted === true;
  const hasShown = rows.some(({ shown }) => shown !== "");
  return (
    <>
      <h1>Skills</h1>
      <TargetChoice model={model} />
      <div class="above-list">
        <p class="quiet" role="status">
          {rows.length === model.data.library.skills.length
            ? count(rows.length, "skill")
            : `${number(rows.length)} of ${count(model.data.library.skills.length, "skill")}`}
          {predicted && " · predicted from the cards, no agent ran"}
        </p>
        <MultiplesLegend rows={rows} target={chosen?.at ?? 0} />
      </div>
      <VirtualTable
        class="list skills"
        label="Skills"
        items={rows}
        height={58}
        head={
          <tr>
            <SortHead name="skill" now={sort}>
              skill
            </SortHead>
            <SortHead name="score" now={sort} class="plot">
              passed
            </SortHead>
            <SortHead name="recall" now={sort} class="plot wide">
              recall
            </SortHead>
            <SortHead name="fpr" now={sort} class="plot wide">
              false positives
            </SortHead>
            <th scope="col" class="wide">
              its questions
            </th>
            <SortHead name="takes" now={sort} class="wider">
              takes from · loses to
            </SortHead>
            {hasShown && (
              <SortHead name="shown" now={sort} class="wider">
                shown as
              </SortHead>
            )}
          </tr>
        }
        row={(row, at) => (
          <SkillLine
            key={row.skill}
            row={row}
            at={at}
            predicted={predicted}
            target={chosen?.at ?? 0}
            hasShown={hasShown}
          />
        )}
      />
    </>
  );
}

function SkillLine({
  row,
  at,
  predicted,
  target,
  hasShown,
}: {
  row: SkillRow;
  at: number;
  predicted: boolean;
  target: number;
  hasShown: boolean;
}) {
  const { skill, rates, rows, shown, problems, takenBy } = row;
  const plot = (rate: SkillRates["score"] | undefined, name: string, share = false) =>
    rate === undefined || rate.value === null ? (
      <span class="quiet">—</span>
    ) : (
      <div class="small">
        <span>
          {share ? shareText(rate) : rateText(rate)} <span class="quiet">{intervalText(rate)}</span>
        </span>
        <Interval rate={rate} name={`${name} of ${skill}`} predicted={predicted} bare />
      </div>
    );
  return (
    <tr aria-rowindex={at + 2} class="row">
      <td class="what">
        <a class="entry" href={to("skill", skill)}>
          <bdi class="prompt">{oneLine(skill)}</bdi>
          <span class="quiet">
            {rows.length === 0 ? "no question: nothing is known" : count(rows.length, "question")}
            {problems > 0 && ` · ${count(problems, "problem")}`}
          </span>
        </a>
      </td>
      <td class="plot">{plot(rates?.score, "score", true)}</td>
      <td class="plot wide">{plot(rates?.recall, "recall")}</td>
      <td class="plot wide">{plot(rates?.fpr, "false positives")}</td>
      <td class="wide">
        <Multiples rows={rows} target={target} />
      </td>
      <td class="wider names">
        {rates !== undefined && rates.takesFrom.length > 0 && <span>takes from {listed(rates.takesFrom)}</span>}
        {takenBy.length > 0 && <span class="quiet">loses to {listed(takenBy)}</span>}
      </td>
      {hasShown && <td class="wider">{shown}</td>}
    </tr>
  );
}

/** The most frequent one, and the number of others. */
function listed(all: { skill: string; prompts: number }[]): string {
  const [first] = all.toSorted((one, other) => other.prompts - one.prompts);
  if (first === undefined) return "";
  return `${oneLine(first.skill)} ×${number(first.prompts)}${all.length > 1 ? ` +${all.length - 1}` : ""}`;
}

const MARKS: [verdict: string, word: string][] = [
  ["pass", "passes"],
  ["fail", "fails"],
  ["unsure", "cannot tell"],
  ["inconclusive", "no verdict"],
  ["none", "not asked"],
];

/** Explains the marks that occur. */
function MultiplesLegend({ rows, target }: { rows: SkillRow[]; target: number }) {
  const marks = useMemo(() => {
    const seen = new Set(rows.flatMap((row) => row.rows.map((one) => verdictOn(one, target))));
    return MARKS.filter(([verdict]) => seen.has(verdict));
  }, [rows, target]);
  if (marks.length === 0) return null;
  return (
    <p class="dot-legend quiet wide">
      its questions, those that should activate it above, the others below:
      {marks.map(([verdict, word]) => (
        <span key={verdict}>
          <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
            <Multiple verdict={verdict} x={1} y={1} />
          </svg>
          {word}
        </span>
      ))}
    </p>
  );
}

/** One mark per question: positives above, negatives below. */
function Multiples({ rows, target }: { rows: Row[]; target: number }) {
  const lines = ["positive", "negative"].map((role) => {
    const own = rows.filter(({ question }) => question.role === role);
    // What was not asked comes last.
    return own.toSorted((a, b) => Number(verdictOn(a, target) === "none") - Number(verdictOn(b, target) === "none"));
  });
  const widest = Math.min(20, Math.max(1, ...lines.map((line) => line.length)));
  const words = lines.map(
    (line, at) =>
      `${at === 0 ? "should activate" : "should not"}: ${line.map((row) => VERDICTS[verdictOn(row, target)] ?? "not asked").join(", ")}`,
  );
  return (
    <svg
      class="multiples"
      width={widest * 9 + 2}
      height="22"
      viewBox={`0 0 ${widest * 9 + 2} 22`}
      role="img"
      aria-label={words.join("; ")}
    >
      {lines.map((line, at) =>
        line.slice(0, 20).map((row, column) => {
          return <Multiple key={row.question.id} verdict={verdictOn(row, target)} x={column * 9 + 1} y={at * 11 + 1} />;
        }),
      )}
    </svg>
  );
}

function verdictOn({ answers }: Row, target: number): string {
  const result = answers[target]?.result;
  return result === undefined || result.status === "skipped" ? "none" : result.verdict;
}

function Multiple({ verdict, x, y }: { verdict: string; x: number; y: number }) {
  switch (verdict) {
    case "fail":
      return <path d={`M${x + 4} ${y - 0.5}l4.5 4.5-4.5 4.5-4.5-4.5z`} class="dot wrong" />;
    case "pass":
      return <circle cx={x + 4} cy={y + 4} r="3.7" class="dot right" />;
    case "none":
      return <circle cx={x + 4} cy={y + 4} r="1.3" class="dot none" />;
    default:
      return <circle cx={x + 4} cy={y + 4} r="3.2" class={`dot ${verdict === "unsure" ? "open" : "unknown"}`} />;
  }
}

function skillRows(model: Model, target: PageTarget | undefined, at: number): SkillRow[] {
  const rates = new Map(target?.skills.map((skill) => [skill.skill, skill]));
  const shown = shownOf(model, at);
  const takenBy = new Map<string, { skill: string; prompts: number }[]>();
  for (const { thief, victim, prompts } of target?.steals ?? [])
    takenBy.set(victim, [...(takenBy.get(victim) ?? []), { skill: thief, prompts }]);
  return model.data.library.skills.map(({ id, problems }) => ({
    skill: id,
    rates: rates.get(id),
    rows: model.rowsBySkill.get(id) ?? [],
    shown: shown.get(id) ?? "",
    problems: problems?.length ?? 0,
    takenBy: takenBy.get(id) ?? [],
  }));
}

function sorted(rows: SkillRow[], sort: string): SkillRow[] {
  const name = sort.replace(/^-/, "");
  const value = ({ skill, rates, shown }: SkillRow): string | number => {
    switch (name) {
      case "score":
        return rates?.score.value ?? 2;
      case "recall":
        return rates?.recall.value ?? 2;
      case "fpr":
        return -(rates?.fpr.value ?? -1);
      case "takes":
        return -(rates?.takesFrom.reduce((sum, { prompts }) => sum + prompts, 0) ?? 0);
      case "shown":
        return shown;
      default:
        return skill.toLowerCase();
    }
  };
  const keyed = rows.map((row, at) => ({ row, at, value: value(row) }));
  keyed.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : a.at - b.at));
  if (sort.startsWith("-")) keyed.reverse();
  return keyed.map(({ row }) => row);
}
