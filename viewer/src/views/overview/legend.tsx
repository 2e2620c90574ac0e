import type { WiredExam } from "../../../../src/reporters/html/wire.ts";
import { oneLine } from "../../parts/words.ts";

/** Explains the marks of targets that occur. */
export function Legend({ exam: { targets, since } }: { exam: WiredExam }) {
  if (targets.every(({ total }) => total.score.value === null)) return null;
  const before = since.find((one) => one.before !== undefined);
  return (
    <ul class="legend quiet">
      {targets.some(({ predicted }) => !predicted) && (
        <li>
          <svg width="34" height="14" viewBox="0 0 34 14" aria-hidden="true">
            <line x1="2" x2="32" y1="7" y2="7" class="range" />
            <circle cx="17" cy="7" r="5" class="point" />
          </svg>
          measured, with its 95 % interval
        </li>
      )}
      {targets.some(({ predicted }) => predicted) && (
        <li>
          <svg width="34" height="14" viewBox="0 0 34 14" aria-hidden="true" class="predicted">
            <line x1="2" x2="32" y1="7" y2="7" class="range" />
            <path d="M17 1L23 7L17 13L11 7z" class="point" />
          </svg>
          predicted, with its 95 % interval
        </li>
      )}
      {before !== undefined && (
        <li>
          <svg width="34" height="14" viewBox="0 0 34 14" aria-hidden="true">
            <line x1="2" x2="32" y1="7" y2="7" class="range past" />
            <circle cx="17" cy="7" r="3" class="point past" />
          </svg>
          the run before, {oneLine(before.run)}
        </li>
      )}
    </ul>
  );
}
