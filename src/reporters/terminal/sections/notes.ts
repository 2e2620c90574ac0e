import type { Note, NotedAgreement } from "../../../history/index.ts";
import { oneLine, wrap } from "../../text/fit-text.ts";
import { questionsText } from "../../text/numbers.ts";

/** What people think of the verdicts, and how often they agree with the judge. */
export function noteLines(notes: readonly Note[], agreement: NotedAgreement | null, width: number): string[] {
  const short = (value: number) => value.toFixed(2).replace(/^0\./, ".");
  const head =
    agreement === null
      ? []
      : wrap(
          `people agree with the judge on ${agreement.right} of ${questionsText(agreement)} [${short(agreement.low)}–${short(agreement.high)}]`,
          width,
        );
  const lines = notes.map(({ question, target, verdict, text }) => {
    const where = target === undefined ? "" : ` on ${oneLine(target)}`;
    return `note: ${oneLine(question)}${where}${verdict === undefined ? "" : ` is ${verdict}`}${text === "" ? "" : `: ${oneLine(text)}`}`;
  });
  return [
    ...head,
    ...lines.slice(0, 10).flatMap((line) => wrap(line, width)),
    ...(lines.length > 10 ? [`… and ${lines.length - 10} more notes`] : []),
  ];
}
