import { listOf, type Model } from "../../data/model.ts";
import { listAddress } from "../../data/neighbours.ts";
import { param, to } from "../../data/route.ts";
import { trialKey, trialsOf } from "../../data/trials.ts";
import { Prompt } from "../../parts/prompt.tsx";
import { oneLine, safe, titleOf } from "../../parts/words.ts";
import { NotHere } from "../question.tsx";
import { Answered } from "./answered.tsx";
import { Facts } from "./facts.tsx";
import { Outcome } from "./outcome.tsx";
import { Predicted } from "./predicted.tsx";
import { RunTabs } from "./run-tabs.tsx";
import { Shown } from "./shown.tsx";
import { Steps } from "./steps.tsx";

export function TrialView({ model, id }: { model: Model; id: string }) {
  const [at = "", ask = "", run = ""] = id.split(" ");
  const trials = trialsOf(model);
  if (trials === undefined) return <h1 class="quiet">Reading the trials …</h1>;
  const trial = trials.get(trialKey(Number(at), ask, Number(run)));
  const target = model.targets[Number(at)];
  if (trial === undefined || target === undefined) return <NotHere what="trial" id={id} back="questions" />;
  const rows = model.rows.filter((row) => row.answers[trial.target]?.result.ask === trial.ask);
  const about = rows.find(({ question }) => question.id === param("question")) ?? rows[0];
  return (
    <article class="trial">
      <p class="crumbs">
        {about === undefined ? (
          <a rel="up" href={to("questions")}>
            Questions
          </a>
        ) : (
          <a href={listAddress(listOf(about.question))}>{about.question.kind === "case" ? "Cases" : "Questions"}</a>
        )}
        {about !== undefined && (
          <>
            {" / "}
            <a rel="up" href={to("question", about.question.id)}>
              <Prompt text={titleOf(about.question)} plain />
            </a>
          </>
        )}
      </p>
      <h1>
        {oneLine(target.id)}, run {trial.run}
      </h1>
      {about !== undefined && <RunTabs row={about} trial={trial} trials={trials} />}
      <Steps model={model} trial={trial} target={target.id} prompt={about?.question.prompt ?? ""} />
      <aside class="trial-facts">
        <Outcome model={model} trial={trial} />
        {trial.reason !== undefined && (
          <blockquote class="card-text" aria-label="The judge's reason">
            <bdi>{safe(trial.reason).slice(0, 4000)}</bdi>
          </blockquote>
        )}
        <Facts trial={trial} />
        <Answered rows={rows} trial={trial} />
        <Shown model={model} trial={trial} />
        <Predicted trial={trial} />
      </aside>
    </article>
  );
}
