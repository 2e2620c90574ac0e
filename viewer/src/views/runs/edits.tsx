import type { Model } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { count, oneLine } from "../../parts/words.ts";
import { WordDiff } from "./word-diff.tsx";

const MOST = 12;

/** Edits of skills between runs, word by word. */
export function Edits({ model, skill }: { model: Model; skill: string }) {
  const edited = model.data.history.flatMap((run) => {
    const own = run.edited.filter((edit) => skill === "" || edit.skill === skill);
    return own.length === 0 ? [] : [{ run: run.run, own }];
  });
  return (
    <section aria-labelledby="edits">
      <h2 id="edits">Edits</h2>
      {edited.length === 0 && (
        <p class="quiet">
          {model.data.history.length < 2 ? "There is one run so far." : "No skill was edited between the kept runs."}
        </p>
      )}
      <ol class="edits">
        {edited.toReversed().map(({ run, own }) => (
          <li key={run}>
            <p>
              before <b>{run}</b>
            </p>
            <ul class="plain-list">
              {own.slice(0, MOST).map((edit) => (
                <li key={edit.skill}>
                  <a href={to("skill", edit.skill)}>{oneLine(edit.skill)}</a>
                  {edit.before === undefined || edit.after === undefined ? (
                    <span class="quiet"> its files changed, not its description</span>
                  ) : (
                    <WordDiff before={edit.before} after={edit.after} />
                  )}
                </li>
              ))}
            </ul>
            {own.length > MOST && <p class="quiet">and {count(own.length - MOST, "more skill")}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
