import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  type Node as Tree,
  visit as walk,
} from "yaml";
import { withoutStacks, yamlFault } from "../../base/index.ts";
import { Unparseable } from "./document.ts";
import { type Entry, type MapNode, type Node, scalar, writtenAs } from "./node.ts";

const deepest = 200;
/** An alias counts as much as its target, so that a few lines cannot expand to a billion nodes. */
const largest = 500_000;

export function parseYaml(text: string): Node {
  const settings = { uniqueKeys: false, logLevel: "silent", strict: false, merge: true, prettyErrors: false } as const;
  const documents = withoutStacks(() => parseAllDocuments(text, settings));
  if (!Array.isArray(documents)) throw new Unparseable("The file is empty", 0);
  for (const document of documents) {
    const error = document.errors[0];
    if (error === undefined) continue;
    const { message, at } = yamlFault(text, error, document.contents);
    throw new Unparseable(message.charAt(0).toUpperCase() + message.slice(1), at);
  }
  const whole = documents.filter((document) => document.contents !== null);
  const [only, ...others] = whole;
  if (only !== undefined && others.length === 0) return convert(only);
  return { type: "list", start: 0, end: text.length, items: whole.map((document) => convert(document)) };
}

function convert(document: Document): Node {
  const targets = aliasTargets(document);
  const sizes = new Map<Tree, number>();
  const open = new Set<Tree>();
  const done = new Map<Tree, Node>();
  let size = 0;

  const visit = (tree: unknown, depth: number, at: number): Node => {
    if (isAlias(tree)) {
      const target = targets.get(tree);
      const start = tree.range?.[0] ?? at;
      if (target === undefined || open.has(target)) return scalar(null, start, start);
      size += sizes.get(target) ?? 1;
      if (size > largest) throw new Unparseable("Its aliases expand to too much data", start);
      return done.get(target) ?? visit(target, depth + 1, start);
    }
    const node = tree as Tree | null;
    const [start, end] = node?.range ?? [at, at];
    if (depth > deepest) throw new Unparseable(`It is nested more than ${deepest} levels deep`, start);
    if (++size > largest) throw new Unparseable("It holds too much data", start);
    const before = size;
    if (node === null || !(isMap(node) || isSeq(node) || isScalar(node))) return scalar(null, start, end);
    open.add(node);
    const result: Node = isMap(node)
      ? mapOf(node.items, { start, end }, depth)
      : isSeq(node)
        ? {
            type: "list",
            start,
            end,
            items: node.items.map((item) => visit(isPair(item) ? null : item, depth + 1, start)),
          }
        : writtenAs(scalar(scalarValue(node.value), start, end), node.source);
    open.delete(node);
    sizes.set(node, size - before + 1);
    done.set(node, result);
    return result;
  };

  const mapOf = (
    pairs: { key: unknown; value: unknown }[],
    { start, end }: { start: number; end: number },
    depth: number,
  ): MapNode => {
    const merged: Entry[] = [];
    const own: Entry[] = [];
    for (const pair of pairs) {
      const keyStart = (pair.key as Tree | null)?.range?.[0] ?? start;
      const key = isScalar(pair.key) ? String(pair.key.value) : "";
      const value = visit(pair.value, depth + 1, keyStart);
      if (key === "<<") merged.push(...mergeEntries(value));
      else own.push({ key, start: keyStart, value });
    }
    return { type: "map", start, end, entries: [...merged, ...own] };
  };

  return visit(document.contents, 0, 0);
}

/**
 * Maps each alias to the nearest earlier anchor of its name. The package's own `resolve` walks the whole document for
 * every alias.
 */
function aliasTargets(document: Document): Map<Alias, Tree> {
  const anchors = new Map<string, Tree>();
  const targets = new Map<Alias, Tree>();
  walk(document, {
    Alias(_, alias) {
      const target = anchors.get(alias.source);
      if (target !== undefined) targets.set(alias, target);
    },
    Value(_, node) {
      if (node.anchor !== undefined && node.anchor !== "") anchors.set(node.anchor, node);
    },
  });
  return targets;
}

function mergeEntries(node: Node): Entry[] {
  if (node.type === "map") return node.entries;
  return node.type === "list" ? node.items.flatMap(mergeEntries) : [];
}

function scalarValue(value: unknown): string | number | boolean | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null)
    return value;
  return value instanceof Date ? value.toISOString() : String(value);
}
