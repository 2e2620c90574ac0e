import { type ParseError, parseTree, printParseErrorCode, type Node as Tree } from "jsonc-parser";
import { Unparseable } from "./document.ts";
import { type Node, scalar, writtenAs } from "./node.ts";

const deepest = 200;

const faults: Record<string, string> = {
  InvalidSymbol: "a word has no quotation marks",
  InvalidNumberFormat: "a number is not written as one",
  PropertyNameExpected: "a name in quotation marks is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a } is missing",
  CloseBracketExpected: "a ] is missing",
  EndOfFileExpected: "it goes on after its end",
  InvalidCommentToken: "a comment is not written as one",
  UnexpectedEndOfComment: "a comment has no end",
  UnexpectedEndOfString: "a text has no closing quotation mark",
  UnexpectedEndOfNumber: "a number has no end",
  InvalidUnicode: "\\u is not followed by four hexadecimal digits",
  InvalidEscapeCharacter: "a backslash is followed by something that JSON does not know",
  InvalidCharacter: "a text holds a control character",
};

/** JSON with comments and trailing commas, which people and hosts also write into .json files. */
export function parseJson(text: string, from = 0): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  if (tree === undefined && text.trim() === "") throw new Unparseable("The file is empty", from);
  const first = errors[0];
  if (first !== undefined)
    throw new Unparseable(
      `This is not valid JSON: ${faults[printParseErrorCode(first.error)] ?? "it breaks off here"}`,
      from + first.offset,
    );
  if (tree === undefined) throw new Unparseable("There is no value", from);
  return converter(text, from)(tree, 0);
}

/**
 * One JSON value per line; lines that start with `#` or `//` are comments. A line that does not parse is passed to
 * `bad`, and the others are kept.
 */
export function parseJsonLines(text: string, bad: (message: string, offset: number) => void): Node {
  const rows: Node[] = [];
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    const trimmed = line.trim();
    if (trimmed !== "" && !trimmed.startsWith("#") && !trimmed.startsWith("//")) {
      try {
        rows.push(parseJson(line, start));
      } catch (error) {
        if (!(error instanceof Unparseable)) throw error;
        bad(error.message, error.offset);
      }
    }
    start = end + 1;
  }
  return { type: "list", start: 0, end: text.length, items: rows };
}

function converter(text: string, from: number): (tree: Tree, depth: number) => Node {
  const convert = (tree: Tree, depth: number): Node => {
    const start = from + tree.offset;
    const end = start + tree.length;
    if (depth > deepest) throw new Unparseable(`It is nested more than ${deepest} levels deep`, start);
    switch (tree.type) {
      case "object":
        return {
          type: "map",
          start,
          end,
          entries: (tree.children ?? []).flatMap((property) => {
            const [key, value] = property.children ?? [];
            if (key === undefined || value === undefined) return [];
            return { key: String(key.value), start: from + key.offset, value: convert(value, depth + 1) };
          }),
        };
      case "array":
        return {
          type: "list",
          start,
          end,
          items: (tree.children ?? []).map((child) => convert(child, depth + 1)),
        };
      default:
        return writtenAs(scalar(tree.value ?? null, start, end), text.slice(tree.offset, tree.offset + tree.length));
    }
  };
  return convert;
}
