import type { PageResult } from "../../../src/reporters/html/page-data.ts";
import { RUN_WORDS, runsText, VERDICTS } from "./words.ts";

/**
 * A verdict. Each has its own shape, so that colour is never the only sign. The style sheet draws the shapes because
 * lists have thousands of them.
 */
export function Mark({ verdict, words = false, said = true }: { verdict: string; words?: boolean; said?: boolean }) {
  // Where the words stand beside it, it is not said twice.
  if (!said) return <span class={`mark ${verdict}`} aria-hidden="true" />;
  return (
    <span class={`mark ${verdict}`}>
      <span class={words ? "" : "unseen"}>{VERDICTS[verdict] ?? verdict}</span>
    </span>
  );
}

const MOST_DOTS = 30;
const KINDS: [string, string, (x: number) => string][] = [
  ["+", "right", (x) => `M${x - 4.2} 6a4.2 4.2 0 1 1 8.4 0a4.2 4.2 0 1 1-8.4 0z`],
  ["-", "wrong", (x) => `M${x} 1l5 5-5 5-5-5z`],
  ["?", "open", (x) => `M${x - 3.6} 6a3.6 3.6 0 1 1 7.2 0a3.6 3.6 0 1 1-7.2 0z`],
  ["!", "error", (x) => `M${x} 1.5l4.6 8.6h-9.2z`],
  [".", "none", (x) => `M${x - 1.4} 6a1.4 1.4 0 1 1 2.8 0a1.4 1.4 0 1 1-2.8 0z`],
];

/** One mark per run of a question. Marks of one kind share one SVG path. */
export function Dots({ result, label = true }: { result: Pick<PageResult, "runs">; label?: boolean }) {
  const runs = result.runs.slice(0, MOST_DOTS);
  const width = runs.length * 11 + 1;
  return (
    <span class="dots">
      <svg width={width} height="12" aria-hidden="true">
        {KINDS.map(([sign, kind, shape]) => {
          if (!runs.includes(sign)) return null;
          return (
            <path
              key={kind}
              class={`dot ${kind}`}
              d={[...runs].map((run, at) => (run === sign ? shape(at * 11 + 6) : "")).join("")}
            />
          );
        })}
      </svg>
      {label && <span class="unseen">{runsText(result)}</span>}
    </span>
  );
}

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
