import { lineAt, visit } from "./sources.mjs";

const word =
  /[\p{ID_Start}$_@#][\p{ID_Continue}$]*|\.\.\.|=>|\?\?=?|\?\.|&&=?|\|\|=?|\*\*=?|[=!]==?|<<=?|>>>?=?|[-+*/%&|^<>]=|\+\+|--|\S/gu;

/** Measures one parsed source file. */
export function countFile({ file, text, program, comments }) {
  const lines = text.replace(/\n$/, "").split("\n");
  const counted = {
    file,
    lines: lines.length,
    wide: lines.filter((line) => line.length > 120).length,
    docComments: comments.filter(({ type, value }) => type === "Block" && value.startsWith("*")).length,
    conditionalSpreads: 0,
    functions: [],
  };
  const literals = [];
  visit(program, (node, parent) => {
    if (isLiteral(node)) literals.push(node);
    if (isConditionalSpread(node)) counted.conditionalSpreads += 1;
    if (isFunction(node)) counted.functions.push(functionOf(node, parent, file, text));
  });
  return { ...counted, ...tokensOf(text, program.hashbang ? [program.hashbang, ...comments] : comments, literals) };
}

/**
 * Counts tokens, and the lines that have one.
 * The parser says where comments and literals are, which no regular expression can; the rest is words and punctuation.
 */
function tokensOf(text, comments, literals) {
  const lines = new Set();
  let tokens = 0;
  let at = 0;
  let line = 1;
  const pass = (end, isCode) => {
    for (; at < end; at += 1) {
      if (text[at] === "\n") line += 1;
      else if (isCode(text[at])) lines.add(line);
    }
  };
  const known = [...comments.map((comment) => ({ ...comment, isComment: true })), ...literals].sort(
    (a, b) => a.start - b.start,
  );
  for (const { start, end, isComment } of [...known, { start: text.length, end: text.length, isComment: true }]) {
    tokens += text.slice(at, start).match(word)?.length ?? 0;
    pass(start, (character) => /\S/.test(character));
    if (!isComment) tokens += 1;
    pass(end, () => !isComment);
  }
  return { tokens, codeLines: lines.size };
}

/** One token each: a string, a number, a pattern, a piece of a template, text between JSX tags. */
function isLiteral({ type, raw, value }) {
  if (type === "JSXText") return value.trim() !== "";
  return type === "TemplateElement" || (type === "Literal" && !/^(?:true|false|null)$/.test(raw));
}

/** `...(cond && x)` and `...(cond ? x : {})`. */
function isConditionalSpread({ type, argument }) {
  if (type !== "SpreadElement" && type !== "JSXSpreadAttribute") return false;
  const inner = withoutWrapping(argument);
  if (inner.type === "LogicalExpression") return inner.operator === "&&";
  return (
    inner.type === "ConditionalExpression" &&
    [inner.consequent, inner.alternate].some((branch) => isEmpty(withoutWrapping(branch)))
  );
}

function withoutWrapping(node) {
  return ["ParenthesizedExpression", "TSAsExpression", "TSSatisfiesExpression"].includes(node.type)
    ? withoutWrapping(node.expression)
    : node;
}

function isEmpty({ type, properties, elements, name }) {
  return (
    (type === "ObjectExpression" && properties.length === 0) ||
    (type === "ArrayExpression" && elements.length === 0) ||
    name === "undefined"
  );
}

function isFunction({ type, body }) {
  return ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].includes(type) && body !== null;
}

function functionOf(node, parent, file, text) {
  const first = lineAt(text, node.start);
  const name = node.id?.name ?? parent?.key?.name ?? parent?.id?.name ?? "a function without a name";
  const parameters = node.params.filter((parameter) => parameter.name !== "this").length;
  return { name, place: `${file}:${first}`, parameters, lines: lineAt(text, node.end) - first + 1 };
}
