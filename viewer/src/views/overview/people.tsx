import type { Model } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { Prompt } from "../../parts/prompt.tsx";
import { count, intervalText, oneLine, titleOf } from "../../parts/words.ts";

/** Summary of people's notes on the verdicts. */
export function People({ model }: { model: Model }) {
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
                  <Prompt text={titleOf(question)} plain />
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
