import { displayWidth } from "../../base/index.ts";
import type { QuestionScore, Scores } from "../../scores/index.ts";
import type { Screen } from "./screen.ts";

/** One concrete command, and at most one other way. */
export function nextLines(scores: Scores, { colors, width, base }: Screen): string[] {
  const [first, other] = suggestions(scores, base === undefined ? "" : ` ${quoted(base)}`);
  if (first === undefined) return [];
  const whole = `next: ${first}${other === undefined ? "" : `     or ${other}`}`;
  if (displayWidth(whole) <= width) return [colors.cyan(whole)];
  return [`next: ${first}`, ...(other === undefined ? [] : [`  or  ${other}`])].map((line) => colors.cyan(line));
}

/** `path`: what a command must be given to mean this library, with a space before it. */
function suggestions(scores: Scores, path: string): string[] {
  const { run, plan, targets } = scores;
  if (plan.questions === 0)
    return run.partial === undefined ? ["proctor init drafts a suite for a skill"] : [`proctor run${path} without filters asks everything`];
  if (run.how === "interrupted" || run.how === "unfinished") return [`proctor run --resume ${quoted(run.id)}`];
  const measured = targets.filter((target) => target.total.coverage.verdicts > 0);
  if (measured.length === 0) {
    const auth = targets.some((target) => target.trials.errors.auth !== undefined);
    const invalid = targets.some((target) => target.total.coverage.missing.invalid > 0);
    return auth ? ["proctor doctor"] : invalid ? [`proctor check${path}`] : ["proctor doctor", `proctor run --resume ${quoted(run.id)}`];
  }
  const real = `a real agent: proctor run${path} -t claude:haiku`;
  const onlyPredicted = measured.every((target) => target.predicted);
  const failed = measured.flatMap((target) => target.questions.filter((question) => question.verdict === "fail"));
  const route = routeCommand(failed, path);
  if (failed.length > 0) {
    const again = onlyPredicted ? real : `proctor run${path} --failed ${measured.map((target) => `-t ${quoted(target.id)}`).join(" ")}`;
    return route === undefined ? [again] : [route, again];
  }
  if (targets.some((target) => target.total.coverage.missing.errors > 0)) return [`proctor run --resume ${quoted(run.id)}`];
  if (onlyPredicted) return [real];
  const silent = plan.skillsWithoutQuestions[0];
  return silent === undefined || run.partial !== undefined
    ? [`keep it so in CI: proctor run${path} --gate 'lower(recall)>=0.7'`]
    : [`proctor init ${quoted(silent)}${path}`];
}

/** The shortest failing query: a command that is cut off would ask something else. */
function routeCommand(failed: QuestionScore[], path: string): string | undefined {
  const queries = failed.filter((question) => question.kind === "trigger" && safe(question.prompt)).map((question) => question.prompt);
  const query = queries.find((text) => text.length <= 60) ?? queries.sort((a, b) => a.length - b.length)[0];
  return query === undefined || query.length > 100 ? undefined : `proctor route ${quoted(query, true)}${path}`;
}

/** A query is pasted into a shell: one with control or invisible characters is not offered. */
function safe(text: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u.test(text);
}

function quoted(text: string, always = false): string {
  if (!always && /^[\w@%+=:,./-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) || !safe(text) ? `'${text.replace(/[\p{Cc}\p{Cf}]/gu, "").replaceAll("'", "'\\''")}'` : `"${text}"`;
}
