import { canonicalJson, type Problem, problemsBy, type Rule, relativePosix } from "../../base/index.ts";
import type { Library, Suite, Trigger } from "../../model/index.ts";
import { normalText } from "./words.ts";

export const repeatRules = {
  "suite/duplicate": { severity: "warning", title: "The same question is asked twice" },
  "suite/contradiction": { severity: "error", title: "Two questions contradict each other" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(repeatRules);

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

function askOf(trigger: Trigger): string {
  const text = normalText(trigger.query);
  // A leading sigil turns a sentence into a command.
  const words = `${/^\s*([/$@])/.exec(trigger.query)?.[1] ?? ""}${text === "" ? trigger.query : text}`;
  if (trigger.files.length === 0 && trigger.messages.length === 0) return words;
  return canonicalJson([words, trigger.files, trigger.messages]);
}

function compare(group: Trigger[], library: Library): Problem[] {
  const problems: Problem[] = [];
  const earlier = new Expectations();
  for (const later of group) {
    const opposite = earlier.opposite(later);
    const twin = earlier.twin(later);
    if (opposite !== undefined) {
      problems.push(
        problem("suite/contradiction", {
          message: `${place(opposite.other, library)} asks the same question and expects the opposite${opposite.about === "" ? "" : ` of ${opposite.about}`}. One of the two always fails.`,
          fix: "Decide which one is meant and delete the other; if both skills are fine, say so with `also_fine`.",
          location: later.source,
        }),
      );
    } else if (twin !== undefined) {
      problems.push(
        problem("suite/duplicate", {
          message: `${place(twin, library)} asks the same question and expects the same.`,
          fix: "Delete one of them, or word it differently.",
          location: later.source,
        }),
      );
    }
    earlier.add(later);
  }
  return problems;
}

/** Indexed by expectation, because a group may have thousands of questions. */
class Expectations {
  readonly #twins = new Map<string, Trigger>();
  readonly #different: Trigger[] = [];
  readonly #known = new Set<string>();
  /** Indices into `#different` per required and per forbidden skill. */
  readonly #requiring = new Map<string, number[]>();
  readonly #forbidding = new Map<string, number[]>();
  /** Indices of questions that require a skill, and of those that allow none. */
  readonly #some: number[] = [];
  readonly #none: number[] = [];

  add(trigger: Trigger): void {
    const key = keyOf(trigger);
    if (!this.#twins.has(key)) this.#twins.set(key, trigger);
    const expect = canonicalJson(trigger.expect);
    if (this.#known.has(expect)) return;
    this.#known.add(expect);
    const at = this.#different.push(trigger) - 1;
    const { required_skills: required, forbidden_skills: forbidden, allow_extra: allowExtra } = trigger.expect;
    for (const skill of required) append(this.#requiring, skill, at);
    for (const skill of forbidden) append(this.#forbidding, skill, at);
    if (required.length > 0) this.#some.push(at);
    else if (!allowExtra) this.#none.push(at);
  }

  twin(trigger: Trigger): Trigger | undefined {
    return this.#twins.get(keyOf(trigger));
  }

  opposite(trigger: Trigger): { other: Trigger; about: string } | undefined {
    const { required_skills: required, forbidden_skills: forbidden, allow_extra: allowExtra } = trigger.expect;
    const candidates = [
      ...required.map((skill) => this.#forbidding.get(skill)),
      ...forbidden.map((skill) => this.#requiring.get(skill)),
      required.length > 0 ? this.#none : allowExtra ? undefined : this.#some,
    ];
    let first: { at: number; about: string } | undefined;
    for (const list of candidates) {
      for (const at of list ?? []) {
        if (first !== undefined && at >= first.at) break;
        // `!`: these are indices of `#different`.
        const about = contradiction(this.#different[at]!, trigger);
        if (about !== undefined) first = { at, about };
      }
    }
    return first === undefined ? undefined : { other: this.#different[first.at]!, about: first.about };
  }
}

function keyOf({ skill, expect }: Trigger): string {
  return canonicalJson([skill ?? null, expect]);
}

function append(index: Map<string, number[]>, skill: string, at: number): void {
  const before = index.get(skill);
  if (before === undefined) index.set(skill, [at]);
  else if (before.at(-1) !== at) before.push(at);
}

/** The skill two questions disagree about, "" if one of them allows no skill at all, or undefined if they agree. */
function contradiction({ expect: a }: Trigger, { expect: b }: Trigger): string | undefined {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const name = one.required_skills.find(
      (skill) =>
        other.forbidden_skills.includes(skill) && !one.also_fine.some((fine) => other.required_skills.includes(fine)),
    );
    if (name !== undefined) return name;
    if (one.required_skills.length > 0 && other.required_skills.length === 0 && !other.allow_extra) return "";
  }
  return undefined;
}

function place({ source }: Trigger, library: Library): string {
  return `${relativePosix(library.root, source.file)}:${source.line ?? 1}`;
}
