import type { Label } from "../questions/expect.ts";
import type { Row } from "./collect.ts";
import { normalKey } from "./label-words.ts";

export interface RowOwner {
  id: string;
  /**
   * Whether the row names this skill or the file is its own suite: expecting another skill is then a negative of this
   * one.
   */
  leads: boolean;
}

export interface FileFacts {
  underTest: ReadonlySet<string>;
  nameless: boolean;
}

interface LabelContext {
  row: Row;
  owner: RowOwner | undefined;
  facts: FileFacts;
}

export function settleLabel(label: Label, around: LabelContext): Label | { unclear: string } {
  const { row, owner, facts } = around;
  const { nobody, expect, forbidden, alsoFine } = label;
  // "None" in the row outweighs a list whose name merely sounds positive.
  const should = label.shouldTrigger ?? (nobody !== undefined && row.listLabel === true ? undefined : row.listLabel);
  const base: Label = { skill: owner?.id, forbidden, alsoFine };
  if (nobody === "neither" && row.tested.length > 0) return { ...base, forbidden: [...forbidden, ...row.tested] };
  if (expect !== undefined) return settleNames({ expect, should, base }, around);
  if (nobody !== undefined) {
    if (nobody !== "stated" && owner !== undefined) return { ...base, shouldTrigger: should === true };
    return should === true
      ? { unclear: "it says both that a skill should be activated and that none should" }
      : { ...base, nobody: "stated" };
  }
  if (should === undefined) return base;
  if (owner !== undefined) return { ...base, shouldTrigger: should };
  // Among positives of an unnamed skill, a negative is about that skill, too.
  return should || facts.nameless
    ? { unclear: "it does not say which skill should be activated" }
    : { ...base, nobody: "stated" };
}

function settleNames(
  { expect, should, base }: { expect: string[]; should: boolean | undefined; base: Label },
  { row, owner, facts: { underTest } }: LabelContext,
): Label | { unclear: string } {
  const named: Label = { ...base, expect, forbidden: [...base.forbidden, ...rivalsOf(expect, row)] };
  if (should === false) {
    if (owner !== undefined) return { ...named, shouldTrigger: false };
    // In "should not trigger, expected X", X is the skill under test or the one to use instead. It is under test if
    // other rows say that it should be activated.
    if (expect.every((name) => underTest.has(name)))
      return { forbidden: [...named.forbidden, ...expect], alsoFine: [] };
    return { unclear: "should_trigger is false, and nothing says for which skill" };
  }
  if (should === true || owner === undefined || expect.includes(owner.id)) return named;
  return owner.leads ? { ...named, shouldTrigger: false } : named;
}

function rivalsOf(expect: string[], row: Row): string[] {
  const hasCandidates = row.map.entries.some((entry) =>
    /^candidates|^candidate_skills|^options|^choices/.test(normalKey(entry.key)),
  );
  return hasCandidates ? row.tested.filter((name) => !expect.includes(name)) : [];
}
