import type { SyntaxNode } from "@lezer/common";
import { type Entry, type Node, scalar, text } from "../documents/index.ts";
import { argumentsOf, type CodeFile, calledName, childrenOf, partsOf, sourceOf } from "./tree.ts";

export interface CodeScope {
  lookUp(name: string, use: { at: SyntaxNode; file: CodeFile; depth: number }): Literal | undefined;
}

/** The literal value of an expression. `partial` means that computed parts were left out. */
export interface Literal {
  node: Node;
  partial: boolean;
}

const deepest = 50;
/** Limits texts and lists: a few lines that keep doubling a list must not fill the memory. */
const most = 20_000;

/** Undefined for values that cannot be known without running the code. */
export function literalOf(node: SyntaxNode, file: CodeFile, scope: CodeScope): Literal | undefined {
  return literalAt(node, { file, scope, depth: 0 });
}

export function literalAt(
  node: SyntaxNode,
  { file, scope, depth }: { file: CodeFile; scope: CodeScope; depth: number },
): Literal | undefined {
  if (depth > deepest) return undefined;
  const inner = (one: SyntaxNode) => literalAt(one, { file, scope, depth: depth + 1 });
  const whole = (value: string | number | boolean | null): Literal => ({
    node: scalar(value, node.from, node.to),
    partial: false,
  });
  const first = () => {
    const [only] = partsOf(node);
    return only === undefined ? undefined : inner(only);
  };
  switch (node.name) {
    case "String":
      return whole(unquoted(sourceOf(node, file)));
    case "ContinuedString":
    case "TemplateString":
    case "FormatString": {
      const joined = joinedText(node, file, inner);
      return joined === undefined ? undefined : whole(joined);
    }
    case "Number":
      return whole(Number(sourceOf(node, file).replaceAll("_", "")));
    case "Boolean":
    case "BooleanLiteral":
      return whole(/^true$/i.test(sourceOf(node, file)));
    case "None":
    case "null":
      return whole(null);
    case "VariableName":
      return sourceOf(node, file) === "undefined"
        ? whole(null)
        : scope.lookUp(sourceOf(node, file), { at: node, file, depth });
    case "MemberExpression":
      return memberOf(node, file, inner);
    case "ParenthesizedExpression":
    case "AwaitExpression":
      return first();
    case "BinaryExpression":
      return sumOf(node, file, inner);
    case "ArrayExpression":
    case "TupleExpression":
    case "SetExpression":
      return listOf(node, inner);
    case "ObjectExpression":
      return objectOf(node, file, inner);
    case "DictionaryExpression":
      return dictionaryOf(node, inner);
    case "CallExpression":
    case "NewExpression":
      return callOf(node, file, inner);
    default:
      return undefined;
  }
}

type Inner = (node: SyntaxNode) => Literal | undefined;

function listOf(node: SyntaxNode, inner: Inner): Literal {
  const items: Node[] = [];
  let partial = false;
  const parts = partsOf(node);
  for (let at = 0; at < parts.length; at++) {
    // `!`: the index is below the length.
    const isSpread = parts[at]!.name === "Spread" || parts[at]!.name === "*";
    const part = isSpread ? parts[++at] : parts[at];
    const value = part === undefined ? undefined : inner(part);
    partial ||= value === undefined || value.partial;
    if (value === undefined) continue;
    if (!isSpread) items.push(value.node);
    else if (value.node.type === "list" && items.length + value.node.items.length <= most)
      items.push(...value.node.items);
    else partial = true;
  }
  return { node: { type: "list", start: node.from, end: node.to, items }, partial };
}

function objectOf(node: SyntaxNode, file: CodeFile, inner: Inner): Literal {
  const entries: Entry[] = [];
  let partial = false;
  for (const property of node.getChildren("Property")) {
    const [key, value] = partsOf(property).filter(({ name }) => !/^(?:async|Modifier)$/.test(name));
    if (key === undefined) continue;
    if (key.name === "Spread") {
      const spread = value === undefined ? undefined : inner(value);
      if (spread?.node.type === "map") entries.push(...spread.node.entries);
      else partial = true;
      continue;
    }
    const name = key.name === "String" ? unquoted(sourceOf(key, file)) : sourceOf(key, file);
    // Members that are not literals, such as `run: () => …`, are left out and do not make the object partial.
    const read = inner(value ?? key);
    if (read !== undefined) entries.push({ key: name, start: key.from, value: read.node });
    partial ||= read?.partial ?? false;
  }
  return { node: { type: "map", start: node.from, end: node.to, entries }, partial };
}

function dictionaryOf(node: SyntaxNode, inner: Inner): Literal {
  const parts = partsOf(node);
  const entries: Entry[] = [];
  let partial = false;
  for (let at = 0; at < parts.length; at += 2) {
    // `!`: the index is below the length.
    const [key, value] = [parts[at]!, parts[at + 1]];
    const name = key.name === "**" ? undefined : text(inner(key)?.node);
    const read = value === undefined ? undefined : inner(value);
    if (key.name === "**" && read?.node.type === "map") entries.push(...read.node.entries);
    else if (name === undefined) partial = true;
    else if (read !== undefined) entries.push({ key: name, start: key.from, value: read.node });
    partial ||= read?.partial ?? false;
  }
  return { node: { type: "map", start: node.from, end: node.to, entries }, partial };
}

/**
 * Calls that only wrap their arguments: `Object.freeze([…])`, `new Map([…])`, `pytest.param("…", "skill")`,
 * `Case(prompt="…")`.
 */
function callOf(node: SyntaxNode, file: CodeFile, inner: Inner): Literal | undefined {
  const given = argumentsOf(node, file);
  const called =
    node.name === "NewExpression" ? sourceOf(node.getChild("VariableName") ?? node, file) : calledName(node, file);
  const [first] = given;
  if (/^(?:freeze|from|list|tuple|set|frozenset|Map|Set)$/.test(called) && first !== undefined)
    return inner(first.value);
  if (file.language === "script") {
    const [only, ...others] = given.filter(({ value }) => value.name === "ObjectExpression");
    return given.length === 1 && only !== undefined && others.length === 0 ? inner(only.value) : undefined;
  }
  const isParam = called === "param";
  if (!isParam && !/^[A-Z]/.test(called) && called !== "dict") return undefined;
  const named = given.filter(({ name }) => name !== undefined && !(isParam && /^(?:id|marks)$/.test(name)));
  if (named.length === 0) {
    const items = given.filter(({ name }) => name === undefined).map(({ value }) => inner(value));
    const known = items.flatMap((item) => item?.node ?? []);
    return {
      node: { type: "list", start: node.from, end: node.to, items: known },
      partial: known.length < items.length,
    };
  }
  const entries = named.flatMap(({ name = "", value }): Entry[] => {
    const read = inner(value);
    return read === undefined ? [] : [{ key: name, start: value.from, value: read.node }];
  });
  return { node: { type: "map", start: node.from, end: node.to, entries }, partial: false };
}

function memberOf(node: SyntaxNode, file: CodeFile, inner: Inner): Literal | undefined {
  const [object, property] = [node.firstChild, node.getChild("PropertyName")];
  if (object === null || property === null) return undefined;
  const held = inner(object);
  if (held?.node.type !== "map") return undefined;
  const found = held.node.entries.findLast(({ key }) => key === sourceOf(property, file));
  return found === undefined ? undefined : { node: found.value, partial: held.partial };
}

function sumOf(node: SyntaxNode, file: CodeFile, inner: Inner): Literal | undefined {
  const [left, sign, right] = childrenOf(node);
  if (left === undefined || sign === undefined) return undefined;
  if (/^(?:as|satisfies)$/.test(sign.name)) return inner(left);
  if (sourceOf(sign, file) !== "+" || right === undefined) return undefined;
  const [a, b] = [inner(left), inner(right)];
  if (a === undefined || b === undefined) return undefined;
  if (a.node.type === "list" && b.node.type === "list" && a.node.items.length + b.node.items.length <= most)
    return {
      node: { ...a.node, end: node.to, items: [...a.node.items, ...b.node.items] },
      partial: a.partial || b.partial,
    };
  const [one, other] = [text(a.node), text(b.node)];
  return one === undefined || other === undefined || one.length + other.length > most
    ? undefined
    : { node: scalar(one + other, node.from, node.to), partial: false };
}

function joinedText(node: SyntaxNode, file: CodeFile, inner: Inner): string | undefined {
  if (node.name === "ContinuedString") {
    const parts = childrenOf(node).map((child) => text(inner(child)?.node));
    return parts.every((part) => part !== undefined) ? parts.join("") : undefined;
  }
  const holes = childrenOf(node).filter(({ name }) => name === "Interpolation" || name === "FormatReplacement");
  let whole = "";
  let at = node.from;
  for (const hole of holes) {
    const value = partsOf(hole).find(({ name }) => !/^Interpolation/.test(name));
    const known = value === undefined ? undefined : inner(value)?.node;
    if (known?.type !== "scalar" || known.value === null) return undefined;
    whole += `${file.text.slice(at, hole.from)}${String(known.value).replaceAll("\\", "\\\\")}`;
    at = hole.to;
    if (whole.length > most) return undefined;
  }
  return unquoted(whole + file.text.slice(at, node.to));
}

function unquoted(literal: string): string {
  const [, prefix = "", , body = literal] = /^([a-zA-Z]*)("""|'''|["'`])([\s\S]*)\2$/.exec(literal) ?? [];
  if (/r/i.test(prefix)) return body;
  const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", "0": "\0" };
  return body.replaceAll(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r?\n)|([\s\S]))/g,
    (_, ...[long, short, byte, line, other = ""]: (string | undefined)[]) => {
      const code = long ?? short ?? byte;
      if (code !== undefined)
        return Number.parseInt(code, 16) <= 0x10ffff ? String.fromCodePoint(Number.parseInt(code, 16)) : "";
      return line !== undefined ? "" : (escapes[other] ?? other);
    },
  );
}
