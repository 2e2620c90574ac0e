import type { Answer, Model, Row } from "../../data/model.ts";
import { type Trials, trialKey } from "../../data/trials.ts";

export interface FilterValues {
  q: string;
  target: string;
  skill: string;
  tag: string;
  verdict: string;
  cause: string;
  flaky: string;
  changed: string;
  expected: string;
  fired: string;
  noted: string;
}

/** Tells whether a question passes the filters. */
export function fitting(filters: FilterValues, model: Model, trials: Trials | undefined): (row: Row) => boolean {
  const { verdict, cause, flaky, changed, target, expected, fired, skill, tag, noted } = filters;
  const q = filters.q.toLowerCase();
  const isOfAnswers = [verdict, cause, flaky, changed, expected, fired].some((value) => value !== "");
  return ({ question, at, answers, text }) => {
    if (skill !== "" && question.skill !== skill) return false;
    if (tag !== "" && !question.tags.includes(tag)) return false;
    if (q !== "" && !text().includes(q)) return false;
    if (noted !== "" && !model.notes.has(at)) return false;
    if (!isOfAnswers) return true;
    return answers.some((answer) => {
      if (answer === undefined || (target !== "" && answer.target.id !== target)) return false;
      const { result } = answer;
      if (verdict !== "" && (result.status === "skipped" ? "skipped" : result.verdict) !== verdict) return false;
      if (cause !== "" && !(cause in result.causes) && !(cause === "error" && result.errors > 0)) return false;
      if (flaky !== "" && !result.flaky) return false;
      if (changed !== "" && result.change === undefined) return false;
      return expected === "" || countsIn(answer, expected, fired, trials);
    });
  };
}

/** True if one of its trials counts in that cell of the matrix. */
function countsIn({ targetAt, result }: Answer, expected: string, fired: string, trials: Trials | undefined): boolean {
  return [...result.runs].some((_, at) => {
    const cell = trials?.get(trialKey(targetAt, result.ask, at + 1))?.cell;
    return cell?.expected === expected && cell.fired === fired;
  });
}
