import type { Rate } from "../../../src/model/score.ts";
import { Interval, Scale } from "./interval.tsx";

interface Props {
  title: string;
  hint: string;
  rate: Rate;
  /** The same rate in the previous run. */
  before: Rate | undefined;
  predicted: boolean;
  /** A share of questions, shown as `29 of 31`; otherwise a mean of hit rates, shown with its n. */
  share: boolean;
  /** The metric was explained above. */
  again: boolean;
}

export function Metric({ title, hint, again, ...rate }: Props) {
  return (
    <div class="metric">
      <p class={`title${again ? " again" : ""}`}>
        {title} <span class="quiet">{hint}</span>
      </p>
      <Interval name={title} {...rate} />
      <Scale />
    </div>
  );
}
