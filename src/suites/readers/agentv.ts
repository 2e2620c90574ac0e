import type { GraderSpec } from "../../graders/index.ts";
import { asWritten, boolean, type Document, get, items, type MapNode, type Node, number, plain, text } from "../documents/index.ts";
import { expectation, type Label } from "../questions/expect.ts";
import { readFields } from "../questions/fields.ts";
import { besideCase, defined, emptySuite, makeCase, makeTrigger } from "../questions/question.ts";
import type { Message, Suite } from "../suite.ts";
import type { ReadContext, Reader } from "./reader.ts";
import { textOrFile } from "./text-or-file.ts";

/** AgentV's `tests` with `input` and `assertions`; a `skill-trigger` assertion is a trigger, the others make a case. */
export const agentv: Reader = {
  id: "agentv",
  async read(document, context) {
    const list = items(get(document.root, "tests")).filter((item): item is MapNode => item.type === "map");
    if (!list.some(isTest)) return null;
    const suite = emptySuite(document.file, agentv.id);
    suite.skill = context.names.owner()?.id;
    for (const item of list) await readTest(document, item, suite, context);
    return suite.triggers.length + suite.cases.length > 0 ? suite : null;
  },
};

/** promptfoo has `tests`, too; theirs have `vars` and `assert`. */
function isTest(item: MapNode): boolean {
  const asks = get(item, "input") !== undefined && get(item, "vars") === undefined;
  return asks && (assertionsOf(item).length > 0 || text(get(item, "criteria")) !== undefined) && get(item, "should_trigger") === undefined;
}

/** Earlier versions say `assert`, or `evaluators`. */
function assertionsOf(item: MapNode): Node[] {
  return ["assertions", "assert", "evaluators"]
    .flatMap((key) => items(get(item, key)))
    .filter((node) => text(get(node, "type")) !== undefined || text(node) !== undefined);
}

async function readTest(document: Document, item: MapNode, suite: Suite, context: ReadContext): Promise<void> {
  const { prompt, messages } = conversation(get(item, "input"));
  if (prompt === undefined || prompt.trim() === "") return;
  const assertions = assertionsOf(item);
  const triggers = assertions.filter((node) => text(get(node, "type")) === "skill-trigger");
  const fields = readFields(document, item, suite.problems);
  const common = { ...fields, messages: [...fields.messages, ...messages], source: document.at(item) };
  const graders: GraderSpec[] = [];
  for (const node of assertions.filter((one) => !triggers.includes(one))) graders.push(...(await graderOf(document, node, context)));
  const criteria = text(get(item, "criteria"));
  // Without assertions, it judges by the criteria.
  if (assertions.length === 0 && criteria !== undefined) graders.push({ type: "llm", config: { text: criteria } });
  if (triggers.length > 0) {
    const label = labelOf(triggers, context);
    const skill = suite.skill ?? label.expect?.[0] ?? label.forbidden[0];
    suite.triggers.push(
      makeTrigger({
        ...common,
        id: graders.length > 0 ? besideCase(fields.id) : fields.id,
        skill,
        query: prompt,
        expect: expectation(label),
      }),
    );
  }
  const expected = get(item, "expected_output");
  const expectedOutput =
    expected === undefined ? undefined : (text(expected) ?? conversation(expected).last ?? JSON.stringify(plain(expected)));
  if (graders.length > 0) suite.cases.push(makeCase({ ...common, skill: suite.skill, prompt, expectedOutput, graders }));
}

/** A text, or messages of which the last is asked. */
function conversation(node: Node | undefined): { prompt?: string; messages: Message[]; last?: string } {
  const whole = text(node);
  if (whole !== undefined) return { prompt: whole, messages: [] };
  const all = items(node).flatMap((one): Message[] => {
    const role = text(get(one, "role"));
    const content =
      text(get(one, "content")) ??
      items(get(one, "content"))
        .flatMap((part) => text(get(part, "value")) ?? text(get(part, "text")) ?? [])
        .join("\n");
    return content !== "" && (role === "user" || role === "assistant") ? [{ role, content }] : [];
  });
  const at = all.findLastIndex(({ role }) => role === "user");
  return defined({ prompt: all[at]?.content, messages: all.slice(0, Math.max(at, 0)), last: all.at(-1)?.content });
}

function labelOf(nodes: readonly Node[], { names }: ReadContext): Label {
  const label: Label = { forbidden: [], alsoFine: [] };
  for (const node of nodes) {
    const name = text(get(node, "skill")) ?? text(get(node, "skill_name")) ?? text(get(node, "value"));
    if (name === undefined) continue;
    const should = boolean(get(node, "should_trigger")) !== false;
    if (should !== (boolean(get(node, "negate")) === true)) label.expect = [...(label.expect ?? []), names.idOf(name)];
    else label.forbidden.push(names.idOf(name));
  }
  return label;
}

/** `contains` and the like do not mind the case of letters there. */
async function graderOf(document: Document, node: Node, context: ReadContext): Promise<GraderSpec[]> {
  const sentence = text(node);
  if (sentence !== undefined) return [{ type: "llm", config: { text: sentence } }];
  const type = text(get(node, "type")) ?? "";
  const weight = number(get(node, "weight"));
  const about = defined({ name: text(get(node, "name")), weight: weight !== undefined && weight > 0 ? weight : undefined });
  const negated = boolean(get(node, "negate")) === true;
  const value = get(node, "value");
  const patterns = patternsOf(type, value === undefined ? undefined : asWritten(value), boolean(get(node, "case_sensitive")) === true);
  if (patterns !== undefined && !(negated && patterns.length > 1))
    return patterns.map((pattern) => ({ ...about, type: negated ? "not_matches" : "matches", config: { value: pattern } }));
  if (type === "is-json" && !negated) return [{ ...about, type: "json_schema", config: { value: {} } }];
  if (type === "llm-grader" || type === "llm-judge") {
    const prompt = await textOrFile(document, get(node, "prompt"), context);
    if (prompt !== undefined && !negated) return [{ ...about, type: "llm", config: { text: prompt } }];
  }
  const rubric = ["criteria", "rubric_items", "rubrics"].flatMap((key) => items(get(node, key)));
  if (/^rubrics?$/.test(type) && rubric.length > 0 && !negated)
    return rubric.flatMap((one) => {
      const outcome = text(one) ?? text(get(one, "outcome")) ?? text(get(one, "description"));
      return outcome === undefined ? [] : [{ ...about, type: "llm", config: { text: outcome } }];
    });
  const own = node.type === "map" ? node.entries.filter(({ key }) => !["type", "name", "weight"].includes(key)) : [];
  return [{ ...about, type, config: Object.fromEntries(own.map(({ key, value: one }) => [key, plain(one)])) }];
}

/** Patterns that must all be found. */
function patternsOf(type: string, value: unknown, isExact: boolean): string[] | undefined {
  const all = (Array.isArray(value) ? value : [value]).flatMap((one) => (typeof one === "string" && one !== "" ? [one] : []));
  const [first] = all;
  if (first === undefined) return undefined;
  const any = isExact ? "" : "(?i)";
  switch (type) {
    case "contains":
    case "icontains":
      return [`${any}${literal(first)}`];
    case "contains-any":
    case "icontains-any":
      return [`${any}${all.map(literal).join("|")}`];
    case "contains-all":
    case "icontains-all":
      return all.map((one) => `${any}${literal(one)}`);
    case "equals":
      return [`^\\s*${literal(first.trim())}\\s*$`];
    case "regex":
      return [first];
    case "starts-with":
      return [`^${literal(first)}`];
    case "ends-with":
      return [`${literal(first)}$`];
    default:
      return undefined;
  }
}

function literal(value: string): string {
  return value.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
