import { type Answer, type Model, type Row, worstAnswer } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { Mark } from "../../parts/marks.tsx";
import { Prompt } from "../../parts/prompt.tsx";
import { count, expectation, place, titleOf } from "../../parts/words.ts";
import { Answers } from "./answers.tsx";

interface Group {
  title: string;
  rows: { row: Row; verdict: string }[];
}

/** Each question once, grouped by its worst measured answer, the worst first. */
export function Groups({ model, rows }: { model: Model; rows: Row[] }) {
  if (rows.length === 0) return <p>No question is about this skill, so nothing is known about it.</p>;
  const targets = model.targets.map((_, at) => at);
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const answer = worstAnswer(row, targets);
    if (answer === undefined) continue;
    const { key, title } = groupOf(answer, model);
    const group = groups.get(key) ?? { title, rows: [] };
    group.rows.push({ row, verdict: answer.result.status === "skipped" ? "skipped" : answer.result.verdict });
    groups.set(key, group);
  }
  return (
    <>
      {[...groups]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, group]) => (
          <GroupSection key={key} group={group} isFolded={key >= "4" && rows.length > 24} />
        ))}
    </>
  );
}

function groupOf({ result, target }: Answer, { data }: Model): { key: string; title: string } {
  const as = target.predicted ? ", as predicted" : "";
  if (result.status === "skipped") return { key: "6", title: "Skipped" };
  if (result.status === "invalid") return { key: "5", title: "Invalid" };
  if (result.verdict === "pass")
    return result.flaky ? { key: "1", title: "Passes, but is flaky" } : { key: `4${as}`, title: `Passes${as}` };
  if (result.verdict === "fail")
    return {
      key: `0 ${result.cause ?? ""}${as}`,
      title: `Fails: ${data.words.causes[result.cause ?? ""] ?? "for another reason"}${as}`,
    };
  return result.verdict === "unsure" ? { key: "3", title: "Cannot be told" } : { key: "2", title: "No verdict" };
}

function GroupSection({ group: { title, rows }, isFolded }: { group: Group; isFolded: boolean }) {
  const list = (
    <ul class="questions">
      {rows.map(({ row, verdict }) => (
        <li key={row.question.id}>
          <a class="entry" href={to("question", row.question.id)}>
            <Mark verdict={verdict} />
            <span class="what">
              <Prompt text={titleOf(row.question)} />
              <span class="quiet">
                {expectation(row.question)} · {place(row.question)}
              </span>
              <Answers row={row} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <section class="group">
      <h2>
        {title} <span class="quiet">{rows.length}</span>
      </h2>
      {isFolded ? (
        <details>
          <summary>Show {count(rows.length, "question")}</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </section>
  );
}
