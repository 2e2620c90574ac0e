import { useMemo } from "preact/hooks";
import type { Row } from "../../data/model.ts";
import { here, param } from "../../data/route.ts";
import { Mark } from "../../parts/marks.tsx";
import { number, VERDICTS } from "../../parts/words.ts";

/** Every verdict with its number of questions, as a filter. */
export function VerdictTabs({ rows }: { rows: readonly Row[] }) {
  const [target, now] = [param("target"), param("verdict")];
  const counts = useMemo(() => verdictCounts(rows, target), [rows, target]);
  return (
    <nav class="tabs verdict-tabs" aria-label="Verdict">
      <a href={here({ verdict: undefined })} aria-current={now === "" ? "true" : undefined}>
        all <b>{number(rows.length)}</b>
      </a>
      {counts.map(([verdict, n]) => (
        <a key={verdict} href={here({ verdict })} aria-current={now === verdict ? "true" : undefined}>
          <Mark verdict={verdict} said={false} /> {VERDICTS[verdict]} <b>{number(n)}</b>
        </a>
      ))}
    </nav>
  );
}

function verdictCounts(rows: readonly Row[], target: string): [verdict: string, n: number][] {
  const counts = new Map<string, number>();
  for (const { answers } of rows) {
    const own = answers.flatMap((answer) =>
      answer === undefined || (target !== "" && answer.target.id !== target) ? [] : [answer.result],
    );
    for (const verdict of new Set(own.map((result) => (result.status === "skipped" ? "skipped" : result.verdict))))
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  return Object.keys(VERDICTS).flatMap((verdict): [string, number][] => {
    const n = counts.get(verdict);
    return n === undefined ? [] : [[verdict, n]];
  });
}
