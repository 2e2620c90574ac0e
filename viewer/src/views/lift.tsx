import { scaleLinear } from "d3-scale";
import type { PageTarget } from "../../../src/reports/html/page-data.ts";
import type { Model } from "../data/model.ts";
import { to } from "../data/route.ts";
import { count, money, oneLine, time } from "../parts/words.ts";

type Lift = NonNullable<PageTarget["lift"]>;
type Span = Pick<Lift, "difference" | "low" | "high">;

/** What the skills add to their cases, where a baseline ran. */
export function LiftSection({ model }: { model: Model }) {
  const lifted = model.targets.flatMap((target) => (target.lift === undefined ? [] : [{ target, lift: target.lift }]));
  if (lifted.length === 0) return null;
  return (
    <section aria-labelledby="lift">
      <h2 id="lift">What the skills add</h2>
      {lifted.map(({ target, lift }) => (
        <div key={target.id} class="lift">
          <p>
            <b>{oneLine(target.id)}</b>, compared with {oneLine(lift.label)}: {spanText(lift)} over {count(lift.n, "case")}
            <span class="quiet">
              {" "}
              · with {armText(lift.with)}; without {armText(lift.without)}
            </span>
          </p>
          <table class="lifts">
            <thead>
              <tr>
                <th scope="col">case</th>
                <th scope="col">with</th>
                <th scope="col">without</th>
                <th scope="col" class="plot">
                  difference, from −1 to +1
                </th>
                <th scope="col">the skill</th>
              </tr>
            </thead>
            <tbody>
              {lift.cases.map((one) => (
                <tr key={one.question}>
                  <td>
                    <a class="entry" href={to("question", one.question)}>
                      {oneLine(one.name ?? model.rowById.get(one.question)?.question.prompt ?? one.question).slice(0, 120)}
                    </a>
                  </td>
                  <td>{`${one.with.passed} of ${one.with.runs}`}</td>
                  <td>{`${one.without.passed} of ${one.without.runs}`}</td>
                  <td>
                    <Difference span={one} />
                  </td>
                  <td>{one.mark}</td>
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
  return [ms === null ? "" : time(ms), usd === null ? "" : money(usd)].filter((part) => part !== "").join(", ") || "cost not known";
}

/** `+0.40 [−.05 to +.80]`: of a difference, where the sign is the point. */
export function spanText({ difference, low, high }: Span): string {
  if (difference === null) return "not compared";
  return low === null || high === null ? signed(difference) : `${signed(difference)} [${signed(low)} to ${signed(high)}]`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : value > 0 ? "+" : ""}${Math.abs(value).toFixed(2)}`;
}

const at = scaleLinear().domain([-1, 1]).range([0, 100]);

function Difference({ span }: { span: Span }) {
  if (span.difference === null) return <span class="quiet">—</span>;
  return (
    <>
      <span>{spanText(span)}</span>
      <svg class="interval" width="100%" height="18" role="img" aria-label={`difference ${spanText(span)}`}>
        <line x1="50%" x2="50%" y1="0" y2="100%" class="end" />
        {span.low !== null && span.high !== null && <line x1={`${at(span.low)}%`} x2={`${at(span.high)}%`} y1="9" y2="9" class="range" />}
        <svg x={`${at(span.difference)}%`} y="9" overflow="visible">
          <circle r="5" class="point" />
        </svg>
      </svg>
    </>
  );
}
