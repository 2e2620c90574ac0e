import { printable, sha256 } from "../base/index.ts";
import type { TargetScores } from "../model/index.ts";
import { type Checked, shownPath } from "./checked.ts";
import type { RenderOptions, Reporter } from "./reporter.ts";
import { notWholeSides } from "./text/comparison.ts";
import { notWholeTexts, titleOf } from "./text/questions.ts";

export const gitlab: Reporter = {
  name: "gitlab",
  about: "for GitLab: a code quality report, each failure at its question's line",
  render: ({ targets, run }, options) =>
    issuesOf(targets, options, { texts: notWholeTexts(run), file: run.suite.files[0] }),
  compare: (compared, options) =>
    issuesOf(
      compared.targets.map(({ comparison: { target, predicted, worsened, unsure } }) => ({
        id: target,
        predicted,
        questions: [...worsened, ...unsure.fail],
      })),
      options,
      { texts: notWholeSides(compared), file: compared.now.scores.run.suite.files[0] },
    ),
  check: (checked, { workspace = checked.cwd }) => checkGitlab({ ...checked, cwd: workspace }),
};

interface NotWhole {
  texts: readonly string[];
  file: string | undefined;
}

function issuesOf(
  targets: readonly Pick<TargetScores, "id" | "predicted" | "questions">[],
  { workspace = "" }: RenderOptions,
  { texts, file = "." }: NotWhole,
): string {
  const place = (path: string) => (workspace === "" ? path : `${workspace}/${path}`);
  const notWhole = (texts.length === 0 ? [] : [texts.join(" ")]).map((text) => ({
    description: text,
    check_name: "record/not-whole",
    fingerprint: sha256(`not whole: ${text}`),
    severity: "blocker",
    location: { path: place(file), lines: { begin: 1 } },
  }));
  const issues = targets.flatMap(({ id, predicted, questions }) =>
    questions
      .filter(({ verdict }) => verdict === "fail")
      .map(({ id: question, name, prompt, why = "it failed", cause = "check", source }) => ({
        description: printable(`${JSON.stringify(titleOf({ name, prompt }).slice(0, 200))} on ${id}: ${why}`),
        check_name: `question/${cause}`,
        fingerprint: sha256(`${question} on ${id}`),
        severity: predicted ? "minor" : "major",
        location: { path: place(source.file), lines: { begin: Math.max(1, source.line ?? 1) } },
      })),
  );
  return `${JSON.stringify([...notWhole, ...issues], null, 2)}\n`;
}

const SEVERITY = { error: "major", warning: "minor", info: "info" } as const;

function checkGitlab({ problems, cwd }: Checked): string {
  const issues = problems.map(({ code, severity, message, location }) => {
    const path = shownPath(location.file, cwd);
    return {
      description: printable(message),
      check_name: code,
      fingerprint: sha256(`${code} ${path} ${message}`),
      severity: SEVERITY[severity],
      location: { path, lines: { begin: Math.max(1, location.line ?? 1) } },
    };
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}
