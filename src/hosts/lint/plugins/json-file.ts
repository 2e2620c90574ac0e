import { getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { type Location, lineIndex, nestedTooDeep, readText } from "../../../base/index.ts";

/** A manifest with the place of every member. */
export interface JsonFile {
  file: string;
  root: JsonValue;
}

export interface JsonValue {
  /** Plain data. */
  readonly value: unknown;
  readonly at: Location;
  /** The value of a member, if this is an object that has it. */
  get(key: string): JsonValue | undefined;
  /** Members, each with the place of its name. */
  entries(): { key: string; at: Location; value: JsonValue }[];
  items(): JsonValue[];
}

/** Undefined where it is not a JSON object: that is reported where plugins are looked for. */
export function readJsonFile(file: string): JsonFile | undefined {
  const read = readText(file);
  if (read.status === "unreadable" || nestedTooDeep(read.text)) return undefined;
  const errors: ParseError[] = [];
  const text = read.bom ? ` ${read.text.slice(1)}` : read.text;
  const tree = parseTree(text, errors, { allowTrailingComma: false, disallowComments: true });
  if (tree?.type !== "object" || errors.length > 0) return undefined;
  const placeOf = lineIndex(read.text);
  return { file, root: jsonValue(tree, ({ offset }) => ({ file, ...placeOf(offset) })) };
}

/** What nobody asks of a value is not worked out: a file may have many. */
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
    get: (key) => members().findLast((member) => member.key === key)?.value,
    entries: members,
    items: () => (node.type === "array" ? (node.children ?? []) : []).map((one) => jsonValue(one, placeOf)),
  };
}
