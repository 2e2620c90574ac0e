import type { Answer, Model } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { Dots, Mark } from "../../parts/marks.tsx";
import { Prompt } from "../../parts/prompt.tsx";
import { expectation, number, oneLine, place, titleOf } from "../../parts/words.ts";

const MOST_WRONG = 12;

/** Failed questions with their causes, worded as in the terminal. */
export function Wrong({ model }: { model: Model }) {
  const failing = model.rows.flatMap((row) => {
    const answers = row.answers.filter((answer): answer is Answer => answer?.result.verdict === "fail");
    return answers.length === 0 ? [] : [{ row, answers }];
  });
  const measuredFirst = failing.sort((a, b) => Number(isPredicted(a.answers)) - Number(isPredicted(b.answers)));
  const unmeasured = model.targets.every(({ total }) => total.coverage.verdicts === 0);
  return (
    <section class="wrong" aria-labelledby="wrong">
      <h2 id="wrong">What fails</h2>
      <Causes model={model} />
      {failing.length === 0 && (
        <p class="quiet">{unmeasured ? "Nothing is known: no question has a verdict." : "No question fails."}</p>
      )}
      <ol class="questions">
        {measuredFirst.slice(0, MOST_WRONG).map(({ row, answers }) => (
          <li key={row.question.id}>
            <a class="entry" href={to("question", row.question.id)}>
              <Mark verdict="fail" />
              <span class="what">
                <Prompt text={titleOf(row.question)} />
                <span class="quiet">
                  <bdi>{oneLine(row.question.skill ?? "library")}</bdi> {expectation(row.question)} ·{" "}
                  {place(row.question)}
                </span>
                {answers.map(({ target, result }) => (
                  <span class="why" key={target.id}>
                    {model.targets.length > 1 && <b>{oneLine(target.id)} </b>}
                    {!target.deterministic && <Dots result={result} />} {oneLine(result.why ?? "")}
                  </span>
                ))}
              </span>
            </a>
          </li>
        ))}
      </ol>
      {failing.length > MOST_WRONG && (
        <p>
          <a href={to("questions", "", { verdict: "fail" })}>All {number(failing.length)} that fail</a>
        </p>
      )}
    </section>
  );
}

/** Why questions fail, the most frequent cause first. */
function Causes({ model }: { model: Model }) {
  const counts = new Map<string, Set<number>>();
  for (const { results } of model.targets)
    for (const { verdict, causes, question } of results) {
      if (verdict !== "fail") continue;
      for (const cause of Object.keys(causes)) counts.set(cause, (counts.get(cause) ?? new Set()).add(question));
    }
  if (counts.size < 2) return null;
  return (
    <p class="chips">
      {[...counts]
        .sort(([, a], [, b]) => b.size - a.size)
        .map(([cause, questions]) => (
          <a key={cause} class="chip" href={to("questions", "", { verdict: "fail", cause })}>
            <b>{number(questions.size)}</b> {model.data.words.causes[cause] ?? cause}
          </a>
        ))}
    </p>
  );
}

function isPredicted(answers: readonly Answer[]): boolean {
  return answers.every(({ target }) => target.predicted);
}
