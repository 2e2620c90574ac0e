import { getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { type Location, nestedTooDeep, readText } from "../../../base/index.ts";
import { placeIn } from "../../../skills/index.ts";

/** A manifest with the place of every member. */
export interface JsonFile {
  file: string;
  root: JsonValue;
}

export interface JsonValue {
  /** Plain data. */
  value: unknown;
  at: Location;
  /** The value of a member, if this is an object that has it. */
  get(key: string): JsonValue | undefined;
  /** Members, each with the place of its name. */
  entries(): { key: string; at: Location; value: JsonValue }[];
  items(): JsonValue[];
}

/** Undefined where it is no JSON object: that is told where plugins are looked for. */
export function readJsonFile(file: string): JsonFile | undefined {
  const read = readText(file);
  if (read.status === "unreadable" || nestedTooDeep(read.text)) return undefined;
  const errors: ParseError[] = [];
  const text = read.bom ? ` ${read.text.slice(1)}` : read.text;
  const tree = parseTree(text, errors, { allowTrailingComma: false, disallowComments: true });
  return tree?.type === "object" && errors.length === 0 ? { file, root: jsonValue(tree, read.text, file) } : undefined;
}

function jsonValue(node: Node, text: string, file: string): JsonValue {
  const at = (one: Node) => placeIn(text, file, { start: one.offset, end: one.offset + one.length });
  const members = () =>
    (node.type === "object" ? (node.children ?? []) : []).flatMap(({ children }) => {
      const [key, value] = children ?? [];
      return key === undefined || value === undefined ? [] : [{ key: String(key.value), at: at(key), value: jsonValue(value, text, file) }];
    });
  return {
    value: getNodeValue(node),
    at: at(node),
    get: (key) => members().findLast((member) => member.key === key)?.value,
    entries: members,
    items: () => (node.type === "array" ? (node.children ?? []) : []).map((one) => jsonValue(one, text, file)),
  };
}
