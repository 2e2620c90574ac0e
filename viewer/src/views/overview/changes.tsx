import type { PageSince } from "../../../../src/reporters/html/page-data.ts";
import type { Model } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { Mark } from "../../parts/marks.tsx";
import { Prompt } from "../../parts/prompt.tsx";
import { capital, count, number, oneLine, titleOf } from "../../parts/words.ts";

/** Changes since the previous run, by target. */
export function Changes({ model }: { model: Model }) {
  const since = model.exam?.since ?? [];
  if (since.length === 0) return null;
  const place = new Map(model.targets.map(({ id }, at) => [id, at]));
  const order = (one: PageSince) => (isMoved(one) ? 0 : 1_000) + (place.get(one.comparison.target) ?? 0);
  const isMoved = ({ comparison, sight }: PageSince) =>
    comparison.improved.length + comparison.worsened.length > 0 || sight !== "";
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">What changed</h2>
      {since
        .toSorted((a, b) => order(a) - order(b))
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
        {one.sight !== "" && <b>{capital(one.sight)}. </b>}
        {n === 0 ? (
          one.sight === "" && "Nothing to compare."
        ) : moved.length === 0 ? (
          `The same verdicts on ${n === 1 ? "the only question" : `all ${count(n, "question")}`} ${one.sight === "" ? "that both asked" : "with a verdict in both"}.`
        ) : (
          <b>
            {number(passed.before)} → {number(passed.now)} of {count(n, "question")} pass
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
        {differences.length > 0 && `not measured the same way: ${differences.map(oneLine).join(", ")}`}
      </p>
      {caution !== undefined && <p class="quiet">{`${capital(oneLine(caution))}.`}</p>}
      <ul class="changed">
        {moved.slice(0, 8).map(({ id, verdict, word }) => {
          const question = model.rowById.get(id)?.question;
          return (
            <li key={id}>
              <a href={to("question", id)}>
                <Mark verdict={verdict} />
                <span>
                  <Prompt text={question === undefined ? id : titleOf(question)} plain />{" "}
                  <span class="quiet">{word}</span>
                </span>
              </a>
            </li>
          );
        })}
      </ul>
      {moved.length > 8 && (
        <a href={to("questions", "", { changed: "yes", target })}>All {number(moved.length)} that changed</a>
      )}
    </div>
  );
}
