import type { PageTarget } from "../../../../src/reporters/html/page-data.ts";
import { Interval, Scale } from "../../parts/interval.tsx";
import { oneLine } from "../../parts/words.ts";

const RATES = [
  { rate: "score", title: "passed" },
  { rate: "recall", title: "recall" },
  { rate: "fpr", title: "false positives" },
] as const;

export function Rates({ measured }: { measured: { target: PageTarget; rates: PageTarget["skills"][number] }[] }) {
  if (measured.length === 0) return null;
  return (
    <section aria-label="Rates">
      <table class="rates">
        <thead>
          <tr>
            <th scope="col">target</th>
            {RATES.map(({ rate, title }) => (
              <th key={rate} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measured.map(({ target, rates }) => (
            <tr key={target.id}>
              <th scope="row">
                {oneLine(target.id)}
                {target.predicted && <span class="quiet"> predicted</span>}
              </th>
              {RATES.map(({ rate, title }) => (
                <td key={rate} data-label={title}>
                  <Interval rate={rates[rate]} name={title} predicted={target.predicted} share={rate === "score"} />
                  <Scale />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
