import type { PageNote } from "../../../src/reporters/html/page-data.ts";
import { moment, oneLine, safe } from "./words.ts";

/** People's notes on the verdicts of a question. */
export function Notes({ notes }: { notes: readonly PageNote[] }) {
  return (
    <ul class="notes-list">
      {notes.map(({ target, verdict, text, at }) => (
        <li key={`${target} ${at}`}>
          <p class="quiet">
            {verdict !== undefined && (
              <b class={`said ${verdict}`}>{verdict === "right" ? "the verdict is right" : "the verdict is wrong"}</b>
            )}
            {target !== undefined && ` on ${oneLine(target)}`}
            {`${verdict === undefined && target === undefined ? "" : ", "}${moment(at)}`}
          </p>
          {text !== "" && (
            <blockquote class="card-text">
              <bdi>{safe(text)}</bdi>
            </blockquote>
          )}
        </li>
      ))}
    </ul>
  );
}
