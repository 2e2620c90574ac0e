import type { WiredExam } from "../../../../src/reporters/html/wire.ts";
import { Mark } from "../../parts/marks.tsx";
import { oneLine } from "../../parts/words.ts";

export function Gates({ exam }: { exam: WiredExam }) {
  if (exam.gates.length === 0) return null;
  return (
    <section aria-label="Gates">
      <ul class="gates">
        {exam.gates.map(({ text, target, status, message }) => (
          <li key={`${text} ${target}`} class={status}>
            <Mark verdict={{ met: "pass", breached: "fail", unmeasured: "inconclusive" }[status]} />
            <span>
              gate <code>{oneLine(text)}</code>{" "}
              {{ met: "is met", breached: "is breached", unmeasured: "is not measured" }[status]}{" "}
              <span class="quiet">{oneLine(`${target === "" ? "" : `on ${target}: `}${message}`)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
