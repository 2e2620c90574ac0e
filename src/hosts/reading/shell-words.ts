import type { DoubleQuotedChild, ParsedScript, Word, WordPart } from "unbash";

export interface Expanded {
  text: string;
  pattern: string;
  isPattern: boolean;
}

interface Known {
  cwd: string;
  variables: ReadonlyMap<string, Expanded[]>;
}

/** Nested braces and lists could expand to millions of words. */
const MOST = 256;
const MOST_CHARACTERS = 300_000;

export function wordsOf(word: Word | undefined, known: Known): Expanded[] {
  if (word === undefined) return [];
  const [only, ...others] = word.parts ?? [];
  if (only === undefined) return [literal(word.value)];
  const words = joined(word.parts ?? [], known);
  // An unquoted value is split at blanks.
  const isBare = others.length === 0 && (only.type === "SimpleExpansion" || only.type === "ParameterExpansion");
  return isBare ? words.flatMap(splitAtBlanks) : words;
}

function literal(text: string): Expanded {
  return { text, pattern: text.replace(/[\\^$.|?*+()[\]{}!@]/g, "\\$&"), isPattern: false };
}

export function scriptsIn(parts: readonly WordPart[] | undefined): ParsedScript[] {
  return (parts ?? []).flatMap((part) => {
    switch (part.type) {
      case "CommandExpansion":
      case "ProcessSubstitution":
        return part.script === undefined ? [] : [part.script];
      case "DoubleQuoted":
      case "LocaleString":
        return scriptsIn(part.parts);
      default:
        return [];
    }
  });
}

function joined(parts: readonly (WordPart | DoubleQuotedChild)[], known: Known): Expanded[] {
  let words = [literal("")];
  for (const part of parts) {
    const ways = valuesOf(part, known);
    words = notTooMany(words.flatMap((word) => ways.map((way) => plus(word, way))));
  }
  return words;
}

/** Values can double with every line, so the total length is limited. */
function notTooMany(words: Expanded[]): Expanded[] {
  let characters = 0;
  return words.slice(0, MOST).filter(({ text }, at) => {
    characters += text.length;
    return at === 0 || characters <= MOST_CHARACTERS;
  });
}

function valuesOf(part: WordPart, known: Known): Expanded[] {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [literal(part.value)];
    case "DoubleQuoted":
    case "LocaleString":
      return joined(part.parts, known);
    case "Glob":
    case "ExtendedGlob":
      return [{ text: part.text, pattern: part.text, isPattern: true }];
    case "BraceExpansion":
      return alternatives(part.text).map(literal);
    case "SimpleExpansion":
      return variable(part.text.slice(1), known) ?? [literal(part.text)];
    case "ParameterExpansion": {
      const { parameter, prefix, index, operation } = part;
      if (prefix !== undefined || index !== undefined) return [literal(part.text)];
      const value = variable(parameter, known);
      if (operation === undefined) return value ?? [literal(part.text)];
      // `${D:-path}` and similar.
      if (operation.type === "Default" && /[-=]/.test(operation.operator))
        return value ?? wordsOf(operation.operand, known);
      return [literal(part.text)];
    }
    case "CommandExpansion":
      return [literal(/^(\$\(\s*pwd\s*\)|`\s*pwd\s*`)$/.test(part.text) ? known.cwd : part.text)];
    default:
      return [literal(part.text)];
  }
}

function variable(name: string, { cwd, variables }: Known): Expanded[] | undefined {
  return variables.get(name) ?? (name === "PWD" ? [literal(cwd)] : undefined);
}

function plus(a: Expanded, b: Expanded): Expanded {
  if (a.text !== "" && a.text.length + b.text.length > MOST_CHARACTERS) return a;
  return { text: a.text + b.text, pattern: a.pattern + b.pattern, isPattern: a.isPattern || b.isPattern };
}

function splitAtBlanks(word: Expanded): Expanded[] {
  const texts = word.text.split(/\s+/).filter((text) => text !== "");
  return texts.length < 2
    ? [word]
    : texts.map((text) => (/[*?[]/.test(text) ? { text, pattern: text, isPattern: true } : literal(text)));
}

/** `{a,b{c,d}}` yields a, bc and bd; without a comma it is not a list. */
function alternatives(text: string): string[] {
  const inner = split(text.slice(1, -1));
  if (inner.length < 2) return [text];
  return inner.flatMap((member) => {
    const nested = /^([^{]*)(\{.*\})([^}]*)$/s.exec(member);
    if (nested === null) return [member];
    const [, before, braces, after] = nested;
    return alternatives(braces ?? "").map((way) => `${before}${way}${after}`);
  });
}

function split(text: string): string[] {
  const members = [""];
  let depth = 0;
  for (const char of text) {
    if (char === "{") depth++;
    if (char === "}") depth--;
    if (char === "," && depth === 0) members.push("");
    else members[members.length - 1] += char;
  }
  return members;
}
