import type { PageTrial } from "../../../src/reporters/html/page-data.ts";
import { liftWords } from "../../../src/reporters/text/lift-words.ts";
import { type Answer, listOf, type Model, type Row } from "../data/model.ts";
import { listAddress, neighboursOf } from "../data/neighbours.ts";
import { to } from "../data/route.ts";
import { trialKey, trialsOf } from "../data/trials.ts";
import { Copy } from "../parts/copy.tsx";
import { Interval } from "../parts/interval.tsx";
import { Dot, Mark } from "../parts/marks.tsx";
import { Notes } from "../parts/notes.tsx";
import { Scroll } from "../parts/scroll.tsx";
import {
  expectation,
  money,
  number,
  oneLine,
  place,
  RUN_WORDS,
  runsText,
  safe,
  time,
  titleOf,
} from "../parts/words.ts";
import { Checks } from "./checks.tsx";
import { spanText } from "./lift.tsx";

export function QuestionView({ model, id }: { model: Model; id: string }) {
  const row = model.rowById.get(id);
  if (row === undefined) return <NotHere what="question" id={id} back="questions" />;
  const { question } = row;
  const answers = row.answers.filter((answer): answer is Answer => answer !== undefined);
  return (
    <article class="question">
      <div class="crumbs">
        <p>
          <a rel="up" href={listAddress(listOf(question))}>
            {question.kind === "case" ? "Cases" : "Questions"}
          </a>{" "}
          /{" "}
          {question.skill === undefined ? (
            "library"
          ) : (
            <a href={to("skill", question.skill)}>{oneLine(question.skill)}</a>
          )}
        </p>
        <Neighbours model={model} id={id} />
      </div>
      <h1 class="unseen">Question: {oneLine(titleOf(question)).slice(0, 120)}</h1>
      <div class="prompt-box">
        <blockquote class="prompt-whole">
          <bdi>{safe(question.prompt)}</bdi>
        </blockquote>
        <Copy text={question.prompt} what="the prompt" />
      </div>
      <dl class="pairs">
        <div>
          <dt>expected</dt>
          <dd>
            <bdi>{oneLine(question.skill ?? "library")}</bdi> {expectation(question)}
          </dd>
        </div>
        {question.name !== undefined && (
          <div>
            <dt>case</dt>
            <dd>{oneLine(question.name)}</dd>
          </div>
        )}
        <div>
          <dt>written in</dt>
          <dd>
            <code>{place(question)}</code>
          </dd>
        </div>
        {question.tags.length > 0 && (
          <div>
            <dt>tags</dt>
            <dd>
              {question.tags.map((tag) => (
                <a key={tag} class="flag" href={to("questions", "", { tag })}>
                  {oneLine(tag)}
                </a>
              ))}
            </dd>
          </div>
        )}
      </dl>
      {model.notes.has(row.at) && (
        <section aria-labelledby="said">
          <h2 id="said">What people say</h2>
          <Notes notes={model.notes.get(row.at) ?? []} />
        </section>
      )}
      {answers.map((answer) => (
        <AnswerSection key={answer.target.id} answer={answer} model={model} />
      ))}
      <Past model={model} row={row} />
    </article>
  );
}

/** Links to the neighbours in the list it was opened from. */
function Neighbours({ model, id }: { model: Model; id: string }) {
  const { place: at, of, before, next } = neighboursOf(model, id);
  if (of < 2) return null;
  return (
    <nav aria-label="Other questions" class="neighbours">
      {before !== undefined && (
        <a rel="prev" href={to("question", before)}>
          previous
        </a>
      )}
      <span class="quiet">{`${number(at)} of ${number(of)}`}</span>
      {next !== undefined && (
        <a rel="next" href={to("question", next)}>
          next
        </a>
      )}
    </nav>
  );
}

function AnswerSection({ answer, model }: { answer: Answer; model: Model }) {
  const { target, targetAt, result, question } = answer;
  const lift = target.lift?.cases.find((one) => one.question === question.id);
  const label = target.lift?.label ?? "";
  const known = trialsOf(model);
  const trials = [...result.runs].map((run, at) => ({
    run,
    number: at + 1,
    trial: known?.get(trialKey(targetAt, result.ask, at + 1)),
  }));
  return (
    <section class="answer" aria-label={`On ${oneLine(target.id)}`}>
      <div class="head">
        <h2>{oneLine(target.id)}</h2>
        <Mark verdict={result.verdict} words />
        {result.flaky && <span class="flag">flaky</span>}
        {result.change !== undefined && <span class="flag">{result.change} since the run before</span>}
        {target.predicted && <span class="flag">prediction</span>}
        {result.neverLoaded === true && <span class="flag bad">its skill was never loaded</span>}
      </div>
      {(result.why ?? result.reason) !== undefined && <p class="why">{oneLine(result.why ?? result.reason ?? "")}</p>}
      {result.status === "asked" && (
        <div class="runs">
          <ol class="trials">
            {trials.map(({ run, number, trial }) => {
              const dot = (
                <>
                  <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
                    <Dot run={run} x={7} y={7} />
                  </svg>
                  <span>
                    run {number}: {RUN_WORDS[run]}
                    {trial !== undefined && run !== "!" && <span class="quiet"> {firedText(trial)}</span>}
                    {trial?.error !== undefined && (
                      <span class="quiet"> {model.data.words.errors[trial.error.reason]}</span>
                    )}
                    {trial !== undefined && <span class="quiet spent">{spentText(trial)}</span>}
                  </span>
                </>
              );
              return (
                <li key={number}>
                  {trial === undefined ? (
                    <span>{dot}</span>
                  ) : (
                    <a
                      class="entry"
                      href={to("trial", trialKey(targetAt, result.ask, number), { question: question.id })}
                    >
                      {dot}
                    </a>
                  )}
                </li>
              );
            })}
          </ol>
          {!target.deterministic && result.measured > 0 && (
            <div class="hit">
              <p class="quiet">
                {question.kind === "case"
                  ? "runs that pass"
                  : question.role === "positive"
                    ? "runs in which it fired"
                    : "runs that were hits"}
              </p>
              <Interval rate={result.rate} name="hit rate" predicted={target.predicted} />
            </div>
          )}
        </div>
      )}
      {lift !== undefined && (
        <p>
          The skill: <b>{liftWords(lift, label)}</b>.{" "}
          {`With it ${lift.with.passed} of ${lift.with.runs} runs pass, ${oneLine(label)} ${lift.without.passed} of ${lift.without.runs}: lift ${spanText(lift)}.`}
        </p>
      )}
      {question.kind === "case" && (
        <Checks
          row={{ question, at: result.question }}
          trials={trials.flatMap(({ trial }) => (trial === undefined ? [] : [trial]))}
        />
      )}
      <p class="unseen">{runsText(result)}</p>
    </section>
  );
}

/** `4.1 s, $0.0032`. */
function spentText({ ms, costUsd, cached }: PageTrial): string {
  return [
    time(ms),
    costUsd === undefined || costUsd === 0 ? "" : money(costUsd),
    cached === undefined ? "" : "from the cache",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function firedText(trial: PageTrial): string {
  const fired = trial.fired.filter(({ evidence }) => evidence !== "refused" && evidence !== "mentioned");
  if (fired.length === 0) return trial.askedBack === true ? "asked a question back" : "no skill fired";
  return [...new Set(fired.map(({ skill, evidence }) => `${oneLine(skill)} ${evidence}`))].slice(0, 3).join(", ");
}

const SIGN_WORDS: Record<string, string> = { "+": "pass", "-": "fail", "?": "unsure", o: "inconclusive" };

/** Its results in stored runs. */
function Past({ model, row }: { model: Model; row: Row }) {
  const now = model.exam?.run.id;
  const runs = model.data.history.filter(({ targets }) =>
    targets.some(({ outcomes }) => (outcomes[row.at] ?? " ") !== " "),
  );
  if (runs.length < 2) return null;
  const targets = [...new Set(runs.flatMap((run) => run.targets.map(({ id }) => id)))];
  return (
    <section aria-labelledby="past">
      <h2 id="past">In the kept runs</h2>
      <Scroll label="Runs" atEnd>
        <table class="past">
          <thead>
            <tr>
              <th scope="col">target</th>
              {runs.map(({ run }) => (
                <th key={run} scope="col" class={run === now ? "now" : ""}>
                  <span>{run}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {targets.map((target) => (
              <tr key={target}>
                <th scope="row">{oneLine(target)}</th>
                {runs.map((run) => {
                  const sign = run.targets.find(({ id }) => id === target)?.outcomes[row.at] ?? " ";
                  return (
                    <td key={run.run}>{sign === " " ? "—" : <Mark verdict={SIGN_WORDS[sign] ?? "inconclusive"} />}</td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

export function NotHere({ what, id, back }: { what: string; id: string; back: string }) {
  return (
    <>
      <h1>There is no such {what} in this run</h1>
      <p>
        <code>{oneLine(id).slice(0, 200)}</code>
      </p>
      <p>
        <a rel="up" href={to(back)}>
          Show all
        </a>
      </p>
    </>
  );
}
