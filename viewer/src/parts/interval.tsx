import { scaleLinear } from "d3-scale";
import type { Rate } from "../../../src/model/score.ts";
import { intervalText, number, rateText, shareText, whole } from "./words.ts";

const at = scaleLinear().domain([0, 1]).range([0, 100]);
const TICKS = at.ticks(4);

interface Props {
  rate: Rate;
  name: string;
  /** Predictions are hollow and dashed, to set them apart from measurements. */
  predicted?: boolean;
  /** The same rate in the previous run. */
  before?: Rate;
  /** A share of questions, shown as a fraction; otherwise a mean of hit rates, shown with its n. */
  share?: boolean;
  /** Without numbers. */
  bare?: boolean;
}

/** A rate as a point with its 95 % interval, from 0 to 1, always on the same scale. */
export function Interval({ rate, name, predicted = false, before, share = false, bare = false }: Props) {
  const plot = (
    <svg
      class={`interval${predicted ? " predicted" : ""}`}
      width="100%"
      height={before === undefined ? 22 : 30}
      role="img"
      aria-label={whole(rate, name)}
    >
      {TICKS.map((tick) => (
        <line
          key={tick}
          x1={`${at(tick)}%`}
          x2={`${at(tick)}%`}
          y1="2"
          y2="100%"
          class={tick === 0 || tick === 1 ? "end" : "tick"}
        />
      ))}
      {rate.value === null ? (
        <text x="50%" y="15" class="nothing">
          not measured
        </text>
      ) : (
        <>
          {rate.low !== null && rate.high !== null && (
            <line x1={`${at(rate.low)}%`} x2={`${at(rate.high)}%`} y1="11" y2="11" class="range" />
          )}
          <svg x={`${at(rate.value)}%`} y="11" overflow="visible">
            {predicted ? <path d="M0 -6.5L6.5 0L0 6.5L-6.5 0z" class="point" /> : <circle r="5" class="point" />}
          </svg>
        </>
      )}
      {before !== undefined && before.value !== null && (
        <>
          {before.low !== null && before.high !== null && (
            <line x1={`${at(before.low)}%`} x2={`${at(before.high)}%`} y1="24" y2="24" class="range past" />
          )}
          <svg x={`${at(before.value)}%`} y="24" overflow="visible">
            <circle r="3" class="point past">
              <title>{whole(before, `${name} in the previous run`)}</title>
            </circle>
          </svg>
        </>
      )}
    </svg>
  );
  if (bare) return plot;
  return (
    <div class="rate">
      <div class="numbers">
        <strong>{rateText(rate)}</strong> <span class="quiet">{intervalText(rate)}</span>
        <span class="quiet of"> {rate.value === null ? "" : share ? shareText(rate) : `n ${number(rate.n)}`}</span>
      </div>
      {plot}
    </div>
  );
}

/** The scale that the plots above or below share. */
export function Scale() {
  return (
    <div class="scale" aria-hidden="true">
      <span>0</span>
      <span>.5</span>
      <span>1</span>
    </div>
  );
}
