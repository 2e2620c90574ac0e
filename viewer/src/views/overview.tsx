import type { PageSince, PageTarget } from "../../../src/reports/html/page-data.ts";
import type { WiredExam } from "../../../src/reports/html/wire.ts";
import type { Answer, Model } from "../data/model.ts";
import { to } from "../data/route.ts";
import { Command } from "../parts/command.tsx";
import { Interval, Scale } from "../parts/interval.tsx";
import { Dots, Mark } from "../parts/marks.tsx";
import { capital, count, expectation, intervalText, moment, money, oneLine, place, time } from "../parts/words.ts";
import { Difference, spanText } from "./lift.tsx";
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
          {planText(plan)}
          {run.saved.trials > 0 &&
            ` · early stop saved ${count(run.saved.trials, "trial")}${run.saved.usd !== undefined && run.saved.usd > 0 ? ` (${money(run.saved.usd)})` : ""}`}
        </p>
      </div>
      <StateNotes model={model} />
      <Gates exam={exam} />
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
          <People model={model} />
          <Next exam={exam} />
        </div>
      </div>
    </div>
  );
}

function planText({ questions, positive, negative, cases }: WiredExam["plan"]): string {
  const triggers = positive + negative > 0 ? `${positive} should activate, ${negative} should not` : "";
  if (triggers === "") return count(cases, "case");
  return `${count(questions, "question")}: ${triggers}${cases > 0 ? `, ${count(cases, "case")}` : ""}`;
}

/** A prediction is no measurement: it is told here only where there is nothing else. */
function headline({ targets, plan, run }: WiredExam): string {
  if (plan.questions === 0) return "Nothing was asked";
  const known = targets.filter(({ total }) => total.coverage.verdicts > 0);
  const measured = known.filter(({ predicted }) => !predicted);
  const of = measured.length > 0 ? measured : known;
  const [one, another, third] = of;
  if (one === undefined) return run.goesOn ? "No verdict yet" : "Nothing was measured: no question has a verdict";
  const on = targets.length > 1 ? ` on ${oneLine(one.id)}` : "";
  if (another === undefined)
    return `${sentence(one, plan.questions === plan.cases ? "case" : "question")}${one.predicted ? ", as predicted from the cards" : on}`;
  const failing = of.filter((target) => failed(target) > 0);
  const names = third === undefined ? `${oneLine(one.id)} and ${oneLine(another.id)}` : `all ${of.length} targets`;
  if (failing.length === 0) return `All questions with a verdict pass on ${names}`;
  const all = new Set(failing.flatMap(({ results }) => results.flatMap(({ verdict, question }) => (verdict === "fail" ? [question] : []))));
  const where =
    failing.length === 1
      ? oneLine(failing[0]?.id ?? "")
      : third === undefined
        ? `${oneLine(one.id)} or ${oneLine(another.id)}`
        : `at least one of ${of.length} targets`;
  return `${count(all.size, "question")} ${all.size === 1 ? "fails" : "fail"} on ${where}`;
}

function failed({ results }: PageTarget): number {
  return results.filter(({ verdict }) => verdict === "fail").length;
}

function sentence(target: PageTarget, noun: string): string {
  const { verdicts, planned } = target.total.coverage;
  const wrong = failed(target);
  if (wrong > 0) return `${wrong} of ${count(verdicts, noun)} ${wrong === 1 ? "fails" : "fail"}`;
  if (verdicts === 1) return `The only ${noun} with a verdict passes`;
  return `All ${count(verdicts, noun)}${verdicts < planned ? " with a verdict" : ""} pass`;
}

/** Targets are rows, rates are columns: what is compared stands one above the other, on one scale. */
function TargetCard({ target, exam, first }: { target: PageTarget; exam: WiredExam; first: boolean }) {
  const { id, total, predicted, trials } = target;
  const before = exam.since.find(({ comparison }) => comparison.target === id)?.before;
  const { host, version, model } = target.identity;
  const hasTriggers = exam.plan.positive + exam.plan.negative > 0;
  const about = [host, version].filter((part) => part !== undefined).join(" ");
  return (
    <article class={`target${predicted ? " predicted" : ""}${hasTriggers ? "" : " few"}`} aria-label={oneLine(id)}>
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
      {hasTriggers && (
        <>
          <Metric
            title="Recall"
            hint="fires when it should"
            rate={total.recall}
            before={before?.recall}
            predicted={predicted}
            first={first}
          />
          <Metric
            title="False positives"
            hint="lower is better"
            rate={total.fpr}
            before={before?.fpr}
            predicted={predicted}
            first={first}
          />
          <Metric
            title="Precision"
            hint="right when it fires"
            rate={total.precision}
            before={before?.precision}
            predicted={predicted}
            first={first}
          />
        </>
      )}
      {target.lift !== undefined && !hasTriggers && (
        <div class="metric">
          <p class={`title${first ? "" : " again"}`}>
            Lift <span class="quiet">what the skills add</span>
          </p>
          <Difference span={target.lift} n={target.lift.n} />
        </div>
      )}
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
        {target.lift !== undefined && hasTriggers && (
          <li>
            lift{" "}
            <a href={to("cases")}>
              <b>{spanText(target.lift)}</b>
            </a>{" "}
            over {count(target.lift.n, "case")}
          </li>
        )}
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
          .filter(({ n, verdict }) => n > 0 || (verdict === "fail" && target.total.coverage.verdicts > 0))
          .map(({ verdict, n }) => (
            <a key={verdict} href={to("questions", "", { verdict, target: target.id })}>
              <Mark verdict={verdict} said={false} /> <b>{n}</b>{" "}
              {{ pass: "pass", fail: "fail", unsure: "cannot tell", inconclusive: "no verdict" }[verdict]}
            </a>
          ))}
      </p>
    </div>
  );
}

function Legend({ exam }: { exam: WiredExam }) {
  const since = exam.since.filter(({ before }) => before !== undefined);
  if (exam.targets.every(({ total }) => total.score.value === null)) return null;
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
      <Causes model={model} />
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

/** Why questions fail, the most frequent reason first: what fails the same way is mended the same way. */
function Causes({ model }: { model: Model }) {
  const counts = new Map<string, Set<number>>();
  for (const { results } of model.targets)
    for (const { verdict, causes, question } of results) {
      if (verdict !== "fail") continue;
      for (const cause of Object.keys(causes)) counts.set(cause, (counts.get(cause) ?? new Set()).add(question));
    }
  if (counts.size < 2) return null;
  return (
    <p class="chips">
      {[...counts]
        .sort(([, a], [, b]) => b.size - a.size)
        .map(([cause, questions]) => (
          <a key={cause} class="chip" href={to("questions", "", { verdict: "fail", cause })}>
            <b>{questions.size}</b> {model.data.words.causes[cause] ?? cause}
          </a>
        ))}
    </p>
  );
}

function isPredicted(answers: readonly Answer[]): boolean {
  return answers.every(({ target }) => target.predicted);
}

function Changes({ model }: { model: Model }) {
  const since = model.exam?.since ?? [];
  if (since.length === 0) return null;
  const isMoved = ({ comparison }: PageSince) => comparison.improved.length + comparison.worsened.length > 0;
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">What changed</h2>
      {since
        .toSorted((a, b) => Number(isMoved(b)) - Number(isMoved(a)))
        .map((one) => (
          <Change key={one.comparison.target} one={one} model={model} />
        ))}
    </section>
  );
}

function Change({ one, model }: { one: PageSince; model: Model }) {
  const { target, n, passed, improved, worsened } = one.comparison;
  const moved = [
    ...worsened.map((id) => ({ id, verdict: "fail", word: "now fails" })),
    ...improved.map((id) => ({ id, verdict: "pass", word: "now passes" })),
  ];
  const caution = /; ((?:no claim|right in) .+)$/.exec(one.text)?.[1];
  const differences = [...one.target, ...one.options];
  return (
    <div class="since">
      <h3>
        {oneLine(target)} <span class="quiet">since {oneLine(one.run)}</span>
      </h3>
      <p>
        {n === 0 ? (
          "Nothing to compare."
        ) : moved.length === 0 ? (
          `The same verdicts on ${n === 1 ? "the only question" : `all ${count(n, "question")}`} that both asked.`
        ) : (
          <b>
            {passed.before} → {passed.now} of {count(n, "question")} pass
          </b>
        )}
      </p>
      <p class="quiet">
        {one.edited.length > 0 && (
          <>
            edited in between:{" "}
            {one.edited.slice(0, 6).map((skill, at) => (
              <>
                {at > 0 && ", "}
                <a key={skill} href={to("skill", skill)}>
                  {oneLine(skill)}
                </a>
              </>
            ))}
            {one.edited.length > 6 && ` and ${one.edited.length - 6} more`}
            {differences.length > 0 && " · "}
          </>
        )}
        {differences.length > 0 && `not measured alike: ${differences.map(oneLine).join(", ")}`}
      </p>
      {caution !== undefined && <p class="quiet">{`${capital(oneLine(caution))}.`}</p>}
      <ul class="changed">
        {moved.slice(0, 8).map(({ id, verdict, word }) => (
          <li key={id}>
            <a href={to("question", id)}>
              <Mark verdict={verdict} />
              <span>
                <bdi>{oneLine(model.rowById.get(id)?.question.prompt ?? id)}</bdi> <span class="quiet">{word}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {moved.length > 8 && <a href={to("questions", "", { changed: "yes", target })}>All {moved.length} that changed</a>}
    </div>
  );
}

/** What people think of the verdicts. */
function People({ model }: { model: Model }) {
  const { all, agreement } = model.exam?.notes ?? { all: [], agreement: null };
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="people">
      <h2 id="people">What people say</h2>
      {agreement !== null && (
        <p>
          They agree with the judge on <b>{`${agreement.right} of ${count(agreement.n, "question")}`}</b>{" "}
          <span class="quiet">{intervalText(agreement)}</span>
        </p>
      )}
      <ul class="changed">
        {all.slice(0, 8).map((note) => {
          const question = model.rows[note.question]?.question;
          if (question === undefined) return null;
          return (
            <li key={`${note.question} ${note.target}`}>
              <a href={to("question", question.id)}>
                <span>
                  <bdi>{oneLine(question.prompt)}</bdi>
                  <span class="quiet">
                    {" "}
                    {[note.verdict === undefined ? "" : `verdict ${note.verdict}`, oneLine(note.text)]
                      .filter((part) => part !== "")
                      .join(": ")}
                  </span>
                </span>
              </a>
            </li>
          );
        })}
      </ul>
      {all.length > 8 && <a href={to("questions", "", { noted: "yes" })}>All {all.length} notes</a>}
    </section>
  );
}

function Thefts({ exam }: { exam: WiredExam }) {
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

function Gates({ exam }: { exam: WiredExam }) {
  if (exam.gates.length === 0) return null;
  return (
    <section aria-label="Gates">
      <ul class="gates">
        {exam.gates.map(({ text, target, status, message }) => (
          <li key={`${text} ${target}`} class={status}>
            <Mark verdict={{ met: "pass", breached: "fail", unmeasured: "inconclusive" }[status]} />
            <span>
              gate <code>{oneLine(text)}</code> {{ met: "is met", breached: "is breached", unmeasured: "is not measured" }[status]}{" "}
              <span class="quiet">{oneLine(`${target === "" ? "" : `on ${target}: `}${message}`)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Next({ exam }: { exam: WiredExam }) {
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
