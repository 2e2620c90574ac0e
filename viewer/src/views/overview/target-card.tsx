import type { PageTarget } from "../../../../src/reporters/html/page-data.ts";
import type { WiredExam } from "../../../../src/reporters/html/wire.ts";
import { Metric } from "../../parts/metric.tsx";
import { oneLine } from "../../parts/words.ts";
import { Difference } from "../lift.tsx";
import { Facts } from "./facts.tsx";
import { Verdicts } from "./verdicts.tsx";

const RATES = [
  { rate: "score", title: "Score", hint: "questions that pass" },
  { rate: "recall", title: "Recall", hint: "fires when it should" },
  { rate: "fpr", title: "False positives", hint: "lower is better" },
  { rate: "precision", title: "Precision", hint: "right when it fires" },
] as const;

/** Targets are rows and rates are columns on one scale, so that targets compare vertically. */
export function TargetCard({ target, exam, first }: { target: PageTarget; exam: WiredExam; first: boolean }) {
  const { id, total, predicted, lift } = target;
  const before = exam.since.find(({ comparison }) => comparison.target === id)?.before;
  const hasTriggers = exam.plan.positive + exam.plan.negative > 0;
  return (
    <article class={`target${predicted ? " predicted" : ""}${hasTriggers ? "" : " few"}`} aria-label={oneLine(id)}>
      <div class="who">
        <h3>{oneLine(id)}</h3>
        <Nature target={target} />
        <Verdicts target={target} />
      </div>
      {(hasTriggers ? RATES : RATES.slice(0, 1)).map(({ rate, title, hint }) => (
        <Metric
          key={rate}
          title={title}
          hint={hint}
          rate={total[rate]}
          before={before?.[rate]}
          predicted={predicted}
          share={rate === "score"}
          again={!first}
        />
      ))}
      {lift !== undefined && !hasTriggers && (
        <div class="metric">
          <p class={`title${first ? "" : " again"}`}>
            Lift <span class="quiet">what the skills add</span>
          </p>
          <Difference span={lift} n={lift.n} />
        </div>
      )}
      <Facts target={target} hasTriggers={hasTriggers} />
    </article>
  );
}

/** The target's identity, or that it only predicts. */
function Nature({ target: { predicted, identity } }: { target: PageTarget }) {
  if (predicted)
    return (
      <p class="tag predicted">
        <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
          <path d="M0 -6L6 0L0 6L-6 0z" class="hollow dashed" />
        </svg>
        prediction, no agent ran
      </p>
    );
  const { host, version, model } = identity;
  const about = [host, version].filter((part) => part !== undefined).join(" ");
  const parts = [about, model === undefined ? "" : `model ${model}`];
  return <p class="quiet">{oneLine(parts.filter((part) => part !== "").join(", ")) || "measured"}</p>;
}
