import type { WiredExam } from "../../../../src/reports/html/wire.ts";
import type { Rate } from "../../../../src/scores/scores.ts";
import { count, intervalText, number, oneLine } from "../../parts/words.ts";

/** How far the word of one target can be trusted about another: what a prediction is worth where both were asked. */
export function Agreements({ exam }: { exam: WiredExam }) {
  const pairs = exam.agreements.filter(({ n }) => n > 0);
  if (pairs.length === 0) return null;
  return (
    <section aria-labelledby="agreements">
      <h2 id="agreements">Do the targets agree?</h2>
      {pairs.slice(0, MOST_PAIRS).map(({ first, second, n, agreed, low, high, kappa, trust }) => (
        <div class="since" key={`${first} ${second}`}>
          <h3>
            {oneLine(first)} <span class="quiet">and</span> {oneLine(second)}
          </h3>
          <p>
            The same verdict on <b>{`${number(agreed)} of ${count(n, "question")}`}</b>
            <span class="quiet">
              {` ${intervalText({ low, high })}`}
              {kappa !== null && `, kappa ${kappa.toFixed(2).replace("-", "−")}`}
            </span>
          </p>
          {trust !== undefined && (
            <p class="quiet">
              {`${oneLine(trust.fails)} fails ${[
                given(trust.givenFail, `${oneLine(trust.says)} fails`),
                given(trust.givenPass, `${oneLine(trust.says)} passes`),
                given(trust.givenUnsure, `${oneLine(trust.says)} cannot tell`),
              ]
                .filter((part) => part !== "")
                .join(", ")}.`}
            </p>
          )}
        </div>
      ))}
    </section>
  );
}

/** With more targets, the pairs of the first one say enough. */
const MOST_PAIRS = 3;

function given(rate: Rate, when: string): string {
  return rate.n === 0
    ? ""
    : `${number(Math.round((rate.value ?? 0) * rate.n))} of the ${number(rate.n)} that ${when} ${intervalText(rate)}`;
}
