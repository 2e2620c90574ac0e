import { posix } from "node:path";
import { lineAt, visit } from "./sources.mjs";

/**
 * The imports and re-exports of one parsed source file.
 * `how` is `value` if needed at run time, `type` if only types are imported, and `dynamic` for `import()`.
 */
export function importsOf({ text, program, module }) {
  const found = [];
  const add = (specifier, offset, how) => found.push({ specifier, line: lineAt(text, offset), how });
  for (const { moduleRequest, start, entries } of module.staticImports)
    add(moduleRequest.value, start, staticKind(entries));
  for (const { start, entries } of module.staticExports) {
    const from = entries.filter(({ moduleRequest }) => moduleRequest);
    if (from.length > 0) add(from[0].moduleRequest.value, start, staticKind(from));
  }
  if (!text.includes("import(")) return found;
  visit(program, (node) => {
    if (node.type === "TSImportType") add(node.source.value, node.start, "type");
    if (node.type === "ImportExpression" && typeof node.source.value === "string")
      add(node.source.value, node.start, "dynamic");
  });
  return found;
}

const staticKind = (entries) => (entries.length > 0 && entries.every(({ isType }) => isType) ? "type" : "value");

/** Maps each file to the files among `sources` that it imports in one of the ways listed in `how`. */
export function importGraph(sources, how) {
  const graph = new Map(sources.map(({ file }) => [file, []]));
  for (const source of sources) {
    for (const { specifier, how: kind } of importsOf(source)) {
      const to = posix.join(posix.dirname(source.file), specifier);
      if (specifier.startsWith(".") && how.includes(kind) && graph.has(to)) graph.get(source.file).push(to);
    }
  }
  return graph;
}

/** The strongly connected components of an import graph (Tarjan's algorithm), largest first. */
export function importCycles(graph) {
  const order = new Map();
  const lowest = new Map();
  const stack = [];
  const cycles = [];
  const enter = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    stack.push(file);
    for (const to of graph.get(file)) {
      if (!order.has(to)) enter(to);
      if (stack.includes(to)) lowest.set(file, Math.min(lowest.get(file), lowest.get(to)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const cycle = stack.splice(stack.indexOf(file));
    if (cycle.length > 1 || graph.get(file).includes(file)) cycles.push(cycle.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) enter(file);
  return cycles.sort((a, b) => b.length - a.length || (a[0] < b[0] ? -1 : 1));
}
