import type { Rate } from "../../../../src/model/score.ts";
import type { WiredExam } from "../../../../src/reporters/html/wire.ts";
import { count, intervalText, number, oneLine } from "../../parts/words.ts";

/** How well targets agree where both were asked, which shows what a prediction is worth. */
export function Agreements({ exam }: { exam: WiredExam }) {
  const pairs = exam.agreements.filter(({ n, trust }) => n > 0 || (trust?.givenUnsure.n ?? 0) > 0);
  if (pairs.length === 0) return null;
  const further = pairs.slice(SHOWN_PAIRS);
  return (
    <section aria-labelledby="agreements">
      <h2 id="agreements">Do the targets agree?</h2>
      {pairs.slice(0, SHOWN_PAIRS).map(pairShown)}
      {further.length > 0 && (
        <details>
          <summary>{count(further.length, "more pair")}</summary>
          {further.map(pairShown)}
        </details>
      )}
    </section>
  );
}

/** Pairs shown before folding; those with the first target come first. */
const SHOWN_PAIRS = 3;

function pairShown({ first, second, n, agreed, low, high, kappa, trust }: WiredExam["agreements"][number]) {
  return (
    <div class="since" key={`${first} ${second}`}>
      <h3>
        {oneLine(first)} <span class="quiet">and</span> {oneLine(second)}
      </h3>
      {n > 0 && (
        <p>
          The same verdict on <b>{`${number(agreed)} of ${count(n, "question")}`}</b>
          <span class="quiet">
            {` ${intervalText({ low, high })}`}
            {kappa !== null && `, kappa ${kappa.toFixed(2).replace("-", "−")}`}
          </span>
        </p>
      )}
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
  );
}

function given(rate: Rate, when: string): string {
  return rate.n === 0
    ? ""
    : `${number(Math.round((rate.value ?? 0) * rate.n))} of the ${number(rate.n)} that ${when} ${intervalText(rate)}`;
}
