import type { Answer, Row } from "../../data/model.ts";
import { Dots } from "../../parts/marks.tsx";
import { oneLine, VERDICTS } from "../../parts/words.ts";

/** Answers with a reason get their own line; the others share one. */
export function Answers({ row: { answers } }: { row: Row }) {
  const known = answers.filter((answer): answer is Answer => answer !== undefined);
  if (known.every(({ result }) => result.status !== "asked")) return <NotAsked answers={known} />;
  const told = known.filter(
    ({ result }) => result.why !== undefined && result.status === "asked" && result.verdict !== "unsure",
  );
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
