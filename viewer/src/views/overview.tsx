import type { PageTarget } from "../../../src/reports/html/page-data.ts";
import type { ShownExam } from "../../../src/reports/html/wire.ts";
import type { Answer, Model } from "../data/model.ts";
import { to } from "../data/route.ts";
import { Command } from "../parts/command.tsx";
import { Interval, Scale } from "../parts/interval.tsx";
import { Dots, Mark } from "../parts/marks.tsx";
import { count, expectation, moment, money, oneLine, place, time } from "../parts/words.ts";
import { StateNotes } from "./state-notes.tsx";

/** Is it good, and did it change? */
export function OverviewView({ model }: { model: Model }) {
  const exam = model.exam;
  if (exam === null) return null;
  const { run, plan } = exam;
  return (
    <div class="overview">
      <div class="headline">
        <h1>{headline(exam)}</h1>
        <p class="quiet">
          Run {oneLine(run.id)}, {moment(run.startedAt)}
          {run.endedAt !== undefined && `, took ${time(Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt)))}`}
          {" · "}
          {count(run.library.skills, "skill")} (library <code>{oneLine(run.library.fingerprint.slice(0, 6))}</code>)
          {run.git !== undefined && (
            <>
              {" · commit "}
              <code>{oneLine(run.git.commit.slice(0, 8))}</code>
              {run.git.dirty === true && " with changes"}
            </>
          )}
          {" · "}
          {count(plan.questions, "question")}: {plan.positive} should activate, {plan.negative} should not
          {plan.cases > 0 && `, ${count(plan.cases, "case")}`}
          {run.saved.trials > 0 &&
            ` · early stop saved ${count(run.saved.trials, "trial")}${run.saved.usd !== undefined && run.saved.usd > 0 ? ` (${money(run.saved.usd)})` : ""}`}
        </p>
      </div>
      <StateNotes model={model} />
      {exam.targets.length > 0 && (
        <section aria-labelledby="targets">
          <h2 id="targets" class="unseen">
            Targets
          </h2>
          <div class="targets">
            {exam.targets
              .toSorted((a, b) => Number(a.predicted) - Number(b.predicted))
              .map((target, at) => (
                <TargetCard key={target.id} target={target} exam={exam} first={at === 0} />
              ))}
          </div>
          <Legend exam={exam} />
        </section>
      )}
      <div class="columns">
        <Wrong model={model} />
        <div class="aside">
          <Changes model={model} />
          <Thefts exam={exam} />
          <Gates exam={exam} />
          <Next exam={exam} />
        </div>
      </div>
    </div>
  );
}

function headline({ targets, plan, run }: ShownExam): string {
  if (plan.questions === 0) return "Nothing was asked";
  const measured = targets.filter(({ total }) => total.coverage.verdicts > 0);
  if (measured.length === 0) return run.goesOn ? "No verdict yet" : "Nothing was measured: no question has a verdict";
  const one = measured.length === 1 ? measured[0] : undefined;
  if (one !== undefined) return `${sentence(one)}${one.predicted ? ", as predicted from the cards" : ""}`;
  const failing = measured.filter((target) => failed(target) > 0);
  if (failing.length === 0) return `All questions with a verdict pass on ${measured.length} targets`;
  const all = new Set(
    failing.flatMap(({ results }) => results.filter(({ verdict }) => verdict === "fail").map(({ question }) => question)),
  );
  return `${count(all.size, "question")} ${all.size === 1 ? "fails" : "fail"} on ${failing.length === measured.length ? `${measured.length === 2 ? "one of 2 targets or on both" : `at least one of ${measured.length} targets`}` : `${failing.length} of ${measured.length} targets`}`;
}

function failed({ results }: PageTarget): number {
  return results.filter(({ verdict }) => verdict === "fail").length;
}

function sentence(target: PageTarget): string {
  const { verdicts, planned } = target.total.coverage;
  const wrong = failed(target);
  if (wrong > 0) return `${wrong} of ${count(verdicts, "question")} ${wrong === 1 ? "fails" : "fail"}`;
  return `All ${count(verdicts, "question")}${verdicts < planned ? " with a verdict" : ""} pass`;
}

/** Targets are rows, rates are columns: what is compared stands one above the other, on one scale. */
function TargetCard({ target, exam, first }: { target: PageTarget; exam: ShownExam; first: boolean }) {
  const { id, total, predicted, trials } = target;
  const before = exam.since.find(({ comparison }) => comparison.target === id)?.before;
  const { host, version, model } = target.identity;
  const about = [host, version].filter((part) => part !== undefined).join(" ");
  return (
    <article class={`target${predicted ? " predicted" : ""}`} aria-label={oneLine(id)}>
      <div class="who">
        <h3>{oneLine(id)}</h3>
        {predicted ? (
          <p class="tag predicted">
            <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
              <path d="M0 -6L6 0L0 6L-6 0z" class="hollow dashed" />
            </svg>
            prediction, no agent ran
          </p>
        ) : (
          <p class="quiet">
            {oneLine([about, model === undefined ? "" : `model ${model}`].filter((part) => part !== "").join(", ")) || "measured"}
          </p>
        )}
        <Verdicts target={target} />
      </div>
      <Metric title="Score" hint="questions that pass" rate={total.score} before={before?.score} predicted={predicted} first={first} />
      <Metric title="Recall" hint="fires when it should" rate={total.recall} before={before?.recall} predicted={predicted} first={first} />
      <Metric title="False positives" hint="lower is better" rate={total.fpr} before={before?.fpr} predicted={predicted} first={first} />
      <Metric
        title="Precision"
        hint="right when it fires"
        rate={total.precision}
        before={before?.precision}
        predicted={predicted}
        first={first}
      />
      <ul class="facts">
        {predicted && target.note !== undefined && <li class="note">{oneLine(target.note)}</li>}
        <li>
          <b>{costText(trials.cost)}</b>{" "}
          {trials.perTrial.usd !== null && trials.perTrial.usd > 0 && `(${money(trials.perTrial.usd)} a trial)`}
        </li>
        <li>
          <b>{count(trials.total, "trial")}</b>
          {trials.perTrial.ms !== null && `, ${time(trials.perTrial.ms)} each`}
        </li>
        <li>
          verdicts on <b>{`${total.coverage.verdicts} of ${total.coverage.planned}`}</b>
          {total.coverage.skipped > 0 && `, ${total.coverage.skipped} skipped`}
        </li>
        <Errors target={target} />
        {total.flaky > 0 && (
          <li>
            <a href={to("questions", "", { flaky: "yes", target: id })}>{total.flaky} flaky</a>
          </li>
        )}
        {trials.cached > 0 && (
          <li>
            {trials.cached} from the cache{trials.savedUsd > 0 && `, saved ${money(trials.savedUsd)}`}
            {trials.oldestCached !== undefined && ` (oldest ${oneLine(trials.oldestCached.slice(0, 10))})`}
          </li>
        )}
      </ul>
    </article>
  );
}

function costText({ usd, known, unknown, estimated }: PageTarget["trials"]["cost"]): string {
  if (known === 0) return unknown === 0 ? "$0" : "cost not known";
  return `${money(usd)}${estimated > 0 ? " (estimated)" : ""}${unknown > 0 ? `, ${unknown} not known` : ""}`;
}

function Errors({ target }: { target: PageTarget }) {
  const errors = Object.entries(target.trials.errors);
  if (errors.length === 0) return <li>no errors</li>;
  const all = errors.reduce((sum, [, { trials }]) => sum + trials, 0);
  return (
    <li class="errors">
      <a href={to("questions", "", { cause: "error", target: target.id })}>{count(all, "error")}</a>, in no rate
      {target.trials.retries > 0 && `, ${target.trials.retries} retried`}
    </li>
  );
}

interface MetricProps {
  title: string;
  hint: string;
  rate: PageTarget["total"]["score"];
  before: PageTarget["total"]["score"] | undefined;
  predicted: boolean;
  first: boolean;
}

function Metric({ title, hint, rate, before, predicted, first }: MetricProps) {
  return (
    <div class="metric">
      <p class={`title${first ? "" : " again"}`}>
        {title} <span class="quiet">{hint}</span>
      </p>
      <Interval rate={rate} name={title} before={before} predicted={predicted} share={title === "Score"} />
      <Scale />
    </div>
  );
}

/** How many questions pass, fail, cannot be told, have no verdict: as lengths, with their numbers. */
function Verdicts({ target }: { target: PageTarget }) {
  const { results } = target;
  const counts = ["pass", "fail", "unsure", "inconclusive"].map((verdict) => ({
    verdict,
    n: results.filter((result) => result.status !== "skipped" && result.verdict === verdict).length,
  }));
  const all = Math.max(
    1,
    counts.reduce((sum, { n }) => sum + n, 0),
  );
  return (
    <div class="verdicts">
      <div class="bar" aria-hidden="true">
        {counts.map(({ verdict, n }) => n > 0 && <i key={verdict} class={verdict} style={{ flexGrow: n / all }} />)}
      </div>
      <p>
        {counts
          .filter(({ n, verdict }) => n > 0 || verdict === "fail")
          .map(({ verdict, n }) => (
            <a key={verdict} href={to("questions", "", { verdict, target: target.id })}>
              <Mark verdict={verdict} /> <b>{n}</b>{" "}
              {{ pass: "pass", fail: "fail", unsure: "cannot tell", inconclusive: "no verdict" }[verdict]}
            </a>
          ))}
      </p>
    </div>
  );
}

function Legend({ exam }: { exam: ShownExam }) {
  const since = exam.since.filter(({ before }) => before !== undefined);
  return (
    <p class="legend quiet">
      <svg width="34" height="14" viewBox="0 0 34 14" aria-hidden="true">
        <line x1="2" x2="32" y1="7" y2="7" class="range" />
        <circle cx="17" cy="7" r="5" class="point" />
      </svg>
      measured, with its 95 % interval
      {exam.targets.some(({ predicted }) => predicted) && (
        <>
          <svg width="34" height="14" viewBox="0 0 34 14" aria-hidden="true" class="predicted">
            <line x1="2" x2="32" y1="7" y2="7" class="range" />
            <path d="M17 1L23 7L17 13L11 7z" class="point" />
          </svg>
          predicted
        </>
      )}
      {since[0] !== undefined && (
        <>
          <svg width="34" height="14" viewBox="0 0 34 14" aria-hidden="true">
            <line x1="2" x2="32" y1="7" y2="7" class="range past" />
            <circle cx="17" cy="7" r="3" class="point past" />
          </svg>
          the run before, {oneLine(since[0].run)}
        </>
      )}
    </p>
  );
}

const MOST_WRONG = 12;

/** What failed, with why; the same line the terminal has. */
function Wrong({ model }: { model: Model }) {
  const failing = model.rows.flatMap((row) => {
    const answers = row.answers.filter((answer): answer is Answer => answer?.result.verdict === "fail");
    return answers.length === 0 ? [] : [{ row, answers }];
  });
  const measuredFirst = failing.sort((a, b) => Number(isPredicted(a.answers)) - Number(isPredicted(b.answers)));
  const unmeasured = model.targets.every(({ total }) => total.coverage.verdicts === 0);
  return (
    <section class="wrong" aria-labelledby="wrong">
      <h2 id="wrong">What fails</h2>
      {failing.length === 0 && <p class="quiet">{unmeasured ? "Nothing is known: no question has a verdict." : "No question fails."}</p>}
      <ol class="questions">
        {measuredFirst.slice(0, MOST_WRONG).map(({ row, answers }) => (
          <li key={row.question.id}>
            <a class="entry" href={to("question", row.question.id)}>
              <Mark verdict="fail" />
              <span class="what">
                <bdi class="prompt">{oneLine(row.question.prompt)}</bdi>
                <span class="quiet">
                  <bdi>{oneLine(row.question.skill ?? "library")}</bdi> {expectation(row.question)} · {place(row.question)}
                </span>
                {answers.map(({ target, result }) => (
                  <span class="why" key={target.id}>
                    {model.targets.length > 1 && <b>{oneLine(target.id)} </b>}
                    {!target.deterministic && <Dots result={result} />} {oneLine(result.why ?? "")}
                  </span>
                ))}
              </span>
            </a>
          </li>
        ))}
      </ol>
      {failing.length > MOST_WRONG && (
        <p>
          <a href={to("questions", "", { verdict: "fail" })}>All {failing.length} that fail</a>
        </p>
      )}
    </section>
  );
}

function isPredicted(answers: readonly Answer[]): boolean {
  return answers.every(({ target }) => target.predicted);
}

function Changes({ model }: { model: Model }) {
  const since = model.exam?.since ?? [];
  if (since.length === 0) return null;
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">What changed</h2>
      {since.map((one) => (
        <div key={one.comparison.target} class="since">
          <p>{capital(oneLine(one.text))}</p>
          <ul class="changed">
            {[
              ...one.comparison.worsened.map((id) => ({ id, verdict: "fail", word: "now fails" })),
              ...one.comparison.improved.map((id) => ({ id, verdict: "pass", word: "now passes" })),
            ]
              .slice(0, 8)
              .map(({ id, verdict, word }) => (
                <li key={id}>
                  <a href={to("question", id)}>
                    <Mark verdict={verdict} /> <span class="quiet">{word}</span>{" "}
                    <bdi>{oneLine(model.rowById.get(id)?.question.prompt ?? id)}</bdi>
                  </a>
                </li>
              ))}
          </ul>
          {one.comparison.worsened.length + one.comparison.improved.length > 8 && (
            <a href={to("questions", "", { changed: "yes", target: one.comparison.target })}>All that changed</a>
          )}
        </div>
      ))}
    </section>
  );
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function Thefts({ exam }: { exam: ShownExam }) {
  const all = exam.targets.flatMap((target) => target.steals.map((steal) => ({ ...steal, target: target.id })));
  if (all.length === 0) return null;
  const most = Math.max(...all.map(({ trials }) => trials));
  const shown = [...all].sort((a, b) => b.prompts - a.prompts || b.trials - a.trials).slice(0, 8);
  return (
    <section aria-labelledby="thefts">
      <h2 id="thefts">Who takes from whom</h2>
      <table class="thefts">
        <thead>
          <tr>
            <th scope="col">takes</th>
            <th scope="col">from</th>
            <th scope="col">prompts</th>
            <th scope="col">trials</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ thief, victim, prompts, trials, target }) => (
            <tr key={`${target} ${thief} ${victim}`}>
              <td>
                <a href={to("skill", thief)}>{oneLine(thief)}</a>
              </td>
              <td>
                <a href={to("skill", victim)}>{oneLine(victim)}</a>
                {exam.targets.length > 1 && <span class="quiet"> on {oneLine(target)}</span>}
              </td>
              <td class="number">{prompts}</td>
              <td class="bar">
                <span>
                  <i style={{ width: `${(100 * trials) / most}%` }} />
                  {trials}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <a href={to("matrix")}>The whole matrix{all.length > shown.length && `, with all ${all.length} pairs`}</a>
      </p>
    </section>
  );
}

function Gates({ exam }: { exam: ShownExam }) {
  if (exam.gates.length === 0) return null;
  return (
    <section aria-labelledby="gates">
      <h2 id="gates">Gates</h2>
      <ul class="gates">
        {exam.gates.map(({ text, target, status, message }) => (
          <li key={`${text} ${target}`}>
            <Mark verdict={{ met: "pass", breached: "fail", unmeasured: "inconclusive" }[status]} /> <code>{oneLine(text)}</code>{" "}
            <span class="quiet">{oneLine(`${target === "" ? "" : `on ${target}: `}${message}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Next({ exam }: { exam: ShownExam }) {
  if (exam.next.length === 0) return null;
  return (
    <section aria-labelledby="next">
      <h2 id="next">What to do next</h2>
      {exam.next.map((line) => (
        <Command key={line} line={line} />
      ))}
    </section>
  );
}
