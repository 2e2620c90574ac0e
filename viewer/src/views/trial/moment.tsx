import type { PageStep } from "../../../../src/reporters/html/page-data.ts";
import { time } from "../../parts/words.ts";

type Timed = Exclude<PageStep, { type: "activation" }>;

/** When a step was reported, on the time scale of the trial; a call lasts until its result. */
export function Moment({ step, ms, all }: { step: Timed; ms: number; all: number }) {
  const took = step.type === "call" ? (step.tookMs ?? 0) : 0;
  const at = (value: number) => `${Math.min(100, (100 * value) / Math.max(1, all))}%`;
  return (
    <span class="moment" title={`reported ${time(ms)} after the start`}>
      <svg width="100%" height="8" aria-hidden="true">
        <line x1="0" x2="100%" y1="4" y2="4" class="ground" />
        <line x1={at(ms)} x2={at(ms + took)} y1="4" y2="4" class="took" />
      </svg>
      <span class="unseen">after </span>
      {time(ms)}
    </span>
  );
}

/** Duration of the trial by its steps, since a cached answer has no duration of its own. */
export function wholeTime(trial: { ms: number }, steps: readonly PageStep[]): number {
  return steps.reduce(
    (most, step) => (step.type === "activation" ? most : Math.max(most, (step.ms ?? 0) + tookMs(step))),
    trial.ms,
  );
}

function tookMs(step: Timed): number {
  return step.type === "call" ? (step.tookMs ?? 0) : 0;
}
