import { useEffect, useState } from "preact/hooks";
import type { CutText, PageDiff, PageStep, PageTranscript, PageTrial } from "../../../src/reports/html/page-data.ts";
import type { Model } from "../data/model.ts";
import { param, to } from "../data/route.ts";
import { isServed, transcriptOf } from "../data/source.ts";
import { trialKey, trialsOf } from "../data/trials.ts";
import { Mark } from "../parts/marks.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { count, moment, money, oneLine, safe, time } from "../parts/words.ts";
import { NotHere } from "./question.tsx";

/** One trial: what happened, turn by turn. */
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
        <a href={to("questions")}>Questions</a>
        {about !== undefined && (
          <>
            {" / "}
            <a href={to("question", about.question.id)}>
              <bdi>{oneLine(about.question.prompt).slice(0, 60)}</bdi>
            </a>
          </>
        )}
      </p>
      <h1>
        {oneLine(target.id)}, run {trial.run}
      </h1>
      <Steps model={model} trial={trial} target={target.id} prompt={about?.question.prompt ?? ""} />
      <aside class="trial-facts">
        <Outcome model={model} trial={trial} />
        {trial.reason !== undefined && (
          <blockquote class="card-text" aria-label="The judge's reason">
            <bdi>{safe(trial.reason).slice(0, 4000)}</bdi>
          </blockquote>
        )}
        <dl class="pairs">
          <Pair name="ended">{endText(trial)}</Pair>
          <Pair name="time">
            {time(trial.ms)}
            {trial.retried > 0 && `, after ${count(trial.retried, "attempt")} that failed`}
          </Pair>
          <Pair name="turns">{trial.turns}</Pair>
          <Pair name="tokens">{tokensText(trial)}</Pair>
          <Pair name="cost">
            {trial.costUsd === undefined ? "not known" : `${money(trial.costUsd)}${trial.costEstimated === true ? " (estimated)" : ""}`}
          </Pair>
          <Pair name="asked">
            {trial.cached === undefined ? moment(trial.at) : `from the cache, measured ${moment(trial.cached.measuredAt)}`}
          </Pair>
          {trial.askedBecause !== undefined && <Pair name="because">{oneLine(trial.askedBecause)}</Pair>}
        </dl>
        {rows.length > 0 && (
          <section>
            <h2>Questions it answers</h2>
            <ul class="answers">
              {rows.slice(0, 20).map((row) => {
                const sign = row.answers[trial.target]?.result.runs[trial.run - 1] ?? ".";
                const check = trial.checks.find(({ question }) => question === row.at);
                return (
                  <li key={row.question.id}>
                    <a href={to("question", row.question.id)}>
                      <Mark verdict={{ "+": "pass", "-": "fail", "?": "unsure" }[sign] ?? "inconclusive"} />{" "}
                      {row.question.kind === "case"
                        ? oneLine(row.question.name ?? row.question.prompt).slice(0, 80)
                        : oneLine(row.question.skill ?? "library")}
                    </a>
                    {check !== undefined && check.message !== "" && <p class="message quiet">{safe(check.message)}</p>}
                  </li>
                );
              })}
            </ul>
          </section>
        )}
        <Shown model={model} trial={trial} />
        <Predicted trial={trial} />
      </aside>
    </article>
  );
}

function Pair({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function endText({ how }: PageTrial): string {
  return { completed: "by itself", max_turns: "at the turn limit", stopped: "stopped, because all was decided", error: "in an error" }[how];
}

function tokensText({ usage }: PageTrial): string {
  if (usage === undefined) return "not known";
  const parts = [
    [usage.inputTokens, "in"],
    [usage.outputTokens, "out"],
    [usage.cacheReadTokens, "read from cache"],
    [usage.cacheWriteTokens, "written to cache"],
  ] as const;
  return parts.flatMap(([n, word]) => (n === undefined ? [] : [`${n.toLocaleString("en")} ${word}`])).join(", ") || "not known";
}

function Outcome({ model, trial }: { model: Model; trial: PageTrial }) {
  if (trial.error !== undefined)
    return (
      <p class="outcome error">
        <b>Error: {model.data.words.errors[trial.error.reason] ?? trial.error.reason}.</b>{" "}
        <span class="message">{safe(trial.error.message).slice(0, 4000)}</span>
        <br />
        An error is no answer: it is in no rate.
      </p>
    );
  if (trial.fired.length === 0)
    return <p class="outcome">{trial.askedBack === true ? "No skill was used: it asked a question back." : "No skill was used."}</p>;
  return (
    <ul class="outcome">
      {trial.fired.slice(0, 12).map(({ skill, turn, evidence, agent }, at) => (
        <li key={`${at}`}>
          <a href={to("skill", skill)}>{oneLine(skill)}</a> {EVIDENCE[evidence] ?? evidence}
          {evidence !== "predicted" && ` on turn ${turn}`}
          {agent !== undefined && `, by ${oneLine(agent)}`}
          {(evidence === "refused" || evidence === "mentioned") && <span class="quiet"> (does not count)</span>}
        </li>
      ))}
    </ul>
  );
}

const EVIDENCE: Record<string, string> = {
  loaded: "was loaded",
  read: "was read",
  called: "was called",
  refused: "was refused",
  mentioned: "was mentioned",
  predicted: "is predicted to fire",
};

const SHOWN: Record<string, string> = { whole: "whole", cut: "cut", bare: "name only", absent: "not at all" };

/** What the model was shown of the library. */
function Shown({ model, trial }: { model: Model; trial: PageTrial }) {
  const listing = trial.listing === undefined ? undefined : model.exam?.listings[trial.listing];
  if (listing === undefined || listing.length === 0) return null;
  const groups = Object.keys(SHOWN).map((shown) => ({
    shown,
    skills: listing.filter((entry) => entry.shown === shown).map(({ skill }) => skill),
  }));
  return (
    <section>
      <h2>What the model was shown</h2>
      <dl class="pairs">
        {groups
          .filter(({ skills }) => skills.length > 0)
          .map(({ shown, skills }) => (
            <Pair key={shown} name={SHOWN[shown] ?? shown}>
              {skills.length > 8 ? (
                <details>
                  <summary>{count(skills.length, "skill")}</summary>
                  {skills.map(oneLine).join(", ")}
                </details>
              ) : (
                skills.map(oneLine).join(", ")
              )}
            </Pair>
          ))}
      </dl>
    </section>
  );
}

function Predicted({ trial }: { trial: PageTrial }) {
  if (trial.prediction === undefined) return null;
  const { ranking, needs } = trial.prediction;
  const most = Math.max(needs, 1e-9, ...ranking.map(({ score }) => score));
  return (
    <section>
      <h2>How it ranks the skills</h2>
      <table class="ranking">
        <thead>
          <tr>
            <th scope="col">skill</th>
            <th scope="col">score, {needs.toFixed(2)} fires</th>
            <th scope="col">shared words</th>
          </tr>
        </thead>
        <tbody>
          {ranking.map(({ skill, score, verdict, words }) => (
            <tr key={skill} class={verdict}>
              <td>
                <a href={to("skill", skill)}>{oneLine(skill)}</a>
                <span class="quiet"> {{ fires: "fires", uncertain: "cannot tell", silent: "silent" }[verdict]}</span>
              </td>
              <td class="bar">
                <span>
                  <i style={{ width: `${Math.max(0, (100 * score) / most)}%` }} />
                  {score.toFixed(2)}
                </span>
              </td>
              <td class="quiet">{words.map(oneLine).join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The transcript as a timeline. It is fetched or unpacked when it is looked at. */
function Steps({ trial, target, prompt, model }: { trial: PageTrial; target: string; prompt: string; model: Model }) {
  const [transcript, setTranscript] = useState<PageTranscript | "missing" | undefined>();
  useEffect(() => {
    let isOver = false;
    setTranscript(undefined);
    void transcriptOf(target, trial.ask, trial.run).then((found) => {
      if (!isOver) setTranscript(found ?? "missing");
    });
    return () => {
      isOver = true;
    };
  }, [target, trial.ask, trial.run, trial.at]);
  return (
    <section class="timeline" aria-label="Transcript">
      <ol>
        <li class="step prompt">
          <h2>Prompt</h2>
          <Text text={{ text: prompt, leftOff: 0 }} />
        </li>
        {typeof transcript === "object" &&
          transcript.steps.map((step, at) => <Step key={`${at}`} step={step} before={transcript.steps[at - 1]} />)}
        {transcript === "missing" &&
          trial.fired.map((activation, at) => <Step key={`${at}`} step={{ type: "activation", ...activation }} before={undefined} />)}
        {transcript === "missing" && (
          <li class="step">
            <p class="quiet">
              {trial.transcript === undefined
                ? "Nothing else was said or done in this trial, or it was not kept."
                : isServed.value
                  ? "The record does not have this transcript any more."
                  : `This transcript is in the record, and not in this file: proctor view ${oneLine(model.exam?.run.id ?? "")} shows it.`}
            </p>
          </li>
        )}
        {typeof transcript === "object" && transcript.leftOff > 0 && (
          <li class="step">
            <p class="quiet">
              {count(transcript.leftOff, "more step")} in the record
              {isServed.value ? "." : `: proctor view ${oneLine(model.exam?.run.id ?? "")} shows them.`}
            </p>
          </li>
        )}
        <li class={`step end${trial.error === undefined ? "" : " error"}`}>
          <p>
            {trial.error === undefined
              ? `Ended ${endText(trial)}.`
              : `Error: ${model.data.words.errors[trial.error.reason] ?? trial.error.reason}. ${oneLine(trial.error.message).slice(0, 300)}`}
          </p>
        </li>
      </ol>
      {typeof transcript === "object" && transcript.files.length > 0 && <Files transcript={transcript} />}
      {typeof transcript === "object" && transcript.raw !== undefined && (
        <details class="raw">
          <summary>Raw output of the host</summary>
          <Text text={transcript.raw} code />
        </details>
      )}
    </section>
  );
}

const CHANGES: Record<string, string> = { added: "created", changed: "changed", removed: "deleted" };

/** What it changed in its workspace: as a diff where the record has what a file held before, otherwise as it was left. */
function Files({ transcript: { files, filesCut } }: { transcript: PageTranscript }) {
  return (
    <section class="files" aria-labelledby="files">
      <h2 id="files">Files it changed</h2>
      <ul>
        {files.map(({ path, change, kind, bytes, text, diff }) => (
          <li key={path} class={change}>
            <p>
              <span class="flag">{CHANGES[change] ?? change}</span> <code>{oneLine(path)}</code>{" "}
              <span class="quiet">
                {kind === "file" ? "" : kind} {bytes === undefined ? "" : count(bytes, "byte")}
                {diff !== undefined && ` ${linesText(diff)}`}
                {change === "changed" && diff === undefined && " as it was left; what it held before is not in the record"}
              </span>
            </p>
            {diff !== undefined && <Diff diff={diff} path={path} />}
            {text !== undefined && text.text !== "" && <Text text={text} code />}
          </li>
        ))}
      </ul>
      {filesCut !== undefined && <p class="quiet">{oneLine(filesCut)}</p>}
    </section>
  );
}

function linesText({ hunks }: PageDiff): string {
  const of = (sign: string) => hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return `+${of("+")} −${of("-")}`;
}

const SIGNS: Record<string, string> = { "+": "in", "-": "out" };

function Diff({ diff: { hunks, leftOff }, path }: { diff: PageDiff; path: string }) {
  if (hunks.length === 0) return <p class="quiet">{leftOff > 0 ? "The change is too long to be shown here." : "No line of it changed."}</p>;
  return (
    <Scroll label={`What changed in ${oneLine(path)}`}>
      <table class="file-diff">
        <tbody>
          {hunks.map((hunk, at) => {
            let [from, now] = [hunk.before, hunk.after];
            return [
              at > 0 && (
                <tr key={`${at} gap`} class="gap">
                  <td colSpan={3}>…</td>
                </tr>
              ),
              ...hunk.lines.map((line, place) => {
                const sign = line.slice(0, 1);
                const number = sign === "-" ? from : now;
                if (sign !== "+") from++;
                if (sign !== "-") now++;
                return (
                  <tr key={`${at} ${place}`} class={SIGNS[sign] ?? ""}>
                    <td class="number">{number}</td>
                    <td class="sign">{sign === "-" ? "−" : sign}</td>
                    <td class="line">
                      <bdi>{safe(line.slice(1))}</bdi>
                    </td>
                  </tr>
                );
              }),
            ];
          })}
        </tbody>
      </table>
      {leftOff > 0 && <p class="quiet">{count(leftOff, "more line")} in the record</p>}
    </Scroll>
  );
}

function Step({ step, before }: { step: PageStep; before: PageStep | undefined }) {
  const isNewTurn = before === undefined || before.turn !== step.turn;
  const head = (
    <>
      {isNewTurn && <span class="turn">turn {step.turn}</span>}
      {step.agent !== undefined && <span class="flag">sub-agent {oneLine(step.agent)}</span>}
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
          <span class="quiet">result</span>
          <Text text={step.result} code />
        </div>
      )}
    </li>
  );
}

/** Lines and characters of a long text that are shown before it is unfolded, and the most that are put into the page at once. */
const FOLD = { lines: 12, chars: 900, most: 200_000 };

/** Text of a transcript: always text, never markup; folded when it is long. */
function Text({ text: { text, leftOff }, code = false }: { text: CutText; code?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const short = firstLines(text);
  const isLong = short.length < text.length;
  const shown = isOpen ? text.slice(0, FOLD.most) : short;
  return (
    <div class={code ? "text code" : "text"}>
      <pre>
        <bdi>{safe(shown)}</bdi>
      </pre>
      {isLong && (
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "fold" : `show all ${text.length.toLocaleString("en")} characters`}
        </button>
      )}
      {isOpen && text.length > FOLD.most && <p class="quiet">{count(text.length - FOLD.most, "more character")} are not shown.</p>}
      {leftOff > 0 && <p class="quiet">{count(leftOff, "more character")} in the record</p>}
    </div>
  );
}

function firstLines(text: string): string {
  const head = text.slice(0, FOLD.chars);
  const lines = head.split("\n");
  const kept = lines.length > FOLD.lines ? lines.slice(0, FOLD.lines).join("\n") : head;
  // A fold that hides next to nothing is only in the way.
  return text.length - kept.length < 120 && text.split("\n", FOLD.lines + 4).length <= FOLD.lines + 3 ? text : kept;
}
