import type { PageResult } from "../../../src/reports/html/page-data.ts";
import { RUN_WORDS, runsText, VERDICTS } from "./words.ts";

/** A verdict: a shape of its own for each, so that colour is never alone. */
export function Mark({ verdict, words = false }: { verdict: string; words?: boolean }) {
  return (
    <span class={`mark ${verdict}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        {shapeOf(verdict)}
      </svg>
      <span class={words ? "" : "unseen"}>{VERDICTS[verdict] ?? verdict}</span>
    </span>
  );
}

function shapeOf(verdict: string) {
  switch (verdict) {
    case "pass":
      return (
        <>
          <circle cx="8" cy="8" r="7" class="fill" />
          <path d="M4.6 8.4l2.3 2.3 4.5-5.2" class="cut" />
        </>
      );
    case "fail":
      return (
        <>
          <rect x="1.2" y="1.2" width="13.6" height="13.6" rx="2.5" class="fill" />
          <path d="M5 5l6 6M11 5l-6 6" class="cut" />
        </>
      );
    case "unsure":
      return (
        <>
          <circle cx="8" cy="8" r="6.4" class="hollow dashed" />
          <path d="M6.2 6.4a1.9 1.9 0 1 1 2.7 1.9c-.6.3-.9.6-.9 1.3M8 11.4v.3" class="line" />
        </>
      );
    default:
      return (
        <>
          <circle cx="8" cy="8" r="6.4" class="hollow" />
          <path d="M5 8h6" class="line" />
        </>
      );
  }
}

/** One mark per run of a question. */
export function Dots({ result, label = true }: { result: Pick<PageResult, "runs">; label?: boolean }) {
  const runs = [...result.runs].slice(0, 30);
  return (
    <span class="dots">
      <svg width={runs.length * 11 + 1} height="12" viewBox={`0 0 ${runs.length * 11 + 1} 12`} aria-hidden="true">
        {runs.map((run, at) => (
          <Dot key={`${at}`} run={run} x={at * 11 + 6} y={6} />
        ))}
      </svg>
      {label && <span class="unseen">{runsText(result)}</span>}
    </span>
  );
}

/** One run, at a place in a drawing. */
export function Dot({ run, x, y }: { run: string; x: number; y: number }) {
  const title = <title>{RUN_WORDS[run]}</title>;
  switch (run) {
    case "+":
      return (
        <circle cx={x} cy={y} r="4.2" class="dot right">
          {title}
        </circle>
      );
    case "-":
      return (
        <path d={`M${x} ${y - 5}l5 5-5 5-5-5z`} class="dot wrong">
          {title}
        </path>
      );
    case "?":
      return (
        <circle cx={x} cy={y} r="3.6" class="dot open">
          {title}
        </circle>
      );
    case "!":
      return (
        <path d={`M${x} ${y - 4.5}l4.6 8.6h-9.2z`} class="dot error">
          {title}
        </path>
      );
    default:
      return (
        <circle cx={x} cy={y} r="1.4" class="dot none">
          {title}
        </circle>
      );
  }
}
