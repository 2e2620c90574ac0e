import type { Problem } from "../../base/index.ts";
import { get, loadText, number, parseDocument, suiteProblem } from "../../formats/index.ts";

/** evolve's own settings: its thresholds are named, with the gates that say the same here. */
export function evolveSettings(files: readonly string[], root: string): Problem[] {
  return files
    .filter((file) => /[\\/]\.evolve\.(?:jsonc?|ya?ml)$/.test(file))
    .flatMap((file) => settingsIn(file, root));
}

function settingsIn(file: string, root: string): Problem[] {
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
  return [
    suiteProblem("suite/ignored-setting", {
      message: "evolve's thresholds have no effect here.",
      fix: `The same gates: proctor run ${gates.map((gate) => `--gate '${gate}'`).join(" ")}, or \`gates: [${gates.map((gate) => `"${gate}"`).join(", ")}]\` in proctor.config.yaml.`,
      location: document.at(thresholds),
    }),
  ];
}
