import { type Answer, type Model, type Row, worstAnswer } from "../data/model.ts";
import { to } from "../data/route.ts";
import { Interval, Scale } from "../parts/interval.tsx";
import { Dots, Mark } from "../parts/marks.tsx";
import { count, expectation, oneLine, place, safe, VERDICTS } from "../parts/words.ts";
import { NotHere } from "./question.tsx";
import { Trend } from "./runs.tsx";
import { shownOf } from "./shown.ts";

/** One skill: its card, how it does on each target, and its questions by cause. */
export function SkillView({ model, id }: { model: Model; id: string }) {
  const skill = model.skills.get(id);
  const rows = model.rowsBySkill.get(id) ?? [];
  if (skill === undefined && rows.length === 0) return <NotHere what="skill" id={id} back="skills" />;
  const measured = model.targets.flatMap((target, at) => {
    const rates = target.skills.find((one) => one.skill === id);
    return rates === undefined ? [] : [{ target, at, rates }];
  });
  const hasPast = model.data.history.length > 1;
  return (
    <article class="skill">
      <p class="crumbs">
        <a href={to("skills")}>Skills</a>
      </p>
      <h1>
        <bdi>{oneLine(id)}</bdi>
      </h1>
      <div class="columns">
        <div>
          {measured.length > 0 && (
            <section aria-label="Rates">
              <table class="rates">
                <thead>
                  <tr>
                    <th scope="col">target</th>
                    <th scope="col">passed</th>
                    <th scope="col">recall</th>
                    <th scope="col">false positives</th>
                  </tr>
                </thead>
                <tbody>
                  {measured.map(({ target, rates }) => (
                    <tr key={target.id}>
                      <th scope="row">
                        {oneLine(target.id)}
                        {target.predicted && <span class="quiet"> predicted</span>}
                      </th>
                      {(["score", "recall", "fpr"] as const).map((name) => (
                        <td key={name}>
                          <Interval rate={rates[name]} name={name} predicted={target.predicted} share={name === "score"} />
                          <Scale />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
          <Groups model={model} rows={rows} />
        </div>
        <div class="aside">
          <section aria-labelledby="card">
            <h2 id="card">Its card</h2>
            {skill?.description === undefined ? (
              <p class="quiet">This record does not hold it.</p>
            ) : (
              <blockquote class="card-text">
                <bdi>{safe(skill.description) || "(no description)"}</bdi>
              </blockquote>
            )}
            <ShownAs model={model} id={id} />
            {skill?.modelInvocable === false && <p>It has disable-model-invocation: hosts that honour it never offer it to a model.</p>}
          </section>
          <Rivals model={model} id={id} />
          <Advice model={model} id={id} />
          {(skill?.problems ?? []).length > 0 && (
            <section aria-labelledby="problems">
              <h2 id="problems">What proctor check finds</h2>
              <ul class="problems">
                {skill?.problems?.map(({ severity, code, message, place: where }) => (
                  <li key={`${code} ${where}`}>
                    <span class={`flag ${severity === "error" ? "bad" : ""}`}>{severity}</span> {oneLine(message)}{" "}
                    <span class="quiet">
                      {oneLine(where)} {oneLine(code)}
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {hasPast && (
            <section aria-labelledby="trend">
              <h2 id="trend">Over time</h2>
              <Trend model={model} skill={id} small />
              <p>
                <a href={to("runs", "", { skill: id })}>Larger, with the edits</a>
              </p>
            </section>
          )}
        </div>
      </div>
    </article>
  );
}

function ShownAs({ model, id }: { model: Model; id: string }) {
  const ways = model.targets.flatMap(({ id: target }, at) => {
    const shown = shownOf(model, at).get(id);
    return shown === undefined ? [] : [{ target, shown }];
  });
  if (ways.length === 0) return null;
  return (
    <dl class="pairs">
      {ways.map(({ target, shown }) => (
        <div key={target}>
          <dt>{oneLine(target)}</dt>
          <dd>
            shows it <b>{shown}</b>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Group {
  title: string;
  rows: { row: Row; verdict: string }[];
}

/** Each question once, by the worst that was measured of it, the worst first: what went wrong the same way is mended the same way. */
function Groups({ model, rows }: { model: Model; rows: Row[] }) {
  if (rows.length === 0) return <p>No question is about this skill, so nothing is known about it.</p>;
  const targets = model.targets.map((_, at) => at);
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const answer = worstAnswer(row, targets);
    if (answer === undefined) continue;
    const { key, title } = groupOf(answer, model);
    const group = groups.get(key) ?? { title, rows: [] };
    group.rows.push({ row, verdict: answer.result.status === "skipped" ? "skipped" : answer.result.verdict });
    groups.set(key, group);
  }
  return (
    <>
      {[...groups]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, group]) => (
          <GroupSection key={key} group={group} isFolded={key >= "4" && rows.length > 24} />
        ))}
    </>
  );
}

function groupOf({ result, target }: Answer, { data }: Model): { key: string; title: string } {
  const as = target.predicted ? ", as predicted" : "";
  if (result.status === "skipped") return { key: "6", title: "Skipped" };
  if (result.status === "invalid") return { key: "5", title: "Invalid" };
  if (result.verdict === "pass")
    return result.flaky ? { key: "1", title: "Passes, but is flaky" } : { key: `4${as}`, title: `Passes${as}` };
  if (result.verdict === "fail")
    return { key: `0 ${result.cause ?? ""}${as}`, title: `Fails: ${data.words.causes[result.cause ?? ""] ?? "for another reason"}${as}` };
  return result.verdict === "unsure" ? { key: "3", title: "Cannot be told" } : { key: "2", title: "No verdict" };
}

function GroupSection({ group: { title, rows }, isFolded }: { group: Group; isFolded: boolean }) {
  const list = (
    <ul class="questions">
      {rows.map(({ row, verdict }) => (
        <li key={row.question.id}>
          <a class="entry" href={to("question", row.question.id)}>
            <Mark verdict={verdict} />
            <span class="what">
              <bdi class="prompt">{oneLine(row.question.prompt)}</bdi>
              <span class="quiet">
                {expectation(row.question)} · {place(row.question)}
              </span>
              <Answers row={row} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <section class="group">
      <h2>
        {title} <span class="quiet">{rows.length}</span>
      </h2>
      {isFolded ? (
        <details>
          <summary>Show {count(rows.length, "question")}</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </section>
  );
}

/** What has a reason has a line of its own; the others stand side by side. */
function Answers({ row: { answers } }: { row: Row }) {
  const known = answers.filter((answer): answer is Answer => answer !== undefined);
  if (known.every(({ result }) => result.status !== "asked")) return <NotAsked answers={known} />;
  const told = known.filter(({ result }) => result.why !== undefined && result.status === "asked" && result.verdict !== "unsure");
  const rest = known.filter((answer) => !told.includes(answer));
  const several = known.length > 1;
  return (
    <>
      {told.map(({ target, result }) => (
        <span class="why" key={target.id}>
          {several && <b>{oneLine(target.id)} </b>}
          {!target.deterministic && <Dots result={result} />} {oneLine(result.why ?? "")}
        </span>
      ))}
      {rest.length > 0 && (
        <span class="why together">
          {rest.map(({ target, result }) => (
            <span key={target.id}>
              {several && oneLine(target.id)}{" "}
              {result.status === "asked" ? <Dots result={result} /> : (VERDICTS[result.status] ?? result.status)}
            </span>
          ))}
        </span>
      )}
    </>
  );
}

/** Each reason once, with the targets it holds for. */
function NotAsked({ answers }: { answers: Answer[] }) {
  const reasons = new Map<string, string[]>();
  for (const { target, result } of answers) {
    const reason = oneLine(result.reason ?? result.why ?? "");
    reasons.set(reason, [...(reasons.get(reason) ?? []), oneLine(target.id)]);
  }
  return (
    <>
      {[...reasons].map(([reason, targets]) => (
        <span class="why" key={reason}>
          {answers.length > 1 && <b>{targets.join(", ")} </b>}
          {reason}
        </span>
      ))}
    </>
  );
}

function Rivals({ model, id }: { model: Model; id: string }) {
  const steals = model.targets.flatMap((target) =>
    target.steals.filter(({ thief, victim }) => thief === id || victim === id).map((steal) => ({ ...steal, target })),
  );
  if (steals.length === 0) return null;
  return (
    <section aria-labelledby="rivals">
      <h2 id="rivals">Its rivals</h2>
      <ul class="plain-list">
        {steals.slice(0, 10).map(({ thief, victim, prompts, trials, target }) => {
          const other = thief === id ? victim : thief;
          return (
            <li key={`${target.id} ${thief} ${victim}`}>
              {thief === id ? "takes from " : "loses to "}
              <a href={to("skill", other)}>{oneLine(other)}</a>: {count(prompts, "prompt")}, {count(trials, "trial")}
              {model.targets.length > 1 && <span class="quiet"> on {oneLine(target.id)}</span>}{" "}
              <a href={to("questions", "", { expected: victim, fired: thief, target: target.id })}>which</a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What `proctor collisions` advises for the pairs this skill is in. */
function Advice({ model, id }: { model: Model; id: string }) {
  const { collisions } = model.data;
  const pairs = (collisions?.pairs ?? []).filter(({ skills, risk }) => skills.includes(id) && risk >= 0.3).slice(0, 5);
  const vague = collisions?.vague.find(({ skill }) => skill === id);
  const broad = collisions?.broad.find(({ skill }) => skill === id);
  if (pairs.length === 0 && vague === undefined && broad === undefined) return null;
  return (
    <section aria-labelledby="advice">
      <h2 id="advice">What to do about its card</h2>
      <ul class="plain-list">
        {pairs.map(({ skills, advice, risk }) => (
          <li key={skills.join(" ")}>
            {oneLine(advice)} <span class="quiet">risk {risk.toFixed(2)}</span>
          </li>
        ))}
        {broad !== undefined && (
          <li>It fires on what {count(broad.takesFrom.length, "sibling")} are for. Say what it is not for, and which skill is.</li>
        )}
        {vague !== undefined && <li>Its card hardly says when to use it. Say when, in the words of the people who need it.</li>}
      </ul>
    </section>
  );
}
