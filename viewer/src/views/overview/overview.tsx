import type { WiredExam } from "../../../../src/reporters/html/wire.ts";
import type { Model } from "../../data/model.ts";
import { count, moment, money, number, oneLine, time } from "../../parts/words.ts";
import { StateNotes } from "../state-notes.tsx";
import { Agreements } from "./agreements.tsx";
import { Changes } from "./changes.tsx";
import { Gates } from "./gates.tsx";
import { headline } from "./headline.ts";
import { Legend } from "./legend.tsx";
import { Next } from "./next.tsx";
import { People } from "./people.tsx";
import { TargetCard } from "./target-card.tsx";
import { Thefts } from "./thefts.tsx";
import { Wrong } from "./wrong.tsx";

/** Answers whether the library is good, and what changed. */
export function OverviewView({ model }: { model: Model }) {
  const exam = model.exam;
  if (exam === null) return null;
  const { run, plan } = exam;
  return (
    <div class="overview">
      <div class="headline">
        <h1>{unbroken(headline(exam))}</h1>
        <p class="quiet">
          Run {oneLine(run.id)}, {moment(run.startedAt)}
          {run.endedAt !== undefined &&
            `, took ${time(Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt)))}`}
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
            {exam.targets.map((target, at) => (
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
          <Agreements exam={exam} />
          <Thefts exam={exam} />
          <People model={model} />
          <Next exam={exam} />
        </div>
      </div>
    </div>
  );
}

/** Keeps names with hyphens on one line. */
function unbroken(text: string) {
  return text.split(" ").flatMap((word, at) => [
    at > 0 && " ",
    word.includes("-") ? (
      <span key={word} class="whole">
        {word}
      </span>
    ) : (
      word
    ),
  ]);
}

function planText({ questions, positive, negative, cases }: WiredExam["plan"]): string {
  const triggers = positive + negative > 0 ? `${number(positive)} should activate, ${number(negative)} should not` : "";
  if (triggers === "") return count(cases, "case");
  return `${count(questions, "question")}: ${triggers}${cases > 0 ? `, ${count(cases, "case")}` : ""}`;
}
