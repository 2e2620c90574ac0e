import type { SyntaxNode } from "@lezer/common";
import type { Node } from "../documents/index.ts";
import { type CodeScope, type Literal, literalAt } from "./literals.ts";
import { ancestorsOf, type CodeFile, childrenOf, nodesIn, partsOf, sourceOf } from "./tree.ts";

export interface Binding {
  name: string;
  at: SyntaxNode;
  value: SyntaxNode;
  block: SyntaxNode;
}

export function bindingsOf(file: CodeFile): Binding[] {
  return file.language === "script" ? scriptBindings(file) : pythonBindings(file);
}

export async function scopeOf(
  file: CodeFile,
  beside: (from: string) => Promise<CodeFile | undefined>,
): Promise<CodeScope> {
  const known = new Map<string, Binding[]>([[file.file, bindingsOf(file)]]);
  const imported = new Map<string, { name: string; from: CodeFile }>();
  for (const { local, name, from } of importsOf(file)) {
    const other = await beside(from);
    if (other === undefined) continue;
    imported.set(local, { name, from: other });
    if (!known.has(other.file)) known.set(other.file, bindingsOf(other));
  }
  const values = new Map<Binding, Literal | undefined>();
  const valueIn = (binding: Binding, where: CodeFile, depth: number) => {
    // Set to undefined first, so that a name defined by itself has no value instead of recursing.
    if (!values.has(binding)) {
      values.set(binding, undefined);
      values.set(binding, literalAt(binding.value, { file: where, scope, depth: depth + 1 }));
    }
    return values.get(binding);
  };
  const scope: CodeScope = {
    lookUp(name, { at, file: where, depth }) {
      const bindings = (known.get(where.file) ?? []).filter((one) => one.name === name && isVisible(one, at));
      // The innermost block wins.
      const own = bindings.sort((a, b) => b.block.from - a.block.from)[0];
      if (own !== undefined) return valueIn(own, where, depth);
      const foreign = where.file === file.file ? imported.get(name) : undefined;
      if (foreign === undefined) return undefined;
      const there = (known.get(foreign.from.file) ?? []).find((one) => one.name === foreign.name);
      const value = there === undefined ? undefined : valueIn(there, foreign.from, depth);
      // Offsets in the other file mean nothing here, so the value gets those of its name.
      return value && { ...value, node: placedAt(value.node, at) };
    },
  };
  return scope;
}

function isVisible({ block, value }: Binding, at: SyntaxNode): boolean {
  return block.from <= at.from && at.to <= block.to && !(value.from <= at.from && at.to <= value.to);
}

function placedAt(node: Node, { from, to }: { from: number; to: number }): Node {
  const place = { start: from, end: to };
  switch (node.type) {
    case "scalar":
      return { ...node, ...place };
    case "list":
      return { ...node, ...place, items: node.items.map((item) => placedAt(item, { from, to })) };
    case "map":
      return {
        ...node,
        ...place,
        entries: node.entries.map((entry) => ({ ...entry, start: from, value: placedAt(entry.value, { from, to }) })),
      };
  }
}

function blockOf(node: SyntaxNode): SyntaxNode {
  return ancestorsOf(node).find(({ name }) => /^(?:Block|ClassBody|Body|Script)$/.test(name)) ?? node;
}

function scriptBindings(file: CodeFile): Binding[] {
  const declared = nodesIn(file.top, "VariableDeclaration").flatMap((declaration) => {
    const found: Binding[] = [];
    const parts = childrenOf(declaration);
    parts.forEach((part, index) => {
      const value = parts[index + 1];
      const at = parts.slice(0, index).findLast(({ name }) => name === "VariableDefinition");
      if (part.name === "Equals" && value !== undefined && at !== undefined)
        found.push({ name: sourceOf(at, file), at, value, block: blockOf(declaration) });
    });
    return found;
  });
  const exported = nodesIn(file.top, "ExportDeclaration").flatMap((node): Binding[] => {
    const value = partsOf(node).find(
      ({ name }) => name === "ArrayExpression" || name === "ObjectExpression" || name === "BinaryExpression",
    );
    return node.getChild("default") === null || value === undefined
      ? []
      : [{ name: "default", at: node, value, block: file.top }];
  });
  const assigned = nodesIn(file.top, "AssignmentExpression").flatMap((node): Binding[] => {
    const [left, , value] = childrenOf(node);
    const isModule = left !== undefined && sourceOf(left, file) === "module.exports";
    return !isModule || value === undefined ? [] : [{ name: "default", at: node, value, block: file.top }];
  });
  return [...declared, ...exported, ...assigned];
}

function pythonBindings(file: CodeFile): Binding[] {
  return nodesIn(file.top, "AssignStatement").flatMap((statement): Binding[] => {
    const parts = childrenOf(statement).filter(({ name }) => name !== "TypeDef");
    const [at, sign, value] = parts;
    if (at?.name !== "VariableName" || sign?.name !== "AssignOp" || value === undefined || parts.length > 3) return [];
    return [{ name: sourceOf(at, file), at, value, block: blockOf(statement) }];
  });
}

interface ImportedName {
  local: string;
  name: string;
  from: string;
}

function importsOf(file: CodeFile): ImportedName[] {
  if (file.language === "python")
    return [...file.text.matchAll(/^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#]*))/gm)].flatMap(
      ([, from = "", many, one = ""]) => namesIn(many ?? one, /\sas\s/).map((names) => ({ ...names, from })),
    );
  const found = nodesIn(file.top, "ImportDeclaration").flatMap((node): ImportedName[] => {
    const source = node.getChild("String");
    const group = node.getChild("ImportGroup");
    const whole = node.getChild("VariableDefinition");
    const from = source === null ? "" : sourceOf(source, file).slice(1, -1);
    const named = group === null ? [] : namesIn(sourceOf(group, file).slice(1, -1), /\sas\s/);
    return [...named, ...(whole === null ? [] : [{ local: sourceOf(whole, file), name: "default" }])].map((one) => ({
      ...one,
      from,
    }));
  });
  const required = [
    ...file.text.matchAll(/\b(?:const|let|var)\s+(?:\{([^}]*)\}|(\w+))\s*=\s*require\(\s*["']([^"']+)["']\s*\)/g),
  ];
  return [
    ...found,
    ...required.flatMap(([, group, whole, from = ""]) => [
      ...(group === undefined ? [] : namesIn(group, /:/).map((names) => ({ ...names, from }))),
      ...(whole === undefined ? [] : [{ local: whole, name: "default", from }]),
    ]),
  ];
}

function namesIn(list: string, as: RegExp): { local: string; name: string }[] {
  return list
    .split(",")
    .map((one) =>
      one
        .trim()
        .replace(/^type\s+/, "")
        .split(as)
        .map((part) => part.trim()),
    )
    .flatMap(([name = "", local = name]) => (/^[\w$]+$/.test(name) ? [{ name, local }] : []));
}
