import type { SyntaxNode } from "@lezer/common";
import { text } from "../documents/index.ts";
import { sectionLabel } from "../documents/markdown.ts";
import type { CodeScope } from "./literals.ts";
import { literalOf } from "./literals.ts";
import { ancestorsOf, argumentsOf, type CodeFile, calledName, childrenOf, nodesIn, sourceOf } from "./tree.ts";

export interface TestCode {
  file: CodeFile;
  scope: CodeScope;
  isSkill: (name: string) => boolean;
}

export interface Said {
  label?: boolean;
  skill?: string;
  isByTitle?: boolean;
}

const event = /trigger|activat|fire|match|load|invo[ck]|select/i;

export function saidIn(body: SyntaxNode, code: TestCode): Said {
  const { file, isSkill } = code;
  const expected = (file.language === "script" ? scriptExpectations : pythonExpectations)(body, code);
  const titles = titlesOf(body, file);
  const labels = [...new Set(expected.flatMap(({ label }) => label ?? []))];
  const label =
    labels.length === 1
      ? labels[0]
      : labels.length > 1
        ? undefined
        : titles.map(labelOf).find((one) => one !== undefined);
  const skills = [...new Set([...expected.flatMap(({ skill }) => skill ?? []), ...skillsNamed(body, code)])];
  const [skill] = skills.length === 1 ? skills : titles.flatMap((title) => skillIn(title, isSkill) ?? []);
  return { label, skill, isByTitle: label !== undefined && labels.length === 0 };
}

function labelOf(title: string): boolean | undefined {
  const key = sectionLabel(title);
  return key === undefined ? undefined : key === "should_trigger";
}

function scriptExpectations(body: SyntaxNode, { file, scope, isSkill }: TestCode): Said[] {
  return nodesIn(body, "CallExpression").flatMap((call): Said[] => {
    const matcher = calledName(call, file);
    const chain = call.firstChild?.name === "MemberExpression" ? sourceOf(call.firstChild, file) : "";
    if (!/^(?:await\s+)?expect\s*\(/.test(chain) || !/^to[A-Z]/.test(matcher)) return [];
    const isNot = /\)\s*\.\s*(?:resolves\s*\.\s*)?not\s*\./.test(chain);
    const given = argumentsOf(call, file)[0]?.value;
    const value = given === undefined ? undefined : literalOf(given, file, scope)?.node;
    const name = text(value);
    if (name !== undefined && isSkill(name)) return [{ label: !isNot, skill: name }];
    const isTrue = matcher === "toBeTruthy" || (value?.type === "scalar" && value.value === true);
    const isFalse = matcher === "toBeFalsy" || (value?.type === "scalar" && value.value === false);
    return (isTrue || isFalse) && event.test(chain) ? [{ label: isTrue !== isNot }] : [];
  });
}

function pythonExpectations(body: SyntaxNode, code: TestCode): Said[] {
  const { file, scope, isSkill } = code;
  const asserted = nodesIn(body, "AssertStatement").flatMap((statement): Said[] => {
    const claim = childrenOf(statement)[1];
    return claim === undefined ? [] : claimed(claim, true, code);
  });
  const called = nodesIn(body, "CallExpression").flatMap((call): Said[] => {
    const name = calledName(call, file);
    const [first, second] = argumentsOf(call, file);
    if (first === undefined || !/^assert(?:True|False|In|NotIn|Equal|NotEqual)$/.test(name)) return [];
    const skill = [first, second]
      .flatMap((one) => (one === undefined ? [] : (text(literalOf(one.value, file, scope)?.node) ?? [])))
      .find(isSkill);
    const isYes = !/False|Not/.test(name);
    if (skill !== undefined) return [{ label: isYes, skill }];
    return /True|False/.test(name) && event.test(sourceOf(first.value, file)) ? [{ label: isYes }] : [];
  });
  return [...asserted, ...called];
}

function claimed(claim: SyntaxNode, isYes: boolean, code: TestCode): Said[] {
  const { file, scope, isSkill } = code;
  const parts = childrenOf(claim);
  if (claim.name === "ParenthesizedExpression") return parts[1] === undefined ? [] : claimed(parts[1], isYes, code);
  if (claim.name === "UnaryExpression" && parts[0]?.name === "not")
    return parts[1] === undefined ? [] : claimed(parts[1], !isYes, code);
  if (claim.name !== "BinaryExpression") return event.test(sourceOf(claim, file)) ? [{ label: isYes }] : [];
  const sign = parts
    .slice(1, -1)
    .map((part) => sourceOf(part, file))
    .join(" ");
  const isSame = /^(?:==|is|in)$/.test(sign);
  if (!isSame && !/^(?:!=|is not|not in)$/.test(sign)) return [];
  const values = [parts[0], parts.at(-1)].map((part) =>
    part === undefined ? undefined : literalOf(part, file, scope)?.node,
  );
  const skill = values.flatMap((value) => text(value) ?? []).find(isSkill);
  if (skill !== undefined) return [{ label: isSame === isYes, skill }];
  const truth = values.find((value) => value?.type === "scalar" && typeof value.value === "boolean");
  if (truth?.type !== "scalar" || !event.test(sourceOf(claim, file))) return [];
  return [{ label: (truth.value === true) === (isSame === isYes) }];
}

function skillsNamed(body: SyntaxNode, { file, scope, isSkill }: TestCode): string[] {
  return nodesIn(body, "CallExpression").flatMap((call) =>
    argumentsOf(call, file).flatMap(({ value }) => {
      if (value.name !== "String" && value.name !== "VariableName") return [];
      const name = text(literalOf(value, file, scope)?.node);
      return name !== undefined && isSkill(name) ? [name] : [];
    }),
  );
}

function titlesOf(body: SyntaxNode, file: CodeFile): string[] {
  return [body, ...ancestorsOf(body)].flatMap((node): string[] => {
    if (
      node.name === "CallExpression" &&
      /^(?:describe|context|suite|it|test|each|only|forEach|)$/.test(calledName(node, file))
    ) {
      const title = argumentsOf(node, file)[0]?.value;
      return title?.name === "String" || title?.name === "TemplateString" ? [sourceOf(title, file).slice(1, -1)] : [];
    }
    const definition = /^(?:FunctionDefinition|ClassDefinition)$/.test(node.name)
      ? node
      : node.getChild("FunctionDefinition");
    const name = definition?.getChild("VariableName");
    return name === null || name === undefined ? [] : [inWords(sourceOf(name, file))];
  });
}

function inWords(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}

function skillIn(title: string, isSkill: (name: string) => boolean): string | undefined {
  return [title, ...title.split(/[^\p{L}\p{N}:_-]+/u)].find((word) => word.length > 1 && isSkill(word));
}
