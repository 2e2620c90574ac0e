import { getNodeValue, type Node, parseTree } from "jsonc-parser";
import { type Location, lineIndex, nestedTooDeep, readText } from "../../base/index.ts";
import { jsonFault } from "../../exam/find/index.ts";

export interface JsonFile {
  file: string;
  root: JsonValue;
}

export interface JsonValue {
  readonly value: unknown;
  readonly at: Location;
  readonly isObject: boolean;
  get(key: string): JsonValue | undefined;
  entries(): { key: string; at: Location; value: JsonValue }[];
  items(): JsonValue[];
}

/** Undefined if it is not a JSON object; discovery reports that. */
export function readJsonFile(file: string): JsonFile | undefined {
  const read = readJson(file);
  return "root" in read && read.root.isObject ? read : undefined;
}

export function readJson(file: string): JsonFile | { fault: string; at: Location } {
  const read = readText(file);
  if (read.status === "unreadable") return { fault: read.message, at: { file } };
  if (nestedTooDeep(read.text)) return { fault: "it is nested too deeply", at: { file } };
  const text = read.bom ? ` ${read.text.slice(1)}` : read.text;
  const placeOf = lineIndex(read.text);
  const fault = jsonFault(text);
  const tree = fault === undefined ? parseTree(text) : undefined;
  if (tree === undefined)
    return { fault: fault?.message ?? "it is empty", at: { file, ...placeOf(fault?.offset ?? 0) } };
  return { file, root: jsonValue(tree, ({ offset }) => ({ file, ...placeOf(offset) })) };
}

/** Evaluated lazily, because a file may have many values. */
function jsonValue(node: Node, placeOf: (node: Node) => Location): JsonValue {
  const members = () =>
    (node.type === "object" ? (node.children ?? []) : []).flatMap(({ children }) => {
      const [key, value] = children ?? [];
      return key === undefined || value === undefined
        ? []
        : [{ key: String(key.value), at: placeOf(key), value: jsonValue(value, placeOf) }];
    });
  return {
    get value() {
      return getNodeValue(node);
    },
    get at() {
      return placeOf(node);
    },
    isObject: node.type === "object",
    get: (key) => members().findLast((member) => member.key === key)?.value,
    entries: members,
    items: () => (node.type === "array" ? (node.children ?? []) : []).map((one) => jsonValue(one, placeOf)),
  };
}
