import type { PageTarget } from "../../../../src/reporters/html/page-data.ts";
import type { WiredExam } from "../../../../src/reporters/html/wire.ts";
import { count, number, oneLine } from "../../parts/words.ts";

/** Predictions appear here only if nothing was measured. */
export function headline({ targets, plan, run }: WiredExam): string {
  if (plan.questions === 0) return "Nothing was asked";
  const known = targets.filter(({ total }) => total.coverage.verdicts > 0);
  const measured = known.filter(({ predicted }) => !predicted);
  const of = measured.length > 0 ? measured : known;
  const [one, another, third] = of;
  if (one === undefined) return run.goesOn ? "No verdict yet" : "Nothing was measured: no question has a verdict";
  const on = targets.length > 1 ? ` on ${oneLine(one.id)}` : "";
  if (another === undefined)
    return `${sentence(one, plan.questions === plan.cases ? "case" : "question")}${one.predicted ? ", as predicted from the cards" : on}`;
  const failing = of.filter((target) => failed(target) > 0);
  const names = third === undefined ? `${oneLine(one.id)} and ${oneLine(another.id)}` : `all ${of.length} targets`;
  if (failing.length === 0) return `All questions with a verdict pass on ${names}`;
  const all = new Set(
    failing.flatMap(({ results }) =>
      results.flatMap(({ verdict, question }) => (verdict === "fail" ? [question] : [])),
    ),
  );
  const where =
    failing.length === 1
      ? oneLine(failing[0]?.id ?? "")
      : third === undefined
        ? `${oneLine(one.id)} or ${oneLine(another.id)}`
        : `at least one of ${of.length} targets`;
  return `${count(all.size, "question")} ${all.size === 1 ? "fails" : "fail"} on ${where}`;
}

function failed({ results }: PageTarget): number {
  return results.filter(({ verdict }) => verdict === "fail").length;
}

function sentence(target: PageTarget, noun: string): string {
  const { verdicts, planned } = target.total.coverage;
  const wrong = failed(target);
  if (wrong > 0) return `${number(wrong)} of ${count(verdicts, noun)} ${wrong === 1 ? "fails" : "fail"}`;
  if (verdicts === 1) return `The only ${noun} with a verdict passes`;
  if (verdicts === 2 && planned === 2) return `Both ${noun}s pass`;
  return `All ${count(verdicts, noun)}${verdicts < planned ? " with a verdict" : ""} pass`;
}
