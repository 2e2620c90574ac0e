import { useEffect, useRef } from "preact/hooks";
import type { Model } from "./data/model.ts";
import { go, here, param, replace, route, to } from "./data/route.ts";
import { isLive, isLost, isServed, loaded, runs } from "./data/source.ts";
import { wantTrials } from "./data/trials.ts";
import { Help, useKeys } from "./parts/keys.tsx";
import { count, moment, oneLine } from "./parts/words.ts";
import { CollisionsView } from "./views/collisions.tsx";
import { MatrixView } from "./views/matrix/matrix.tsx";
import { OverviewView } from "./views/overview/overview.tsx";
import { QuestionView } from "./views/question.tsx";
import { QuestionsView } from "./views/questions/questions.tsx";
import { RunsView } from "./views/runs/runs.tsx";
import { SkillView } from "./views/skill/skill.tsx";
import { SkillsView } from "./views/skills.tsx";
import { TrialView } from "./views/trial/trial.tsx";

export function App() {
  const state = loaded.value;
  useKeys();
  if (state.status === "loading") return <p class="boot">Reading the record …</p>;
  if (state.status === "failed")
    return (
      <main class="boot" id="main">
        <h1>This page cannot be shown</h1>
        <p>{oneLine(state.message)}</p>
        <p>
          <code>proctor report</code> shows what is whole of a record.
        </p>
      </main>
    );
  return <Page model={state.model} />;
}

function Page({ model }: { model: Model }) {
  useWarm(model);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <Top model={model} />
      <main id="main" tabIndex={-1}>
        <View model={model} />
      </main>
      <footer class="page-end">
        <span>
          Made by proctor {oneLine(model.data.proctor)} from the record. Every rate is the share of questions, with its
          95 % interval.
        </span>
        <button
          type="button"
          class="plain"
          onClick={() => document.querySelector<HTMLDialogElement>("dialog.help")?.showModal()}
        >
          Keys <kbd>?</kbd>
        </button>
      </footer>
      <Help />
    </>
  );
}

/**
 * Reads what the next click needs while the page is idle. A served page reads it on demand, since its run may be
 * growing.
 */
function useWarm(model: Model): void {
  useEffect(() => {
    if (isServed.value) return;
    // Safari has no idle time to offer.
    const idle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200));
    idle(() => {
      for (const { text } of model.rows) text();
      idle(() => wantTrials(model));
    });
  }, [model]);
}

/** The views, in the order in which people ask questions. */
const VIEWS: { view: string; title: string; has(model: Model): boolean; also: string[] }[] = [
  { view: "overview", title: "Overview", has: ({ exam }) => exam !== null, also: [] },
  { view: "matrix", title: "Confusion", has: ({ exam }) => exam !== null, also: [] },
  { view: "skills", title: "Skills", has: ({ data }) => data.library.skills.length > 0, also: ["skill"] },
  { view: "questions", title: "Questions", has: ({ rows }) => rows.length > 0, also: ["question", "trial"] },
  { view: "cases", title: "Cases", has: ({ rows }) => rows.some(({ question }) => question.kind === "case"), also: [] },
  { view: "runs", title: "Over time", has: ({ data }) => data.history.length > 0, also: [] },
  { view: "collisions", title: "Collisions", has: ({ data }) => data.collisions !== null, also: [] },
];

function View({ model }: { model: Model }) {
  switch (route.value.view) {
    case "matrix":
      return <MatrixView model={model} />;
    case "skills":
      return <SkillsView model={model} />;
    case "skill":
      return <SkillView key={route.value.about} model={model} id={route.value.about} />;
    case "questions":
      return <QuestionsView key="questions" model={model} />;
    case "cases":
      return <QuestionsView key="cases" model={model} kind="case" />;
    case "question":
      return <QuestionView key={route.value.about} model={model} id={route.value.about} />;
    case "trial":
      return <TrialView key={route.value.about} model={model} id={route.value.about} />;
    case "runs":
      return <RunsView model={model} />;
    case "collisions":
      return <CollisionsView model={model} />;
    default:
      return model.exam === null ? <CollisionsView model={model} /> : <OverviewView model={model} />;
  }
}

function isAboutCase({ rowById }: Model): boolean {
  const { view, about } = route.value;
  const question = view === "question" ? about : view === "trial" ? param("question") : "";
  return rowById.get(question)?.question.kind === "case";
}

function Top({ model }: { model: Model }) {
  const { view } = route.value;
  // A library that was never examined begins with its collisions.
  const now = model.exam === null && view === "overview" ? "collisions" : isAboutCase(model) ? "cases" : view;
  const search = useRef<HTMLInputElement>(null);
  const q = param("q");
  const nav = useRef<HTMLElement>(null);
  // On a phone the views are a strip that is wider than the window.
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [view]);
  // Going back to another search must show it.
  useEffect(() => {
    if (search.current !== null && search.current !== document.activeElement) search.current.value = q;
  }, [q]);
  const type = (text: string) => {
    if (view === "questions" || view === "cases" || view === "skills") replace({ q: text });
    else if (text !== "") go(to("questions", "", { q: text }));
  };
  return (
    <header class="top">
      <a class="brand" href={to("overview")}>
        <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
          <circle cx="8" cy="8" r="7.2" class="fill" />
          <path d="M4.5 8.5l2.4 2.4 4.6-5.3" class="cut" />
        </svg>
        <span>{oneLine(model.data.library.name) || "Proctor"}</span>
      </a>
      <nav aria-label="Views" ref={nav}>
        {VIEWS.filter(({ has }) => has(model)).map((one) => (
          <a
            key={one.view}
            href={to(one.view)}
            aria-current={one.view === now || one.also.includes(now) ? "page" : undefined}
          >
            {one.title}
          </a>
        ))}
      </nav>
      <div class="tools">
        {isLive.value && (
          <span class="live" role="status">
            live:{" "}
            {count(
              model.targets.reduce((sum, { trials }) => sum + trials.total, 0),
              "trial",
            )}
          </span>
        )}
        {isLost.value && (
          <span class="lost" role="status">
            not connected
          </span>
        )}
        {isServed.value && runs.value.length > 0 && (
          <label>
            <span class="unseen">Run</span>
            <select value={model.exam?.run.id ?? ""} onChange={(event) => go(here({ run: event.currentTarget.value }))}>
              {[...runs.value].reverse().map(({ run, startedAt, partial }) => (
                <option key={run} value={run}>
                  {run}
                  {startedAt === null ? "" : `, ${moment(startedAt)}`}
                  {partial ? " (part)" : ""}
                </option>
              ))}
            </select>
          </label>
        )}
        {model.rows.length > 0 && (
          <label class="search">
            <span class="unseen">Search prompts, skills and tags</span>
            <input
              ref={search}
              id="search"
              type="search"
              placeholder="Search  /"
              defaultValue={q}
              onInput={(event) => type(event.currentTarget.value)}
            />
          </label>
        )}
      </div>
    </header>
  );
}
