import { boolean, type Node, text } from "../documents/index.ts";
import type { Statement } from "../expect.ts";
import { isExpectedEvent, isFineKey, isForbiddenKey, isNameOf, nameStrength, normalKey, triggerKey } from "../labels.ts";
import type { Names } from "../names.ts";
import type { Row } from "./collect.ts";
import { hear, isSkill, namesIn } from "./hear.ts";

/** What a row says, before the file around it is known. */
export interface Said {
  bool?: boolean;
  expect?: string[];
  /** `stated`: the word "none". `blank`: null, "" or []. */
  none?: "stated" | "blank" | "neither";
  forbidden: string[];
  alsoFine: string[];
  /** A label is there that makes no sense to us. */
  puzzling?: string;
}

/** Reads the values of one row's keys. `loose` holds the ambiguous keys that are labels in this file. */
export function listen(row: Row, names: Names, file: string, loose: ReadonlySet<string>): Said {
  const said: Said = { forbidden: [], alsoFine: [] };
  const entries = row.map.entries.map((entry) => ({ key: normalKey(entry.key), value: entry.value }));
  // Sure keys speak first: where they said who, a loose key only fills in what is missing.
  entries.sort((a, b) => rank(a.key) - rank(b.key));
  for (const { key, value } of entries) {
    const polarity = triggerKey(key);
    if (isFineKey(key)) said.alsoFine.push(...namesIn(value, names, file));
    else if (polarity !== undefined) hearTrigger(said, polarity, value, names, file);
    else if (isForbiddenKey(key)) said.forbidden.push(...namesIn(value, names, file));
    else if (nameStrength(key) === "sure" || loose.has(key)) hearNames(said, key, value, names, file);
    else if (/^(?:meta|metadata|labels)$/.test(key)) hearMetadata(said, value, names, file);
    else if (key === "graders" || key === "assert" || key === "assertions") hearGraders(said, value);
    else if (key === "route" || key === "routing") hearRoute(said, value, names, file);
  }
  return said;
}

function rank(key: string): number {
  return triggerKey(key) !== undefined ? 0 : nameStrength(key) === "sure" ? 1 : 2;
}

function hearTrigger(said: Said, polarity: boolean, value: Node, names: Names, file: string): void {
  if (value.type === "map") {
    for (const entry of value.entries) {
      const inner = triggerKey(normalKey(entry.key));
      if (inner !== undefined) hearTrigger(said, inner === polarity, entry.value, names, file);
    }
    return;
  }
  const heard = hear(value, names, file);
  if (heard.word === "none") {
    if (polarity && heard.names.length === 0) said.none ??= heard.blank ? "blank" : heard.neither ? "neither" : "stated";
  } else if (heard.word !== undefined) said.bool ??= heard.word === polarity;
  else if (heard.names.length === 0 || !heard.names.every((name) => isSkill(name, names, file)))
    said.puzzling ??= polarity ? "should_trigger" : "should_not_trigger";
  else if (polarity) said.expect ??= heard.names;
  else said.forbidden.push(...heard.names);
  said.alsoFine.push(...heard.alternatives);
}

/** Facts about a row, among which there may be its label. */
function hearMetadata(said: Said, value: Node, names: Names, file: string): void {
  if (value.type !== "map") return;
  for (const entry of value.entries) {
    const key = normalKey(entry.key);
    const polarity = triggerKey(key);
    if (polarity !== undefined) hearTrigger(said, polarity, entry.value, names, file);
    else if (nameStrength(key) === "sure") hearNames(said, key, entry.value, names, file);
  }
}

function hearNames(said: Said, key: string, value: Node, names: Names, file: string): void {
  if (value.type === "map") {
    for (const entry of value.entries) {
      const inner = normalKey(entry.key);
      const one = boolean(entry.value);
      const polarity = triggerKey(inner) ?? (one !== undefined && isExpectedEvent(inner) ? true : undefined);
      // `{ order-status: true, refund-policy: false }`
      if (one !== undefined && isSkill(entry.key, names, file)) {
        if (one) said.expect = [...(said.expect ?? []), entry.key];
        else said.forbidden.push(entry.key);
      } else if (polarity !== undefined) hearTrigger(said, polarity, entry.value, names, file);
      else if (isFineKey(inner)) said.alsoFine.push(...namesIn(entry.value, names, file));
      else if (isForbiddenKey(inner)) said.forbidden.push(...namesIn(entry.value, names, file));
      else if (nameStrength(inner) !== undefined || isNameOf(inner)) hearNames(said, inner, entry.value, names, file);
    }
    return;
  }
  const heard = hear(value, names, file);
  said.forbidden.push(...heard.not);
  if (heard.word === "none") said.none ??= heard.blank ? "blank" : heard.neither ? "neither" : "stated";
  else if (heard.word !== undefined) said.bool ??= heard.word;
  else if (heard.names.length > 0) {
    said.expect ??= heard.names;
    said.alsoFine.push(...heard.alternatives);
  } else if (heard.not.length === 0) said.puzzling ??= key;
}

/** `route: "not map - map is for…"` */
function hearRoute(said: Said, value: Node, names: Names, file: string): void {
  const heard = hear(value, names, file);
  said.forbidden.push(...heard.not);
  if (said.expect === undefined && heard.names.length > 0 && isSkill(heard.names[0]!, names, file)) said.expect = heard.names;
  else if (said.none === undefined && said.expect === undefined && heard.word === "none") said.none = heard.blank ? "blank" : "stated";
}

/** skill_invocation graders (waza, vally) and skill-used assertions (promptfoo). */
function hearGraders(said: Said, value: Node): void {
  if (value.type !== "list") return;
  for (const grader of value.items) {
    if (grader.type !== "map") continue;
    const fields = new Map(grader.entries.map((entry) => [normalKey(entry.key), entry.value]));
    const type = normalKey(text(fields.get("type")) ?? "");
    const config = fields.get("config") ?? grader;
    if (type === "skill_invocation") {
      const inside = new Map(config.type === "map" ? config.entries.map((entry) => [normalKey(entry.key), entry.value]) : []);
      const named = list(
        inside.get("required_skills") ?? inside.get("required") ?? inside.get("expected") ?? inside.get("skills") ?? inside.get("skill"),
      );
      const negated = [...inside].some(([key, node]) =>
        boolean(node) === false
          ? triggerKey(key) === true
          : boolean(node) === true && (triggerKey(key) === false || /^(?:negate|invert)$/.test(key)),
      );
      const required = negated ? [] : named;
      if (negated) said.forbidden.push(...named);
      const forbidden = list(
        inside.get("forbidden_skills") ?? inside.get("forbidden") ?? inside.get("disallowed") ?? inside.get("disallowed_skills"),
      );
      if (required.length > 0) said.expect = [...(said.expect ?? []), ...required];
      said.forbidden.push(...forbidden);
    } else if (type === "skill_used" || type === "not_skill_used") {
      const used = list(fields.get("value"));
      if (type === "skill_used" && used.length > 0) said.expect = [...(said.expect ?? []), ...used];
      if (type === "not_skill_used") said.forbidden.push(...used);
    }
  }
}

function list(node: Node | undefined): string[] {
  if (node?.type === "list") return node.items.flatMap((item) => text(item) ?? []);
  const one = text(node);
  return one === undefined ? [] : [one];
}

/** What is said, once it is known whose row it is. */
export function state(
  said: Said,
  row: Row,
  owner: { name: string; explicit: boolean; leads: boolean } | undefined,
  { underTest, nameless }: { underTest: ReadonlySet<string>; nameless: boolean },
): Statement | { unclear: string } {
  // "Nobody" said by the row itself outweighs a list that merely sounds positive.
  const label = said.bool ?? (said.none !== undefined && row.label === true ? undefined : row.label);
  const base: Statement = { forbidden: said.forbidden, alsoFine: said.alsoFine };
  if (owner !== undefined) base.skill = owner.name;
  if (said.none === "neither" && row.tested.length > 0) return { ...base, forbidden: [...said.forbidden, ...row.tested] };

  if (said.expect !== undefined) return stateNames(said.expect, label, base, row, owner, underTest);
  if (said.none !== undefined) {
    if (said.none === "stated" || owner === undefined)
      return label === true
        ? { unclear: "it says both that a skill should be activated and that none should" }
        : { ...base, expect: "none" };
    return label === true ? { ...base, shouldTrigger: true } : { ...base, shouldTrigger: false };
  }
  if (label !== undefined) {
    if (owner !== undefined) return { ...base, shouldTrigger: label };
    // Among questions about a skill that nobody names, a negative is about that skill, too.
    return label || nameless ? { unclear: "it does not say which skill should be activated" } : { ...base, expect: "none" };
  }
  if (said.forbidden.length > 0) return base;
  return { unclear: said.puzzling === undefined ? "" : `its "${said.puzzling}" is neither a skill nor a word for yes, no or none` };
}

function stateNames(
  expect: string[],
  label: boolean | undefined,
  base: Statement,
  row: Row,
  owner: { name: string; explicit: boolean; leads: boolean } | undefined,
  underTest: ReadonlySet<string>,
): Statement | { unclear: string } {
  // One of several candidates is right, so the others are wrong; being compared with it is what they are there for.
  const rivals = row.map.entries.some((entry) => /^candidates|^candidate_skills|^options|^choices/.test(normalKey(entry.key)))
    ? row.tested.filter((name) => !expect.includes(name))
    : [];
  const said: Statement = { ...base, expect, forbidden: [...(base.forbidden ?? []), ...rivals] };
  if (label === false) {
    if (owner !== undefined) return { ...said, shouldTrigger: false };
    // "Should not trigger, expected X" names the skill under test, or the one to go to instead. X is under test if other rows say that it should.
    if (expect.every((name) => underTest.has(name))) return { forbidden: [...(said.forbidden ?? []), ...expect] };
    return { unclear: "should_trigger is false, and nothing says of which skill" };
  }
  if (label === true || owner === undefined || expect.includes(owner.name)) return said;
  return owner.explicit || owner.leads ? { ...said, shouldTrigger: false } : said;
}
