import type { NamesNear } from "../../exam/find/index.ts";
import { boolean, type Entry, type MapNode, type Node, text } from "../documents/index.ts";
import type { Label } from "../questions/expect.ts";
import type { Row } from "./collect.ts";
import {
  isExpectedEvent,
  isFineKey,
  isForbiddenKey,
  isNameOf,
  nameStrength,
  normalKey,
  triggerKey,
} from "./label-words.ts";
import { namesIn, readValue } from "./read-value.ts";

/** The label in a row's own keys. `ambiguous` lists the ambiguous keys that are labels in this file. */
export function readLabel(row: Row, names: NamesNear, ambiguous: ReadonlySet<string>): Label {
  const label: Label = { forbidden: [], alsoFine: [] };
  // Sure keys come first: an ambiguous key only fills in what they leave open.
  for (const [key, value] of [...fieldsOf(row.map)].sort(([a], [b]) => rank(a) - rank(b))) {
    const polarity = triggerKey(key);
    if (isFineKey(key)) label.alsoFine.push(...namesIn(value, names));
    else if (polarity !== undefined) addTrigger(label, { polarity, value }, names);
    else if (isForbiddenKey(key)) label.forbidden.push(...namesIn(value, names));
    else if (nameStrength(key) === "sure" || ambiguous.has(key)) {
      // `{ skill: null, not: t }` is about t and says nothing about other skills.
      const { nobody } = readValue(value, names);
      if (key !== "skill" || nobody !== "blank" || !namesForbidden(row, names)) addNames(label, value, names);
    } else if (/^(?:meta|metadata|labels)$/.test(key)) addMetadata(label, value, names);
    else if (key === "graders" || key === "assert" || key === "assertions") addGraders(label, value);
    else if (key === "route" || key === "routing") addRoute(label, value, names);
  }
  return {
    ...label,
    expect: label.expect?.map(names.idOf),
    forbidden: label.forbidden.map(names.idOf),
    alsoFine: label.alsoFine.map(names.idOf),
  };
}

function namesForbidden({ map }: Row, names: NamesNear): boolean {
  return fieldsOf(map).some(([key, value]) => isForbiddenKey(key) && namesIn(value, names).length > 0);
}

function fieldsOf(map: MapNode): [string, Node][] {
  return map.entries.map((entry) => [normalKey(entry.key), entry.value]);
}

function rank(key: string): number {
  return triggerKey(key) !== undefined ? 0 : nameStrength(key) === "sure" ? 1 : 2;
}

function addTrigger(label: Label, { polarity, value }: { polarity: boolean; value: Node }, names: NamesNear): void {
  if (value.type === "map") {
    for (const [key, inner] of fieldsOf(value)) {
      const own = triggerKey(key);
      if (own !== undefined) addTrigger(label, { polarity: own === polarity, value: inner }, names);
    }
    return;
  }
  const { shouldTrigger, nobody, expect, alsoFine } = readValue(value, names);
  if (nobody !== undefined) {
    if (polarity) label.nobody ??= nobody;
  } else if (shouldTrigger !== undefined) label.shouldTrigger ??= shouldTrigger === polarity;
  else if (expect?.every(names.has)) {
    if (polarity) label.expect ??= expect;
    else label.forbidden.push(...expect);
  }
  label.alsoFine.push(...alsoFine);
}

function addMetadata(label: Label, value: Node, names: NamesNear): void {
  if (value.type !== "map") return;
  for (const [key, inner] of fieldsOf(value)) {
    const polarity = triggerKey(key);
    if (polarity !== undefined) addTrigger(label, { polarity, value: inner }, names);
    else if (nameStrength(key) === "sure") addNames(label, inner, names);
  }
}

function addNames(label: Label, value: Node, names: NamesNear): void {
  if (value.type === "map") {
    for (const entry of value.entries) addNamed(label, entry, names);
    return;
  }
  const { shouldTrigger, nobody, expect, alsoFine, forbidden } = readValue(value, names);
  label.forbidden.push(...forbidden);
  if (nobody !== undefined) label.nobody ??= nobody;
  else if (shouldTrigger !== undefined) label.shouldTrigger ??= shouldTrigger;
  else if (expect !== undefined) {
    label.expect ??= expect;
    label.alsoFine.push(...alsoFine);
  }
}

function addNamed(label: Label, { key: name, value }: Entry, names: NamesNear): void {
  const key = normalKey(name);
  const one = boolean(value);
  const polarity = triggerKey(key) ?? (one !== undefined && isExpectedEvent(key) ? true : undefined);
  // `{ order-status: true, refund-policy: false }`
  if (one !== undefined && names.has(name)) {
    if (one) label.expect = [...(label.expect ?? []), name];
    else label.forbidden.push(name);
  } else if (polarity !== undefined) addTrigger(label, { polarity, value }, names);
  else if (isFineKey(key)) label.alsoFine.push(...namesIn(value, names));
  else if (isForbiddenKey(key)) label.forbidden.push(...namesIn(value, names));
  else if (nameStrength(key) !== undefined || isNameOf(key)) addNames(label, value, names);
}

function addRoute(label: Label, value: Node, names: NamesNear): void {
  const { nobody, expect, forbidden } = readValue(value, names);
  label.forbidden.push(...forbidden);
  if (label.expect !== undefined) return;
  const [first] = expect ?? [];
  if (first !== undefined && names.has(first)) label.expect = expect;
  else if (nobody !== undefined) label.nobody ??= nobody === "blank" ? "blank" : "stated";
}

function addGraders(label: Label, value: Node): void {
  if (value.type !== "list") return;
  for (const grader of value.items) {
    if (grader.type !== "map") continue;
    const fields = new Map(fieldsOf(grader));
    const config = fields.get("config") ?? grader;
    switch (normalKey(text(fields.get("type")) ?? "")) {
      case "skill_invocation":
        addInvocation(label, new Map(config.type === "map" ? fieldsOf(config) : []));
        break;
      case "skill_used":
        addExpected(label, list(fields.get("value")));
        break;
      case "not_skill_used":
        label.forbidden.push(...list(fields.get("value")));
        break;
    }
  }
}

function addInvocation(label: Label, config: ReadonlyMap<string, Node>): void {
  const first = (...keys: string[]) => list(keys.map((key) => config.get(key)).find((node) => node !== undefined));
  const named = first("required_skills", "required", "expected", "skills", "skill");
  const negated = [...config].some(([key, node]) =>
    boolean(node) === false
      ? triggerKey(key) === true
      : boolean(node) === true && (triggerKey(key) === false || /^(?:negate|invert)$/.test(key)),
  );
  if (negated) label.forbidden.push(...named);
  else addExpected(label, named);
  label.forbidden.push(...first("forbidden_skills", "forbidden", "disallowed", "disallowed_skills"));
}

function addExpected(label: Label, skills: string[]): void {
  if (skills.length > 0) label.expect = [...(label.expect ?? []), ...skills];
}

function list(node: Node | undefined): string[] {
  if (node?.type === "list") return node.items.flatMap((item) => text(item) ?? []);
  const one = text(node);
  return one === undefined ? [] : [one];
}
