import { type Problem, printable, VERSION } from "../../base/index.ts";
import { type Checked, type CheckedRule, rulePage, shownUri } from "./checked.ts";

/** SARIF 2.1.0, for code scanning and editors. `page` returns the text of a rule's page, if it can be read. */
export function checkSarif(checked: Checked, page: (rulePage: string) => string | undefined): string {
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

/** Every known rule, and those that only a problem mentions. */
function usedRules({ rules, problems }: Checked): CheckedRule[] {
  const known = new Map(rules.map((rule) => [rule.code, rule]));
  for (const { code, severity, message } of problems)
    if (!known.has(code)) known.set(code, { code, severity, summary: printable(message) });
  return [...known.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

function descriptor(rule: CheckedRule, page: (rulePage: string) => string | undefined) {
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
