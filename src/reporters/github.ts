import { count, type Problem } from "../base/index.ts";
import { onlyDrafts } from "../exam/score/index.ts";
import type { ComparedRuns } from "../history/index.ts";
import type { QuestionScore, Scores } from "../model/index.ts";
import { type Checked, shownPath } from "./checked.ts";
import { compareMarkdown } from "./markdown/compare.ts";
import { renderMarkdown } from "./markdown/index.ts";
import type { RenderOptions, Reporter } from "./reporter.ts";
import { notWholeSides } from "./text/comparison.ts";
import { notWholeTexts, titleOf } from "./text/questions.ts";

export const github: Reporter = {
  name: "github",
  about: "for GitHub Actions: annotations at the lines concerned, and the job's summary",
  render: renderGithub,
  compare: compareGithub,
  check: (checked, { workspace = checked.cwd }) => checkGithub({ ...checked, cwd: workspace }),
  summary: (scores, options) => renderMarkdown(scores, options),
  compareSummary: (compared) => compareMarkdown(compared),
};

type Level = "error" | "warning" | "notice";

interface Annotation {
  level: Level;
  file?: string;
  line?: number;
  title: string;
  message: string;
}

function renderGithub(scores: Scores, options: RenderOptions): string {
  const found: Annotation[] = notWhole(notWholeTexts(scores.run));
  if (onlyDrafts(scores))
    found.push({
      level: "warning",
      title: "only drafts were asked",
      message: "Nobody has reviewed these questions, so passing them proves nothing.",
    });
  for (const { id, predicted, questions } of scores.targets) {
    const failed = questions.filter(({ verdict }) => verdict === "fail");
    const level: Level = predicted && !scores.options.allowPredicted ? "warning" : "error";
    for (const question of failed)
      found.push(atQuestion(question, level, `${question.skill ?? "library"} on ${id}`, options));
    // A failing case says nothing about the description.
    for (const [skill, own] of bySkill(failed.filter(({ kind }) => kind === "trigger"))) {
      const place = options.skills?.get(skill);
      if (place === undefined) continue;
      const total = questions.filter(
        (question) =>
          question.kind === "trigger" &&
          question.skill === skill &&
          (question.verdict === "pass" || question.verdict === "fail"),
      ).length;
      const message = `${own.length} of ${count(total, "question")} about ${skill} ${own.length === 1 ? "fails" : "fail"} on ${id}${predicted ? " (predicted)" : ""}. The first: ${own[0]?.why ?? own[0]?.prompt}`;
      found.push({
        level: "warning",
        file: below(place.file, options),
        line: place.line,
        title: `${skill}: description`,
        message,
      });
    }
    for (const question of questions) {
      if (question.status === "skipped" || question.verdict !== "inconclusive") continue;
      found.push(atQuestion(question, "notice", `no verdict on ${id}`, options));
    }
  }
  return commands(found);
}

function notWhole(texts: readonly string[]): Annotation[] {
  return texts.length === 0 ? [] : [{ level: "error", title: "not a whole run", message: texts.join("\n") }];
}

function compareGithub(compared: ComparedRuns, options: RenderOptions): string {
  const found = compared.targets.flatMap(({ comparison, regressions }) =>
    comparison.worsened.map((question) =>
      atQuestion(
        question,
        regressions.length > 0 && !comparison.predicted ? "error" : "warning",
        `fails now on ${comparison.target}`,
        options,
      ),
    ),
  );
  return commands([...notWhole(notWholeSides(compared)), ...found]);
}

function atQuestion(question: QuestionScore, level: Level, title: string, options: RenderOptions): Annotation {
  const { source, why = "" } = question;
  return {
    level,
    file: below(source.file, options),
    line: source.line,
    title,
    message: `${JSON.stringify(titleOf(question).slice(0, 300))}: ${why}`,
  };
}

function below(file: string, { workspace = "" }: RenderOptions): string {
  return workspace === "" ? file : `${workspace}/${file}`;
}

function bySkill(questions: readonly QuestionScore[]): Map<string, QuestionScore[]> {
  const found = new Map<string, QuestionScore[]>();
  for (const question of questions)
    if (question.skill !== undefined) found.set(question.skill, [...(found.get(question.skill) ?? []), question]);
  return found;
}

function commands(all: readonly Annotation[]): string {
  return (["error", "warning", "notice"] as const)
    .flatMap((level) => withinLimits(level, all.filter((one) => one.level === level).map(commandOf)))
    .map((line) => `${line}\n`)
    .join("");
}

function commandOf({ level, file, line, title, message }: Annotation): string {
  const properties = Object.entries({ file, line, title }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  return `::${level} ${properties.join(",")}::${escapeData(message)}`;
}

/** Paths are relative to `checked.cwd`, which must be the root of the checkout for GitHub to find the file. */
export function checkGithub({ problems, cwd }: Checked): string {
  return (["error", "warning", "info"] as const)
    .flatMap((severity) =>
      withinLimits(
        level[severity],
        problems.filter((one) => one.severity === severity).map((one) => command(one, cwd)),
      ),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** GitHub shows at most ten annotations per level and step, and silently drops the rest. */
const MOST = 10;

function withinLimits(of: "error" | "warning" | "notice", commands: readonly string[]): readonly string[] {
  if (commands.length <= MOST) return commands;
  const more = commands.length - MOST + 1;
  return [
    ...commands.slice(0, MOST - 1),
    `::${of} title=proctor::… and ${more} more: the summary and the report have them all.`,
  ];
}

function command(problem: Problem, cwd: string): string {
  const { file, line, column } = problem.location;
  const properties = Object.entries({
    file: shownPath(file, cwd),
    line,
    col: line === undefined ? undefined : column,
    title: problem.code,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  const message = problem.fix === undefined ? problem.message : `${problem.message}\nfix: ${problem.fix}`;
  return `::${level[problem.severity]} ${properties.join(",")}::${escapeData(message)}`;
}

const level = { error: "error", warning: "warning", info: "notice" } as const;

/** Escapes like the GitHub Actions toolkit: these characters would end a command or a property. */
function escapeData(text: string): string {
  return text
    .replaceAll("%", "%25")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A")
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
