import { basename } from "node:path";
import { kindAt, type Problem, problemsBy, type Rule } from "../../base/index.ts";
import { renderTemplate, suiteProblem } from "../../formats/index.ts";
import type { Suite } from "../../model/index.ts";

export const templateRules = {
  "suite/template-unused": { severity: "warning", title: "An input has no place in the template" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(templateRules);

export function checkTemplates(suite: Suite): Problem[] {
  return suite.cases.flatMap(({ template, source, id }) => {
    if (template === undefined) return [];
    const kind = kindAt(template.file, template.within);
    if (kind !== "file") {
      const why = { missing: "which does not exist", outside: "a link that leads out of the examined folder" };
      const message = `${id} fills ${basename(template.file)}, ${kind === "missing" || kind === "outside" ? why[kind] : "which is not a regular file"}.`;
      return [
        suiteProblem("suite/missing-file", {
          message,
          fix: "Add the prompt's template next to eval.yml.",
          location: source,
        }),
      ];
    }
    const { missing, unused } = renderTemplate(template);
    return [
      ...missing.map((name) =>
        suiteProblem("suite/template-missing", {
          message: `${id} gives no value for {{${name}}}, so it is not asked.`,
          fix: `Add \`${name}:\` to its inputs.`,
          location: source,
        }),
      ),
      ...unused.map((name) =>
        problem("suite/template-unused", {
          message: `${id} gives a value for ${name}, but the template has no {{${name}}}.`,
          fix: `Write {{${name}}} where it belongs, or remove the input.`,
          location: source,
        }),
      ),
    ];
  });
}
