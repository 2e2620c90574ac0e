import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Problem } from "../../base/index.ts";
import { suiteProblem } from "../rules.ts";
import type { Suite } from "../suite.ts";
import { renderTemplate } from "../template.ts";

/** Variables of a prompt's template without a value, and values without a place. */
export function checkTemplates(suite: Suite): Problem[] {
  return suite.cases.flatMap(({ template, source, id }) => {
    if (template === undefined) return [];
    if (!existsSync(template.file)) {
      const message = `${id} fills ${basename(template.file)}, which does not exist.`;
      return [suiteProblem("suite/missing-file", { message, fix: "Add the prompt's template next to eval.yml.", location: source })];
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
        suiteProblem("suite/template-unused", {
          message: `${id} gives a value for ${name}, but the template has no {{${name}}}.`,
          fix: `Write {{${name}}} where it belongs, or remove the input.`,
          location: source,
        }),
      ),
    ];
  });
}
