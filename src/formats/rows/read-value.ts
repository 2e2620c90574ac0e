import type { NamesNear } from "../../exam/find/index.ts";
import type { Node } from "../documents/index.ts";
import type { Label } from "../questions/expect.ts";
import { isVague, labelWord, normalKey } from "./label-words.ts";

export function readValue(node: Node, names: NamesNear): Label {
  switch (node.type) {
    case "list":
      return readList(node.items, names);
    case "map": {
      const name = node.entries.find((entry) => /^(?:name|skill|id)$/.test(normalKey(entry.key)));
      return name === undefined ? blank() : readValue(name.value, names);
    }
    case "scalar":
      return readScalar(node.value, names);
  }
}

export function namesIn(node: Node, names: NamesNear): string[] {
  const { expect = [], alsoFine, forbidden } = readValue(node, names);
  return [...expect, ...alsoFine, ...forbidden];
}

export function isNameLike(value: string): boolean {
  return /^[/$@]?[\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,80}$/u.test(value.trim());
}

function blank(): Label {
  return { forbidden: [], alsoFine: [] };
}

function readList(items: Node[], names: NamesNear): Label {
  if (items.length === 0) return { ...blank(), nobody: "blank" };
  const parts = items.map((item) => readValue(item, names));
  if (parts.every(({ nobody }) => nobody !== undefined)) return { ...blank(), nobody: "stated" };
  const expect = parts.flatMap((part) => part.expect ?? []);
  return {
    ...blank(),
    expect: expect.length > 0 ? expect : undefined,
    forbidden: parts.flatMap(({ forbidden }) => forbidden),
  };
}

function readScalar(value: string | number | boolean | null, names: NamesNear): Label {
  if (value === null) return { ...blank(), nobody: "blank" };
  if (typeof value === "boolean") return { ...blank(), shouldTrigger: value };
  if (typeof value === "number")
    return { ...blank(), shouldTrigger: value === 1 ? true : value === 0 ? false : undefined };
  if (names.has(value)) return { ...blank(), expect: [value] };
  const word = labelWord(value);
  if (word === "none")
    return { ...blank(), nobody: value.trim() === "" ? "blank" : /neither/i.test(value) ? "neither" : "stated" };
  return { ...blank(), ...(word === undefined ? readPhrase(value, names) : { shouldTrigger: word }) };
}

/** Collapses blanks first: patterns with blanks on both sides would take quadratic time. */
function readPhrase(written: string, names: NamesNear): Partial<Label> {
  const value = written.replace(/\s+/g, " ");
  const negated = /^not\s+(.*)$/is.exec(value.trim())?.[1];
  if (negated !== undefined) {
    const [clause = ""] = negated.split(/\s+(?:—|–|-)\s+|[.;:(]/);
    const parts = clause.split(/\s*(?:,|\/|\||\bor\b|\band\b|\bnor\b)\s*/).map((part) => part.trim());
    return { forbidden: parts.filter(names.has) };
  }
  const either = knownParts(value, /\s*\|\s*|\s+(?:or|\/)\s+/, names);
  if (either !== undefined) return { expect: either.slice(0, 1), alsoFine: either.slice(1) };
  const all = knownParts(value, /\s*(?:,|;|\+|&|\band\b|→|->)\s*/, names);
  if (all !== undefined) return { expect: all };
  const [head = value] = value.split(/\s+(?:—|–|-|\()\s*|\s*[(:]/);
  if (head !== value && names.has(head))
    return { expect: [head], forbidden: excludedIn(value.slice(head.length), names) };
  return isNameLike(written) && !isVague(written) ? { expect: [written.trim()] } : {};
}

function knownParts(value: string, separator: RegExp, names: NamesNear): string[] | undefined {
  const parts = value.split(separator).map((part) => part.trim());
  return parts.length > 1 && parts.every(names.has) ? parts : undefined;
}

function excludedIn(rest: string, names: NamesNear): string[] {
  const name = /\bnot\s+([\w:./$-]+)/i.exec(rest)?.[1];
  return name !== undefined && names.has(name) ? [name] : [];
}
