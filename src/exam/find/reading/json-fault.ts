import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

export function jsonFault(text: string): { message: string; offset: number } | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    if (text.trim() === "") return { message: "it is empty", offset: 0 };
    const errors: ParseError[] = [];
    parseTree(text, errors, { allowTrailingComma: false, disallowComments: true });
    const [first] = errors;
    if (first === undefined) return { message: "it is not valid JSON", offset: 0 };
    const what = printParseErrorCode(first.error)
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
      .toLowerCase();
    return { message: `it is not valid JSON (${what})`, offset: first.offset };
  }
}
