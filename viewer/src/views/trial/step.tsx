import type { PageStep } from "../../../../src/reporters/html/page-data.ts";
import { to } from "../../data/route.ts";
import { oneLine, time } from "../../parts/words.ts";
import { Moment } from "./moment.tsx";
import { Text } from "./text.tsx";
import { EVIDENCE } from "./words.ts";

/** A message, a call, or the loading of a skill. */
export function Step({ step, before, all }: { step: PageStep; before: PageStep | undefined; all: number }) {
  const isNewTurn = before === undefined || before.turn !== step.turn;
  const isPredicted = step.type === "activation" && step.evidence === "predicted";
  const head = (
    <>
      {isNewTurn && !isPredicted && <span class="turn">turn {step.turn}</span>}
      {step.agent !== undefined && <span class="flag">sub-agent {oneLine(step.agent)}</span>}
      {step.type !== "activation" && step.ms !== undefined && <Moment step={step} ms={step.ms} all={all} />}
    </>
  );
  const style = `step ${step.type}${step.agent === undefined ? "" : " inner"}`;
  if (step.type === "text")
    return (
      <li class={style}>
        {head}
        <Text text={step.text} />
      </li>
    );
  if (step.type === "activation")
    return (
      <li class={`${style} ${step.evidence}`}>
        {head}
        <p>
          <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <path d="M8 0L2 8h4l-1 6 7-9H7.5z" />
          </svg>
          <a href={to("skill", step.skill)}>{oneLine(step.skill)}</a> {EVIDENCE[step.evidence] ?? step.evidence}
        </p>
      </li>
    );
  return (
    <li class={style}>
      {head}
      <p class="tool">
        <code>{oneLine(step.tool)}</code>
        {step.ok === false && <span class="flag bad">failed</span>}
        {step.ok === undefined && <span class="quiet"> no result was seen</span>}
      </p>
      <Text text={step.input} code />
      {step.result !== undefined && step.result.text !== "" && (
        <div class="result">
          <span class="quiet">result{step.tookMs !== undefined && ` after ${time(step.tookMs)}`}</span>
          <Text text={step.result} code />
        </div>
      )}
    </li>
  );
}
