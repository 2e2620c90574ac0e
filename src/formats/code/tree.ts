import type { Parser, PartialParse, SyntaxNode, Tree } from "@lezer/common";

type CodeLanguage = "script" | "python";

export interface CodeFile {
  file: string;
  language: CodeLanguage;
  text: string;
  top: SyntaxNode;
}

/**
 * Undefined for code too long or too broken to have been written by a person. Slightly broken code still has a tree.
 */
export async function parseCode(file: string, text: string): Promise<CodeFile | undefined> {
  if (text.length > LONGEST) return undefined;
  const language = file.endsWith(".py") ? "python" : "script";
  const { parser } = language === "python" ? await import("@lezer/python") : await scriptParser();
  const tree = treeOf(parser, text);
  return tree && { file, language, text, top: tree.topNode };
}

const LONGEST = 200_000;
/** Limit on error-recovery steps, whose cost is quadratic. Valid code needs none. */
const MOST_REPAIRS = 3_000;

function treeOf(parser: Parser, text: string): Tree | undefined {
  const parse: PartialParse & { recovering?: number } = parser.startParse(text);
  for (let repairs = 0; repairs < MOST_REPAIRS; ) {
    const tree = parse.advance();
    if (tree !== null) return tree;
    if (parse.recovering) repairs++;
  }
  return undefined;
}

async function scriptParser() {
  const { parser } = await import("@lezer/javascript");
  return { parser: parser.configure({ dialect: "ts jsx" }) };
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) all.push(child);
  return all;
}

export function nodesIn(node: SyntaxNode, kind: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  node.cursor().iterate((at) => {
    if (at.name === kind) found.push(at.node);
  });
  return found;
}

export function ancestorsOf(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = [];
  for (let parent = node.parent; parent !== null; parent = parent.parent) all.push(parent);
  return all;
}

export function sourceOf(node: SyntaxNode, { text }: CodeFile): string {
  return text.slice(node.from, node.to);
}

const signs = /^(?:[()[\]{},;:.]|\?\.|Comment|LineComment|BlockComment|⚠)$/;

export function argumentsOf(call: SyntaxNode, file: CodeFile): { name?: string; value: SyntaxNode }[] {
  const list = call.getChild("ArgList");
  const parts = list === null ? [] : childrenOf(list).filter(({ name }) => !signs.test(name));
  const found: { name?: string; value: SyntaxNode }[] = [];
  for (let at = 0; at < parts.length; at++) {
    // `!`: the index is below the length.
    const [part, next, value] = [parts[at]!, parts[at + 1], parts[at + 2]];
    if (
      file.language === "python" &&
      part.name === "VariableName" &&
      next?.name === "AssignOp" &&
      value !== undefined
    ) {
      found.push({ name: sourceOf(part, file), value });
      at += 2;
    } else found.push({ value: part });
  }
  return found;
}

export function partsOf(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(node).filter(({ name }) => !signs.test(name));
}

export function calledName(call: SyntaxNode, file: CodeFile): string {
  const callee =
    call.name === "Decorator" ? childrenOf(call).findLast(({ name }) => name === "VariableName") : call.firstChild;
  if (callee === null || callee === undefined) return "";
  const named = callee.name === "MemberExpression" ? callee.getChildren("PropertyName").at(-1) : callee;
  return named === undefined || !/Name$/.test(named.name) ? "" : sourceOf(named, file);
}
