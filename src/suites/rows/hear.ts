import type { Node } from "../documents/index.ts";
import { isVague, labelWord, normalKey } from "../labels.ts";
import type { Names } from "../names.ts";

interface Heard {
  word?: boolean | "none";
  blank?: boolean;
  neither?: boolean;
  names: string[];
  not: string[];
  alternatives: string[];
}

/** What a value says: yes, no, nobody, or names of skills. */
export function hear(node: Node, names: Names, file: string): Heard {
  const heard: Heard = { names: [], not: [], alternatives: [] };
  if (node.type === "list") {
    if (node.items.length === 0) return { ...heard, word: "none", blank: true };
    const parts = node.items.map((item) => hear(item, names, file));
    if (parts.every((part) => part.word === "none")) return { ...heard, word: "none", blank: false };
    return { ...heard, names: parts.flatMap((part) => part.names), not: parts.flatMap((part) => part.not) };
  }
  if (node.type === "map") {
    const name = node.entries.find((entry) => /^(?:name|skill|id)$/.test(normalKey(entry.key)));
    return name === undefined ? heard : hear(name.value, names, file);
  }
  const { value } = node;
  if (value === null) return { ...heard, word: "none", blank: true };
  if (typeof value === "boolean") return { ...heard, word: value };
  if (typeof value === "number") return value === 1 || value === 0 ? { ...heard, word: value === 1 } : heard;
  if (isSkill(value, names, file)) return { ...heard, names: [value] };
  const said = labelWord(value);
  if (said !== undefined) return { ...heard, word: said, blank: value.trim() === "", neither: /neither/i.test(value) };
  return { ...heard, ...phrase(value, names, file) };
}

function phrase(value: string, names: Names, file: string): Partial<Heard> {
  const known = (name: string) => isSkill(name, names, file);
  const negated = /^not\s+(.*)$/is.exec(value.trim());
  if (negated !== null) {
    const parts = negated[1]!
      .split(/\s+(?:—|–|-)\s+|[.;:(]/)[0]!
      .split(/\s*(?:,|\/|\||\bor\b|\band\b|\bnor\b)\s*/)
      .map((part) => part.trim());
    return { not: parts.filter(known) };
  }
  for (const [separator, alternatives] of [
    [/\s*\|\s*|\s+(?:or|\/)\s+/, true],
    [/\s*(?:,|;|\+|&|\band\b|→|->)\s*/, false],
  ] as const) {
    const parts = value.split(separator).map((part) => part.trim());
    if (parts.length > 1 && parts.every(known))
      return alternatives ? { names: [parts[0]!], alternatives: parts.slice(1) } : { names: parts };
  }
  const [head] = value.split(/\s+(?:—|–|-|\()\s*|\s*[(:]/);
  if (head !== undefined && head !== value && known(head)) return { names: [head], not: phraseNots(value.slice(head.length), known) };
  return nameLike(value) && !isVague(value) ? { names: [value.trim()] } : {};
}

/** `map (not blueprint)` */
function phraseNots(rest: string, known: (name: string) => boolean): string[] {
  const match = /\bnot\s+([\w:./$-]+)/i.exec(rest);
  return match !== null && known(match[1]!) ? [match[1]!] : [];
}

export function nameLike(value: string): boolean {
  return /^[/$@]?[\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,80}$/u.test(value.trim());
}

export function namesIn(node: Node, names: Names, file: string): string[] {
  const heard = hear(node, names, file);
  return [...heard.names, ...heard.alternatives, ...heard.not];
}

export function isSkill(name: string, names: Names, file: string): boolean {
  return names.resolve(name, file) !== undefined;
}
