import { type Row, worstAnswer } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { Dots, Mark } from "../../parts/marks.tsx";
import { memo } from "../../parts/memo.ts";
import { expectation, oneLine, place, titleOf } from "../../parts/words.ts";

/** A question in the list: its prompt, why it fails, and a verdict per target. */
export const QuestionRow = memo(({ row, at, targets }: { row: Row; at: number; targets: number[] }) => {
  const { question } = row;
  const why = worstAnswer(row, targets)?.result.why;
  return (
    <tr aria-rowindex={at + 2} class="row">
      <td class="what">
        <a class="entry" href={to("question", question.id)}>
          <bdi class="prompt">{oneLine(titleOf(question)).slice(0, 400)}</bdi>
          <span class="quiet">{why === undefined ? place(question) : oneLine(why)}</span>
        </a>
      </td>
      <td class="wide">
        <a href={question.skill === undefined ? to("skills") : to("skill", question.skill)}>
          {oneLine(question.skill ?? "library")}
        </a>
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
