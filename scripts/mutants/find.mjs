import { parseAst } from "rolldown/parseAst";

/**
 * Every small fault that can be put into a source text: where, what stands there, and what instead.
 * Prose is left alone (a string with a space in it), and so are types, imports and the keys of objects.
 */
export function findMutants(text) {
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const found = [];
  const add = ({ start, end }, replacement, kind = "expression") => {
    const line = lineStarts.findLastIndex((at) => at <= start) + 1;
    found.push({ start, end, line, kind, from: text.slice(start, end), to: replacement });
  };
  visit(parseAst(text, { lang: "ts" }), [], (node, parents) => mutate(node, parents, text, add));
  return found;
}

/** Swaps the mutant's text in. */
export function applyMutant(text, { start, end, kind, to }) {
  return text.slice(0, start) + (kind === "statement" ? to : `(${to})`) + text.slice(end);
}

/** The text with a call at every place that can be mutated, which tells whether a test comes by. */
export function withCounters(text, mutants) {
  const places = [...new Map(mutants.map((mutant) => [`${mutant.start} ${mutant.end}`, mutant])).values()];
  const inserts = places.flatMap(({ start, end, kind }) => {
    const hit = `globalThis.__passedBy?.(${JSON.stringify(`${start} ${end}`)})`;
    return kind === "statement"
      ? [
          { at: start, size: end - start, opens: true, text: `{${hit};` },
          { at: end, size: end - start, opens: false, text: "}" },
        ]
      : [
          { at: start, size: end - start, opens: true, text: `(${hit},` },
          { at: end, size: end - start, opens: false, text: ")" },
        ];
  });
  // At one place inner ends come first, then outer ends, then outer beginnings, then inner ones.
  inserts.sort(
    (a, b) => a.at - b.at || Number(a.opens) - Number(b.opens) || (a.opens ? b.size - a.size : a.size - b.size),
  );
  let result = "";
  let done = 0;
  for (const { at, text: inserted } of inserts) {
    result += text.slice(done, at) + inserted;
    done = at;
  }
  return result + text.slice(done);
}

const COMPARISONS = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
};
const ARITHMETIC = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "**": "*" };
const ASSIGNMENTS = { "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "??=": "=" };
const METHODS = new Map(
  Object.entries({
    some: "every",
    every: "some",
    min: "max",
    max: "min",
    startsWith: "endsWith",
    endsWith: "startsWith",
  }),
);
const DROPPED = new Set(["filter", "sort", "toSorted", "slice", "trim", "reverse", "toReversed", "toLowerCase"]);

function mutate(node, parents, text, add) {
  const of = ({ start, end }) => text.slice(start, end);
  const parent = parents.at(-1);
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      for (const value of ["true", "false"]) add(node.test, value);
      break;
    case "WhileStatement":
      add(node.test, "false");
      break;
    case "BinaryExpression": {
      const { left, right, operator } = node;
      for (const other of COMPARISONS[operator] ?? []) add(node, `${of(left)} ${other} ${of(right)}`);
      const isText =
        operator === "+" &&
        [left, right].some((side) => side.type === "TemplateLiteral" || typeof side.value === "string");
      if (ARITHMETIC[operator] !== undefined && !isText)
        add(node, `${of(left)} ${ARITHMETIC[operator]} (${of(right)})`);
      break;
    }
    case "LogicalExpression": {
      const { left, right, operator } = node;
      if (operator === "??") for (const side of [left, right]) add(node, of(side));
      else add(node, `(${of(left)}) ${operator === "&&" ? "||" : "&&"} (${of(right)})`);
      break;
    }
    case "UnaryExpression":
      if (node.operator === "!" || node.operator === "-") add(node, of(node.argument));
      break;
    case "UpdateExpression":
      add(
        node,
        of(node).replace(/\+\+|--/, (sign) => (sign === "++" ? "--" : "++")),
      );
      break;
    case "AssignmentExpression":
      if (ASSIGNMENTS[node.operator] !== undefined)
        add(node, `${of(node.left)} ${ASSIGNMENTS[node.operator]} ${of(node.right)}`);
      break;
    case "ExpressionStatement":
      if (
        ["CallExpression", "AwaitExpression", "AssignmentExpression", "UpdateExpression", "YieldExpression"].includes(
          node.expression.type,
        )
      )
        if (node.expression.callee?.type !== "Super") add(node, ";", "statement");
      break;
    case "Literal":
      if (isKey(node, parent)) break;
      if (typeof node.value === "boolean") add(node, String(!node.value));
      if (typeof node.value === "number") add(node, String(node.value + 1));
      if (typeof node.value === "string" && !node.value.includes(" ")) add(node, node.value === "" ? '"mutant"' : '""');
      break;
    case "ArrayExpression":
      if (node.elements.length > 0) add(node, "[]");
      break;
    case "CallExpression":
      if (
        node.callee.type !== "MemberExpression" ||
        node.callee.computed ||
        parents.some(({ type }) => type === "ChainExpression")
      )
        break;
      if (DROPPED.has(node.callee.property.name)) add(node, of(node.callee.object));
      if (METHODS.has(node.callee.property.name)) {
        const { start, end } = node.callee.property;
        add(node, text.slice(node.start, start) + METHODS.get(node.callee.property.name) + text.slice(end, node.end));
      }
      break;
  }
}

/** A literal that is a name or a part of a declaration, not a value. */
function isKey(node, parent) {
  if (parent.type.startsWith("Import") || parent.type.startsWith("Export")) return true;
  return (
    (parent.type === "Property" || parent.type === "PropertyDefinition") && parent.key === node && parent.value !== node
  );
}

function visit(node, parents, see) {
  if (node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression" || node.type === "TSNonNullExpression") {
    visit(node.expression, [...parents, node], see);
    return;
  }
  if (node.type.startsWith("TS")) return;
  see(node, parents);
  for (const [name, value] of Object.entries(node)) {
    if (name === "typeAnnotation" || name === "returnType" || name === "typeParameters" || name === "typeArguments")
      continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === "string") visit(child, [...parents, node], see);
  }
}
