import type { GraderSpec } from "../../graders/index.ts";
import { get, items, type MapNode, text } from "../documents/index.ts";
import { emptySuite } from "../question.ts";
import { readRows } from "../rows/read-rows.ts";
import { caseOf } from "./cases.ts";
import type { Reader } from "./reader.ts";

/**
 * Skill validators' `scenarios:`, prompts with assertions and a rubric for the skill of the folder. Each is a case; and since it is run to see the
 * skill at work, the skill is expected to be activated unless `expect_activation` is false.
 */
export const scenarios: Reader = {
  id: "scenarios",
  read(document, { names }) {
    const list = items(get(document.root, "scenarios")).filter((item): item is MapNode => item.type === "map");
    const graded = list.filter(
      (item) =>
        ["expect_activation", "assertions", "rubric"].some((key) => get(item, key) !== undefined) &&
        text(get(item, "prompt")) !== undefined,
    );
    if (graded.length === 0 || graded.length < list.length / 2) return null;
    const suite = emptySuite(document.file, scenarios.id);
    const owner = names.owner()?.id;
    const read = readRows(document, names, { label: owner === undefined ? undefined : true });
    suite.triggers = read?.triggers ?? [];
    suite.problems = read?.problems ?? [];
    for (const item of list) {
      const one = caseOf(document, item, text(get(document.root, "skill")) ?? owner, suite.problems);
      if (one !== undefined && one.graders.length > 0) suite.cases.push({ ...one, graders: one.graders.map(ours) });
    }
    return suite.triggers.length + suite.cases.length > 0 ? suite : null;
  },
};

const ourNames: Record<string, string> = {
  output_contains: "contains",
  output_not_contains: "not_contains",
  output_matches: "matches",
  output_not_matches: "not_matches",
};

/** These validators have other names for our text checks. */
function ours(spec: GraderSpec): GraderSpec {
  const type = ourNames[spec.type];
  const config = spec.config as { value?: unknown; pattern?: unknown };
  return type === undefined ? spec : { ...spec, type, config: { value: config.value ?? config.pattern } };
}
