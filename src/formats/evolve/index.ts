import type { Problem } from "../../base/index.ts";
import { get, loadText, number, parseDocument } from "../documents/index.ts";
import type { Format } from "../format.ts";
import { suiteProblem } from "../rules.ts";
import { results } from "./results.ts";

/** evolve's triggers and evals are native files; only its settings and results are its own. */
export const evolve: Format = {
  id: "evolve",
  results,
  findProblems: (files, { names }) =>
    files
      .filter((file) => /[\\/]\.evolve\.(?:jsonc?|ya?ml)$/.test(file))
      .flatMap((file) => thresholdsIn(file, names.library.root)),
};

function thresholdsIn(file: string, root: string): Problem[] {
  const content = loadText(file, root);
  const document = "text" in content ? parseDocument(file, content.text).document : undefined;
  const thresholds = get(get(document?.root, "report"), "thresholds");
  const gates = Object.entries({ triggers_min_pass_rate: "triggers", evals_min_pass_rate: "cases" }).flatMap(
    ([key, rate]) => {
      const least = number(get(thresholds, key));
      return least === undefined ? [] : [`${rate}>=${least}`];
    },
  );
  if (document === undefined || gates.length === 0) return [];
  const flags = gates.map((gate) => `--gate '${gate}'`).join(" ");
  const listed = gates.map((gate) => `"${gate}"`).join(", ");
  return [
    suiteProblem("suite/ignored-setting", {
      message: "evolve's thresholds have no effect here.",
      fix: `The same gates: proctor run ${flags}, or \`gates: [${listed}]\` in proctor.config.yaml.`,
      location: document.at(thresholds),
    }),
  ];
}
