import { sha256 } from "../../base/index.ts";
import type { TargetScores } from "../../scores/index.ts";
import type { Checked } from "../check/checked.ts";
import { shownPath } from "../check/checked.ts";
import type { RenderOptions, Reporter } from "../reporter.ts";

/** GitLab's code quality report: each failure at its question's line in a merge request. */
export const gitlab: Reporter = {
  name: "gitlab",
  about: "for GitLab: a code quality report, each failure at its question's line",
  render: ({ targets }, options) => issuesOf(targets, options),
  compare: ({ targets }, options) =>
    issuesOf(
      targets.map(({ comparison: { target, predicted, worsened, unsure } }) => ({
        id: target,
        predicted,
        questions: [...worsened, ...unsure.fail],
      })),
      options,
    ),
  check: checkGitlab,
};

function issuesOf(targets: readonly Pick<TargetScores, "id" | "predicted" | "questions">[], { workspace = "" }: RenderOptions): string {
  const issues = targets.flatMap(({ id, predicted, questions }) =>
    questions
      .filter(({ verdict }) => verdict === "fail")
      .map(({ id: question, prompt, why = "it failed", cause = "check", source }) => ({
        description: `${JSON.stringify(prompt.slice(0, 200))} on ${id}: ${why}`,
        check_name: `question/${cause}`,
        fingerprint: sha256(`${question} on ${id}`),
        severity: predicted ? "minor" : "major",
        location: { path: workspace === "" ? source.file : `${workspace}/${source.file}`, lines: { begin: Math.max(1, source.line ?? 1) } },
      })),
  );
  return `${JSON.stringify(issues, null, 2)}\n`;
}

const SEVERITY = { error: "major", warning: "minor", info: "info" } as const;

function checkGitlab({ problems, cwd }: Checked): string {
  const issues = problems.map(({ code, severity, message, location }) => {
    const path = shownPath(location.file, cwd);
    return {
      description: message,
      check_name: code,
      fingerprint: sha256(`${code} ${path} ${message}`),
      severity: SEVERITY[severity],
      location: { path, lines: { begin: Math.max(1, location.line ?? 1) } },
    };
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}
