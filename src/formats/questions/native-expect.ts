import type { SkillInvocation } from "../../model/index.ts";
import { expectation } from "./expect.ts";

export interface NativeLabel {
  skill?: string | undefined;
  should?: boolean | undefined;
  expect?: string[] | "none" | undefined;
  /** The forbidden skills, plus the suite's own skill if `should` is false. If absent, they follow from the rest. */
  forbid?: string[] | undefined;
  alsoFine?: string[];
  exclusive?: boolean;
  mode?: SkillInvocation["mode"] | undefined;
}

/** The meaning of a native trigger, shared by the reader and the writer of native files. */
export function nativeExpect({
  skill,
  should,
  expect,
  forbid,
  alsoFine = [],
  exclusive = false,
  mode,
}: NativeLabel): SkillInvocation {
  const expected = expect === "none" ? undefined : expect;
  if (forbid !== undefined) {
    const required = expected ?? (should === true && skill !== undefined ? [skill] : []);
    const own =
      should === false && skill !== undefined && !required.includes(skill) && !forbid.includes(skill) ? [skill] : [];
    return {
      required_skills: required,
      forbidden_skills: [...own, ...forbid],
      also_fine: alsoFine,
      mode: mode ?? "any_order",
      allow_extra: !exclusive && !(expect === "none" && required.length === 0),
    };
  }
  // A row of this skill's suite that expects another skill is a negative of this skill.
  const loses = expected !== undefined && skill !== undefined && !expected.includes(skill) && !alsoFine.includes(skill);
  const meant = expectation({
    skill,
    shouldTrigger: should ?? (loses ? false : undefined),
    expect: expected,
    nobody: expect === "none" ? "stated" : undefined,
    alsoFine,
    exclusive,
  });
  return mode === undefined ? meant : { ...meant, mode };
}
