import { canonicalJson, type Problem, relativePosix } from "../../base/index.ts";
import type { Library } from "../../skills/index.ts";
import { suiteProblem } from "../rules.ts";
import type { Suite, Trigger } from "../suite.ts";
import { normalText } from "./words.ts";

/** Questions that say the same thing twice, or the opposite of another, in all suites of the library. */
export function checkRepeats(suites: readonly Suite[], library: Library): Problem[] {
  const problems: Problem[] = [];
  const groups = new Map<string, Trigger[]>();
  for (const suite of suites) {
    for (const trigger of suite.triggers) {
      const key = askOf(trigger);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [trigger]);
      else group.push(trigger);
    }
  }
  for (const group of groups.values()) if (group.length > 1) problems.push(...compare(group, library));
  return problems;
}

/** Words alone are not the whole question: the same sentence after another conversation may be a different one. */
function askOf(trigger: Trigger): string {
  const text = normalText(trigger.query);
  // A sigil is not a letter, but it turns a sentence into a command.
  const words = `${/^\s*([/$@])/.exec(trigger.query)?.[1] ?? ""}${text === "" ? trigger.query : text}`;
  if (trigger.files.length === 0 && trigger.messages.length === 0) return words;
  return canonicalJson([words, trigger.files, trigger.messages]);
}

function compare(group: Trigger[], library: Library): Problem[] {
  const problems: Problem[] = [];
  for (const [index, later] of group.entries()) {
    const earlier = group.slice(0, index);
    const opposite = earlier.flatMap((other) => {
      const about = contradiction(other, later);
      return about === undefined ? [] : [{ other, about }];
    })[0];
    const twin = earlier.find((other) => other.skill === later.skill && canonicalJson(other.expect) === canonicalJson(later.expect));
    if (opposite !== undefined) {
      problems.push(
        suiteProblem("suite/contradiction", {
          message: `${place(opposite.other, library)} asks the same question and expects the opposite${opposite.about === "" ? "" : ` of ${opposite.about}`}. One of the two always fails.`,
          fix: "Decide which one is meant and delete the other; if both skills are fine, say so with `also_fine`.",
          location: later.source,
        }),
      );
    } else if (twin !== undefined) {
      problems.push(
        suiteProblem("suite/duplicate", {
          message: `${place(twin, library)} asks the same question and expects the same.`,
          fix: "Delete one of them, or word it differently.",
          location: later.source,
        }),
      );
    }
  }
  return problems;
}

/** The skill about which two questions disagree; "" if one expects no skill at all. */
function contradiction({ expect: a }: Trigger, { expect: b }: Trigger): string | undefined {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const name = one.required_skills.find(
      (skill) => other.forbidden_skills.includes(skill) && !one.also_fine.some((fine) => other.required_skills.includes(fine)),
    );
    if (name !== undefined) return name;
    if (one.required_skills.length > 0 && other.required_skills.length === 0 && !other.allow_extra) return "";
  }
  return undefined;
}

function place({ source }: Trigger, library: Library): string {
  return `${relativePosix(library.root, source.file)}:${source.line ?? 1}`;
}
