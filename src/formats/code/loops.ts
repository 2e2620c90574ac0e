import type { SyntaxNode } from "@lezer/common";
import { type Node, text } from "../documents/index.ts";
import type { CodeScope } from "./literals.ts";
import { type Literal, literalOf } from "./literals.ts";
import { argumentsOf, type CodeFile, calledName, childrenOf, nodesIn, partsOf, sourceOf } from "./tree.ts";

export interface Loop {
  at: SyntaxNode;
  list: Literal | undefined;
  name?: string;
  names: string[];
  body: SyntaxNode;
}

/** `test.each`, `parametrize`, `forEach`, `for … of`, `for … in`, and the `data: () => […]` of eval tools. */
export function loopsIn(file: CodeFile, scope: CodeScope): Loop[] {
  return file.language === "script"
    ? [...eachCalls(file, scope), ...forStatements(file, scope), ...dataOf(file, scope)]
    : [...parametrized(file, scope), ...forStatements(file, scope)];
}

function loopOver(node: SyntaxNode, file: CodeFile, scope: CodeScope): Pick<Loop, "list" | "name"> {
  const list = literalOf(node, file, scope);
  return node.name === "VariableName" ? { list, name: sourceOf(node, file) } : { list };
}

function eachCalls(file: CodeFile, scope: CodeScope): Loop[] {
  return nodesIn(file.top, "CallExpression").flatMap((call): Loop[] => {
    const inner = call.firstChild;
    if (inner?.name === "CallExpression" && /^(?:each|for)$/.test(calledName(inner, file))) {
      const list = argumentsOf(inner, file)[0]?.value;
      const callback = callbackOf(call, file);
      if (list === undefined || callback === undefined) return [];
      return [{ at: call, ...loopOver(list, file, scope), names: namesOf(callback, file), body: callback }];
    }
    if (inner?.name === "TaggedTemplateExpression") {
      const [tag, page] = childrenOf(inner);
      const callback = callbackOf(call, file);
      if (tag === undefined || page === undefined || callback === undefined || !/\beach$/.test(sourceOf(tag, file)))
        return [];
      return [{ at: call, list: tableOf(page, file, scope), names: [], body: callback }];
    }
    if (
      inner?.name === "MemberExpression" &&
      /^(?:forEach|map)$/.test(calledName(call, file)) &&
      inner.firstChild !== null
    ) {
      const callback = callbackOf(call, file);
      if (callback === undefined || !/\b(?:it|test|describe)\s*[.(]/.test(sourceOf(callback, file))) return [];
      return [{ at: call, ...loopOver(inner.firstChild, file, scope), names: namesOf(callback, file), body: callback }];
    }
    return [];
  });
}

function callbackOf(call: SyntaxNode, file: CodeFile): SyntaxNode | undefined {
  return argumentsOf(call, file).find(({ value }) => /^(?:ArrowFunction|FunctionExpression)$/.test(value.name))?.value;
}

function namesOf(callback: SyntaxNode, file: CodeFile): string[] {
  const list = callback.getChild("ParamList");
  const bare = callback.getChild("VariableDefinition");
  if (list === null) return bare === null ? [] : [sourceOf(bare, file)];
  return namesInPattern(partsOf(list), file);
}

function namesInPattern(parts: SyntaxNode[], file: CodeFile): string[] {
  const [only] = parts;
  if (parts.length === 1 && only?.name === "ArrayPattern") return namesInPattern(partsOf(only), file);
  // An object pattern names keys of the row itself.
  if (only?.name === "ObjectPattern") return [];
  return parts.filter(({ name }) => /^Variable(?:Definition|Name)$/.test(name)).map((part) => sourceOf(part, file));
}

function tableOf(page: SyntaxNode, file: CodeFile, scope: CodeScope): Literal {
  const holes = page.getChildren("Interpolation");
  const [first] = holes;
  const header = file.text.slice(page.from + 1, first?.from ?? page.to - 1);
  const names = header.split("|").map((name) => name.trim());
  const items: Node[] = [];
  let partial = false;
  for (let at = 0; at + names.length <= holes.length; at += names.length) {
    const cells = holes.slice(at, at + names.length);
    const entries = cells.flatMap((cell, index) => {
      const hole = partsOf(cell).find(({ name }) => !/^Interpolation/.test(name));
      const value = hole === undefined ? undefined : literalOf(hole, file, scope);
      partial ||= value === undefined;
      return value === undefined ? [] : [{ key: names[index] ?? "", start: cell.from, value: value.node }];
    });
    items.push({ type: "map", start: cells[0]?.from ?? page.from, end: cells.at(-1)?.to ?? page.to, entries });
  }
  return { node: { type: "list", start: page.from, end: page.to, items }, partial };
}

function forStatements(file: CodeFile, scope: CodeScope): Loop[] {
  return nodesIn(file.top, "ForStatement").flatMap((statement): Loop[] => {
    const spec = statement.getChild("ForOfSpec") ?? (file.language === "python" ? statement : null);
    const body = statement.lastChild;
    if (spec === null || body === null) return [];
    const parts = partsOf(spec).filter(({ name }) => !/^(?:const|let|var|for|Body|async|await|\()$/.test(name));
    const of = parts.findIndex(({ name }) => name === "of" || name === "in");
    const list = parts[of + 1];
    if (of === -1 || list === undefined) return [];
    return [{ at: statement, ...loopOver(list, file, scope), names: namesInPattern(parts.slice(0, of), file), body }];
  });
}

function parametrized(file: CodeFile, scope: CodeScope): Loop[] {
  return nodesIn(file.top, "Decorator").flatMap((decorator): Loop[] => {
    if (calledName(decorator, file) !== "parametrize") return [];
    const given = argumentsOf(decorator, file);
    const [names, list] = [
      given.find(({ name }, index) => name === "argnames" || (name === undefined && index === 0))?.value,
      given.find(({ name }, index) => name === "argvalues" || (name === undefined && index === 1))?.value,
    ];
    if (names === undefined || list === undefined || decorator.parent === null) return [];
    return [
      {
        at: decorator,
        ...loopOver(list, file, scope),
        names: wordsOf(literalOf(names, file, scope)),
        body: decorator.parent,
      },
    ];
  });
}

function wordsOf(value: Literal | undefined): string[] {
  const one = text(value?.node);
  if (one !== undefined) return one.split(",").map((name) => name.trim());
  return value?.node.type === "list" ? value.node.items.flatMap((item) => text(item) ?? []) : [];
}

function dataOf(file: CodeFile, scope: CodeScope): Loop[] {
  return nodesIn(file.top, "Property").flatMap((property): Loop[] => {
    const [key, value] = partsOf(property).filter(({ name }) => name !== "async");
    if (key === undefined || value === undefined || !/^(?:data|dataset|cases|tests|samples)$/.test(sourceOf(key, file)))
      return [];
    if (property.parent?.parent?.name !== "ArgList") return [];
    const list = value.name === "ArrowFunction" ? value.lastChild : value;
    return list === null ? [] : [{ at: property, ...loopOver(list, file, scope), names: [], body: property }];
  });
}
