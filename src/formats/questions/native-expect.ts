import type { SkillInvocation } from "../../model/index.ts";
import { expectation } from "./expect.ts";

export interface NativeLabel {
  skill?: string | undefined;
  should?: boolean | undefined;
  expect?: string[] | "none" | undefined;
  /**
   * These are forbidden, and the suite's own skill where `should` is false. Where it is not written, they follow from
   * the rest.
   */
  forbid?: string[] | undefined;
  alsoFine?: string[];
  exclusive?: boolean;
  mode?: SkillInvocation["mode"] | undefined;
}

/** What a native trigger means; readers and writers of native files both go by it. */
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
  // A row of this skill's suite that somebody else should win is a negative of this skill.
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
