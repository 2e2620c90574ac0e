import { type Problem, printable, VERSION } from "../base/index.ts";
import { causeLabel } from "../exam/score/index.ts";
import type { ComparedRuns } from "../history/index.ts";
import type { QuestionScore, Scores, TargetScores } from "../model/index.ts";
import { type Checked, type CheckedRule, rulePage, shownUri, uriOf } from "./checked.ts";
import type { CheckRenderOptions, RenderOptions, Reporter } from "./reporter.ts";
import { notWholeTexts, titleOf } from "./text/questions.ts";

export const sarif: Reporter = {
  name: "sarif",
  about: "for code scanning: SARIF 2.1.0, each failure at its question's line",
  render: (scores, options) => logOf(scores, options),
  compare: compareSarif,
  check: checkSarif,
};

/** Everything that fails now; failures that are not in the earlier run are marked `new`. */
function compareSarif({ now, targets }: ComparedRuns, options: RenderOptions): string {
  const isNew = new Set(
    targets.flatMap(({ comparison: { target, worsened, only, unsure } }) =>
      [...worsened, ...only.now, ...unsure.fail].map(({ id }) => `${id} on ${target}`),
    ),
  );
  return logOf(now.scores, options, (key) => (isNew.has(key) ? "new" : "unchanged"));
}

type State = "new" | "unchanged";

function logOf(scores: Scores, { workspace = "" }: RenderOptions, stateOf?: (key: string) => State): string {
  const results = scores.targets.flatMap((target) =>
    target.questions
      .filter(({ verdict }) => verdict === "fail")
      .map((question) => resultOf(question, target, workspace, stateOf)),
  );
  const notWhole = notWholeTexts(scores.run).join(" ");
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].sort();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Proctor", version: VERSION, semanticVersion: VERSION, rules: rules.map(ruleOf) } },
        automationDetails: { id: `proctor/${uriOf(scores.run.library.name)}/` },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: notWhole === "",
            toolExecutionNotifications:
              notWhole === "" ? [] : [{ level: "error" as const, message: { text: notWhole } }],
          },
        ],
        results: results.map((result) => ({ ...result, ruleIndex: rules.indexOf(result.ruleId) })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function ruleOf(id: string) {
  const text = `A question fails: ${causeLabel(id.slice("question/".length) as Parameters<typeof causeLabel>[0])}.`;
  return {
    id,
    name: id.replace(/(?:^|[/_])(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text },
    help: { text },
  };
}

function resultOf(
  question: QuestionScore,
  { id, predicted }: TargetScores,
  workspace: string,
  stateOf?: (key: string) => State,
) {
  const key = `${question.id} on ${id}`;
  const { source, why = "it failed", cause = "check" } = question;
  const file = workspace === "" ? source.file : `${workspace}/${source.file}`;
  return {
    ruleId: `question/${cause}`,
    level: predicted ? ("note" as const) : ("warning" as const),
    message: { text: printable(`${JSON.stringify(titleOf(question))} on ${id}: ${why}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: Math.max(1, source.line ?? 1), startColumn: Math.max(1, source.column ?? 1) },
        },
      },
    ],
    partialFingerprints: { "proctorQuestion/v1": printable(key) },
    ...(stateOf !== undefined && { baselineState: stateOf(key) }),
  };
}

export function checkSarif(checked: Checked, { page = () => undefined }: CheckRenderOptions): string {
  const rules = usedRules(checked);
  const indexOf = new Map(rules.map((rule, index) => [rule.code, index]));
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Proctor",
            version: VERSION,
            semanticVersion: VERSION,
            rules: rules.map((rule) => descriptor(rule, page)),
          },
        },
        columnKind: "utf16CodeUnits",
        invocations: [{ executionSuccessful: true }],
        results: checked.problems.map((problem) => result(problem, indexOf.get(problem.code), checked.cwd)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function usedRules({ rules, problems }: Checked): CheckedRule[] {
  const known = new Map(rules.map((rule) => [rule.code, rule]));
  for (const { code, severity, message } of problems)
    if (!known.has(code)) known.set(code, { code, severity, summary: printable(message) });
  return [...known.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

function descriptor(rule: CheckedRule, page: Required<CheckRenderOptions>["page"]) {
  const markdown = page(rulePage(rule.code));
  return {
    id: rule.code,
    name: rule.code.replace(/(?:^|[/-])(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: rule.summary },
    help: markdown === undefined ? { text: rule.summary } : { text: markdown, markdown },
    defaultConfiguration: { level: level[rule.severity] },
  };
}

const level = { error: "error", warning: "warning", info: "note" } as const;

function result(problem: Problem, ruleIndex: number | undefined, cwd: string) {
  const { file, line, column } = problem.location;
  const region = line === undefined ? undefined : { startLine: line, startColumn: column };
  return {
    ruleId: problem.code,
    ruleIndex,
    level: level[problem.severity],
    message: {
      text: [problem.message, ...(problem.fix === undefined ? [] : [`fix: ${problem.fix}`])].map(printable).join("\n"),
    },
    locations: [{ physicalLocation: { artifactLocation: { uri: shownUri(file, cwd) }, region } }],
  };
}
