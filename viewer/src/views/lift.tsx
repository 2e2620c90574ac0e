import { scaleLinear } from "d3-scale";
import type { PageTarget } from "../../../src/reporters/html/page-data.ts";
import { casesText, liftWords } from "../../../src/reporters/text/lift-words.ts";
import type { Model } from "../data/model.ts";
import { to } from "../data/route.ts";
import { money, oneLine, time } from "../parts/words.ts";

type Lift = NonNullable<PageTarget["lift"]>;
type Span = Pick<Lift, "difference" | "low" | "high">;

/** What the skills add to their cases, if a baseline ran. */
export function LiftSection({ model }: { model: Model }) {
  const lifted = model.targets.flatMap((target) => (target.lift === undefined ? [] : [{ target, lift: target.lift }]));
  if (lifted.length === 0) return null;
  return (
    <section aria-labelledby="lift">
      <h2 id="lift">What the skills add</h2>
      {lifted.map(({ target, lift }) => (
        <div key={target.id} class="lift">
          <p>
            <b>{oneLine(target.id)}</b>: lift <b>{spanText(lift)}</b> over {casesText(lift)}
            <span class="quiet">
              {`, compared with: ${oneLine(lift.label)} · `} a run takes {armText(lift.with)} with the skill,{" "}
              {armText(lift.without)} otherwise
            </span>
          </p>
          <table class="lifts">
            <thead>
              <tr>
                <th scope="col">case</th>
                <th scope="col">with</th>
                <th scope="col">without</th>
                <th scope="col" class="plot">
                  difference
                </th>
                <th scope="col">the skill</th>
              </tr>
            </thead>
            <tbody>
              {lift.cases.map((one) => (
                <tr key={one.question}>
                  <td>
                    <a class="entry" href={to("question", one.question)}>
                      {oneLine(one.name ?? model.rowById.get(one.question)?.question.prompt ?? one.question).slice(
                        0,
                        120,
                      )}
                    </a>
                  </td>
                  <td data-label="with">{`${one.with.passed} of ${one.with.runs}`}</td>
                  <td data-label="without">{`${one.without.passed} of ${one.without.runs}`}</td>
                  <td>
                    <Difference span={one} />
                  </td>
                  <td data-label="the skill">{liftWords(one, lift.label)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
    </section>
  );
}

function armText({ usd, ms }: Pick<Lift["with"], "usd" | "ms">): string {
  return (
    [ms === null ? "" : time(ms), usd === null ? "" : money(usd)].filter((part) => part !== "").join(" and ") ||
    "an unknown time"
  );
}

/** `+0.40 [−.05 to +.80]`, for differences. */
export function spanText(span: Span): string {
  if (span.difference === null) return "not compared";
  return `${signed(span.difference)} ${boundsText(span)}`.trimEnd();
}

function boundsText({ low, high }: Span): string {
  return low === null || high === null ? "" : `[${signed(low)} to ${signed(high)}]`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : value > 0 ? "+" : ""}${Math.abs(value).toFixed(2)}`;
}

const at = scaleLinear().domain([-1, 1]).range([0, 100]);

/** A difference as a point with its interval, from −1 to +1; right of the middle is better. */
export function Difference({ span, n }: { span: Span; n?: number }) {
  if (span.difference === null) return <span class="quiet">—</span>;
  return (
    <div class="rate">
      <div class="numbers">
        <strong>{signed(span.difference)}</strong>
        <span class="quiet">{boundsText(span)}</span>
        {n !== undefined && <span class="quiet of">n {n}</span>}
      </div>
      <svg class="interval" width="100%" height="22" role="img" aria-label={`difference ${spanText(span)}`}>
        <line x1="0" x2="0" y1="2" y2="100%" class="end" />
        <line x1="50%" x2="50%" y1="2" y2="100%" class="zero" />
        <line x1="100%" x2="100%" y1="2" y2="100%" class="end" />
        {span.low !== null && span.high !== null && (
          <line x1={`${at(span.low)}%`} x2={`${at(span.high)}%`} y1="11" y2="11" class="range" />
        )}
        <svg x={`${at(span.difference)}%`} y="11" overflow="visible">
          <circle r="5" class="point" />
        </svg>
      </svg>
      <div class="scale" aria-hidden="true">
        <span>−1</span>
        <span>0</span>
        <span>+1</span>
      </div>
    </div>
  );
}
