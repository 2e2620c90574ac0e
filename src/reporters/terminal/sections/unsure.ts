import { displayWidth } from "../../../base/index.ts";
import type { QuestionScore, Scores, TargetScores } from "../../../model/index.ts";
import { oneLine, pad, truncate, wrap } from "../../text/fit-text.ts";
import type { ReportScreen } from "../screen.ts";
import { place, subject } from "./failures.ts";

type Reason = TargetScores["unsure"][number]["reason"];

/** What a predicting target cannot tell, in one line; with --verbose every question. It is no failure, so it comes late. */
export function unsureLines({ targets }: Scores, { width, verbose, colors }: ReportScreen): string[] {
  return targets.flatMap((target) => {
    const { unsure } = target.total.coverage.missing;
    if (unsure === 0) return [];
    const who = `${targets.length > 1 ? `${oneLine(target.id)} cannot` : "cannot"} tell for ${unsure}`;
    const reasons = target.unsure.map(
      ({ reason, questions }) => `${unsure === 1 ? "it" : questions} ${because(reason, questions === 1)}`,
    );
    if (!verbose) return wrap(inOneLine(who, reasons, target, width), width);
    const questions = target.questions.filter(({ verdict }) => verdict === "unsure");
    return [
      ...wrap(`${who}: ${reasons.join(", ")}`, width),
      ...questions.flatMap((one) => questionLines(one, width, colors)),
    ];
  });
}

/** With the way to list them; the rarer reasons give way. */
function inOneLine(who: string, reasons: string[], { unsure, total }: TargetScores, width: number): string {
  const all = total.coverage.missing.unsure;
  const more = all === 1 ? " (--verbose shows it)" : " (--verbose lists them)";
  for (let told = reasons.length; told > 0; told--) {
    const left = all - unsure.slice(0, told).reduce((sum, { questions }) => sum + questions, 0);
    const line = `${who}: ${[...reasons.slice(0, told), ...(left > 0 ? [`${left} more`] : [])].join(", ")}${more}`;
    if (displayWidth(line) <= width) return line;
  }
  return `${who}${more}`;
}

function because(reason: Reason, one: boolean): string {
  switch (reason) {
    case "language":
      return `${one ? "is" : "are"} not in the language of the cards`;
    case "words":
      return `${one ? "shares" : "share"} next to nothing with the card`;
    case "locked":
      return `${one ? "is" : "are"} about skills that no model may activate`;
    case "alone":
      return `${one ? "has" : "have"} no other skill to compare with`;
    case "excluded":
      return `${one ? "names" : "name"} what the card excludes`;
    case "near":
      return `${one ? "is" : "are"} near two skills`;
    case "weak":
      return `${one ? "is" : "are"} too weak a match`;
  }
}

function questionLines(question: QuestionScore, width: number, colors: ReportScreen["colors"]): string[] {
  const start = `? ${pad(subject(question), Math.min(24, Math.floor(width * 0.22)))}  `;
  const prompt = `"${truncate(oneLine(question.prompt), width - displayWidth(start) - 2)}"`;
  const below = wrap(`${oneLine(question.why ?? "")}  ${place(question)}`, width - 4);
  return [`${start}${prompt}`, ...below.map((line) => colors.dim(`    ${line}`))];
}
