/**
 * A parsed file with offsets. JSON, JSONL, YAML, CSV and Markdown all become these nodes, so formats need no knowledge
 * of syntax.
 */
export type Node = MapNode | ListNode | ScalarNode;

export interface MapNode {
  type: "map";
  start: number;
  end: number;
  entries: Entry[];
}

export interface ListNode {
  type: "list";
  start: number;
  end: number;
  items: Node[];
}

export interface ScalarNode {
  type: "scalar";
  start: number;
  end: number;
  value: string | number | boolean | null;
  /** Set for numbers and booleans: the source text, such as `1.10`, `007` or `True`. */
  written?: string;
}

export interface Entry {
  key: string;
  start: number;
  value: Node;
}

/** The last entry of a key wins, as in JSON. */
export function get(node: Node | undefined, key: string): Node | undefined {
  return node?.type === "map" ? node.entries.findLast((entry) => entry.key === key)?.value : undefined;
}

export function text(node: Node | undefined): string | undefined {
  return node?.type === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** Also accepts numbers and booleans, because people write ids and names without quotes. */
export function word(node: Node | undefined): string | undefined {
  return node?.type === "scalar" && node.value !== null ? String(node.value) : undefined;
}

export function number(node: Node | undefined): number | undefined {
  return node?.type === "scalar" && typeof node.value === "number" ? node.value : undefined;
}

export function boolean(node: Node | undefined): boolean | undefined {
  return node?.type === "scalar" && typeof node.value === "boolean" ? node.value : undefined;
}

export function items(node: Node | undefined): Node[] {
  return node?.type === "list" ? node.items : [];
}

export function texts(node: Node | undefined): string[] {
  if (node?.type === "list") return node.items.flatMap((item) => word(item) ?? []);
  const one = text(node);
  return one === undefined ? [] : [one];
}

export function isNull(node: Node | undefined): boolean {
  return node?.type === "scalar" && node.value === null;
}

export function plain(node: Node): unknown {
  switch (node.type) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(plain);
    case "map":
      return Object.fromEntries(node.entries.map((entry) => [entry.key, plain(entry.value)]));
  }
}

/** Like `plain`, with numbers and booleans as written, because graders look for them in text. */
export function asWritten(node: Node): unknown {
  switch (node.type) {
    case "scalar":
      return node.written ?? node.value;
    case "list":
      return node.items.map(asWritten);
    case "map":
      return Object.fromEntries(node.entries.map((entry) => [entry.key, asWritten(entry.value)]));
  }
}

export function scalar(value: ScalarNode["value"], start: number, end: number): ScalarNode {
  return { type: "scalar", start, end, value };
}

export function writtenAs(node: ScalarNode, source: string | undefined): ScalarNode {
  const isWorded = typeof node.value === "number" || typeof node.value === "boolean";
  return source !== undefined && isWorded ? { ...node, written: source } : node;
}
