import type { WiredExam } from "../../../../src/reporters/html/wire.ts";
import { Command } from "../../parts/command.tsx";

/** The next steps, as in the terminal. */
export function Next({ exam }: { exam: WiredExam }) {
  if (exam.next.length === 0) return null;
  return (
    <section aria-labelledby="next">
      <h2 id="next">What to do next</h2>
      {exam.next.map((line) => (
        <Command key={line} line={line} />
      ))}
    </section>
  );
}
