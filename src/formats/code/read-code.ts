import type { SyntaxNode } from "@lezer/common";
import { type Entry, type ListNode, type MapNode, type Node, scalar, text } from "../documents/index.ts";
import { listLabel, nameStrength, normalKey, queryRank, triggerKey } from "../rows/label-words.ts";
import { type CodeScope, literalOf } from "./literals.ts";
import { type Loop, loopsIn } from "./loops.ts";
import { type Binding, bindingsOf, scopeOf } from "./scope.ts";
import { type Said, saidIn, type TestCode } from "./string-values.ts";
import { argumentsOf, type CodeFile, calledName, nodesIn, sourceOf } from "./tree.ts";

export interface CodeRead {
  root: MapNode;
  partial: { name: string; start: number }[];
}

/**
 * Reads lists that tests loop over, lists with a telling name, and single tests with one prompt. Assertions about the
 * prompts are their labels. The code is never run: computed items are left out, and their list is `partial`.
 */
export async function readCode(
  file: CodeFile,
  beside: (from: string) => Promise<CodeFile | undefined>,
  isSkill: (name: string) => boolean,
): Promise<CodeRead> {
  const scope = await scopeOf(file, beside);
  const code: TestCode = { file, scope, isSkill };
  const entries: Entry[] = [];
  const partial: CodeRead["partial"] = [];
  const taken = new Set<string>();
  const put = (key: string, at: SyntaxNode, value: Node) => entries.push({ key, start: at.from, value });

  for (const loop of loopsIn(file, scope)) {
    const { at, list, name, body } = loop;
    if (list?.node.type !== "list") continue;
    const said = saidIn(body, code);
    const use = `${placeOf(list.node)} ${said.label} ${said.skill}`;
    // The same list, looped over again with the same label.
    if (taken.has(use)) continue;
    taken.add(use);
    if (name !== undefined) taken.add(placeOf(list.node));
    put("block", at, blockOf(list.node, { loop, said, isSkill }));
    if (list.partial) partial.push({ name: name ?? "this list", start: at.from });
  }
  for (const binding of bindingsOf(file)) {
    const value = literalOf(binding.value, file, scope);
    if (value === undefined || taken.has(placeOf(value.node)) || !isTelling(binding, value.node)) continue;
    put(binding.name, binding.at, value.node);
    if (value.partial && value.node.type === "list") partial.push({ name: binding.name, start: binding.at.from });
  }
  for (const single of singlesIn(code)) put("block", single.at, single.row);
  return { root: { type: "map", start: 0, end: file.text.length, entries }, partial };
}

function placeOf({ start, end }: Node): string {
  return `${start}-${end}`;
}

function isTelling({ name }: Binding, node: Node): boolean {
  return node.type === "scalar" ? /^skill/i.test(name) && typeof node.value === "string" : !/^ids$/.test(name);
}

function blockOf(
  list: ListNode,
  { loop, said, isSkill }: { loop: Loop; said: Said; isSkill: (name: string) => boolean },
): MapNode {
  const { name, names } = loop;
  const { label, skill } = said;
  const items = list.items.map((item) => (item.type === "list" ? rowOf(item, names, isSkill) : item));
  const isTexts = items.every((item) => text(item) !== undefined);
  // A list of single words holds names of models or skills, not prompts.
  if (isTexts && !items.some((item) => isSentence(text(item) ?? "")))
    return { type: "map", start: list.start, end: list.end, entries: [] };
  const own = name === undefined ? undefined : listLabel(normalKey(name));
  const verdict = label ?? own;
  const key =
    isTexts && verdict !== undefined ? (verdict ? "should_trigger" : "should_not_trigger") : (name ?? "cases");
  const rows: ListNode = { ...list, items };
  const owner: Entry[] =
    skill === undefined ? [] : [{ key: "skill", start: list.start, value: scalar(skill, list.start, list.start) }];
  return {
    type: "map",
    start: list.start,
    end: list.end,
    entries: [...(items.some(namesSkill) ? [] : owner), { key, start: list.start, value: rows }],
  };
}

function namesSkill(item: Node): boolean {
  return (
    item.type === "map" &&
    item.entries.some(({ key }) => nameStrength(normalKey(key)) !== undefined || /^skill/i.test(key))
  );
}

function isSentence(text: string): boolean {
  return /\s|[^\p{ASCII}]/u.test(text.trim());
}

function rowOf(tuple: ListNode, names: readonly string[], isSkill: (name: string) => boolean): Node {
  const keys = tuple.items.map((_, index) => normalKey(names[index] ?? ""));
  const named = keys.findIndex((key) => key !== "" && queryRank(key) !== -1);
  const asked = named !== -1 ? named : tuple.items.findIndex((item) => /\s/.test(text(item) ?? ""));
  if (asked === -1) return tuple;
  const entries = tuple.items.flatMap((item, index): Entry[] => {
    const key = keys[index] ?? "";
    if (index === asked) return [{ key: "query", start: item.start, value: item }];
    const isKnown = triggerKey(key) !== undefined || nameStrength(key) === "sure" || /^(?:skill|skill_name)$/.test(key);
    if (isKnown) return [{ key, start: item.start, value: item }];
    if (item.type === "scalar" && typeof item.value === "boolean")
      return [{ key: "should_trigger", start: item.start, value: item }];
    const isName =
      item.type === "list" || (item.type === "scalar" && (item.value === null || isSkill(String(item.value))));
    return [{ key: isName ? "expected_skill" : key || `part_${index}`, start: item.start, value: item }];
  });
  const both = entries.filter(({ key }) => key === "expected_skill");
  return {
    type: "map",
    start: tuple.start,
    end: tuple.end,
    entries: both.length > 1 ? entries.filter((entry) => entry !== both[1]) : entries,
  };
}

function singlesIn(code: TestCode): { at: SyntaxNode; row: MapNode }[] {
  const { file, scope } = code;
  const bodies =
    file.language === "python"
      ? nodesIn(file.top, "FunctionDefinition").filter((node) =>
          /^def\s+test_|^async\s+def\s+test_/.test(sourceOf(node, file)),
        )
      : nodesIn(file.top, "CallExpression").flatMap((call) => {
          if (!/^(?:it|test|only)$/.test(calledName(call, file))) return [];
          return argumentsOf(call, file).flatMap(({ value }) =>
            /^(?:ArrowFunction|FunctionExpression)$/.test(value.name) ? [value] : [],
          );
        });
  return bodies.flatMap((body) => {
    const prompts = promptsIn(body, file, scope);
    const [only] = prompts;
    const { label, skill, isByTitle } = saidIn(body, code);
    // A title alone is not enough: such a test may be about anything.
    if (only === undefined || prompts.length > 1 || label === undefined || isByTitle) return [];
    const prompt = scalar(only.prompt, only.at.from, only.at.to);
    const entries: Entry[] = [
      ...(skill === undefined
        ? []
        : [{ key: "skill", start: prompt.start, value: scalar(skill, prompt.start, prompt.start) }]),
      { key: "query", start: prompt.start, value: prompt },
      { key: "should_trigger", start: prompt.start, value: scalar(label, prompt.start, prompt.start) },
    ];
    return [{ at: only.at, row: { type: "map", start: only.at.from, end: only.at.to, entries } satisfies MapNode }];
  });
}

function promptsIn(body: SyntaxNode, file: CodeFile, scope: CodeScope): { at: SyntaxNode; prompt: string }[] {
  return nodesIn(body, "CallExpression").flatMap((call) => {
    if (
      /^(?:it|test|describe|expect|to[A-Z]\w*|assert\w*|log|print|Error|raises|match|search|compile|join|each)$/.test(
        calledName(call, file),
      )
    )
      return [];
    return argumentsOf(call, file).flatMap(({ value }) => {
      const prompt = /String$/.test(value.name) ? text(literalOf(value, file, scope)?.node) : undefined;
      return prompt !== undefined && prompt.trim().split(/\s+/).length > 2 ? [{ at: value, prompt }] : [];
    });
  });
}
