import { basename, dirname, posix, resolve } from "node:path";
import { isWithin, kindAt, type Problem, relativePosix } from "../../base/index.ts";
import type { GraderSpec, Message, Suite } from "../../model/index.ts";
import {
  asWritten,
  boolean,
  type Document,
  get,
  items,
  type MapNode,
  type Node,
  number,
  plain,
  scalar,
  text,
  texts,
} from "../documents/index.ts";
import type { Format, ReadContext } from "../format.ts";
import { expectation, type Label } from "../questions/expect.ts";
import { faultsIn, readFields, readFiles, textOrFile } from "../questions/fields.ts";
import { besideCase, defined, emptySuite, makeCase, makeTrigger } from "../questions/question.ts";
import { suiteProblem } from "../rules.ts";

/**
 * AgentV's `tests` with `input` and `assertions`, in this file or in the one that `tests` names. A `skill-trigger`
 * assertion makes a trigger, any other makes a case. `input` and `assertions` at the top of the file apply to every
 * test.
 */
export const agentv: Format = {
  id: "agentv",
  recognises: ({ root }) => get(root, "tests") !== undefined,
  async read(document, context) {
    const { root } = document;
    const source = await testsOf(document, context);
    const usesInput = items(get(root, "prompts")).every((prompt) =>
      /^\s*\{\{\s*input\s*\}\}\s*$/.test(text(prompt) ?? ""),
    );
    const tests = source?.list.map((item) => (usesInput ? withVars(item) : item)) ?? [];
    const shared = { input: get(root, "input"), assertions: assertionsOf(root) };
    if (source === undefined || !tests.some((item) => isTest(item, shared.assertions))) return null;
    const suite = emptySuite(document.file, agentv.id);
    suite.skill = context.names.owner()?.id;
    suite.problems.push(...workspaceIn(document, root));
    for (const item of tests) await readTest({ document: source.document, item, suite, context, shared });
    if (suite.triggers.length + suite.cases.length === 0) return null;
    source.claim();
    return suite;
  },
};

async function testsOf(document: Document, context: ReadContext) {
  const node = get(document.root, "tests");
  const path = text(node)?.replace(/^file:\/\//, "");
  const maps = (list: Node[]) => list.filter((item): item is MapNode => item.type === "map");
  if (path === undefined) return { document, list: maps(items(node)), claim: () => {} };
  const file = resolve(dirname(document.file), path);
  if (
    !/\.(?:ya?ml|jsonl?|ndjson)$/.test(path) ||
    !isWithin(document.within, file) ||
    kindAt(file, document.within) !== "file"
  )
    return undefined;
  const loaded = await context.load(file);
  if (loaded === undefined) return undefined;
  const list = loaded.root.type === "list" ? loaded.root : get(loaded.root, "tests");
  return { document: loaded, list: maps(items(list)), claim: () => context.claim(file) };
}

/** Later versions keep `input` under `vars`. */
function withVars(item: MapNode): MapNode {
  const vars = get(item, "vars");
  if (vars?.type !== "map" || get(vars, "input") === undefined) return item;
  const inner = vars.entries.filter(({ key }) => key === "input" || key === "expected_output");
  return { ...item, entries: [...item.entries.filter(({ key }) => key !== "vars"), ...inner] };
}

/** promptfoo also has `tests`, but with `vars` and `assert`. */
function isTest(item: MapNode, shared: readonly Node[]): boolean {
  const asks = get(item, "input") !== undefined && get(item, "vars") === undefined;
  const checks = assertionsOf(item).length + shared.length > 0 || text(get(item, "criteria")) !== undefined;
  return asks && checks && get(item, "should_trigger") === undefined;
}

/** Earlier versions call them `assert` or `evaluators`. */
function assertionsOf(item: Node): Node[] {
  return ["assertions", "assert", "evaluators"]
    .flatMap((key) => items(get(item, key)))
    .filter((node) => text(get(node, "type")) !== undefined || text(node) !== undefined);
}

function workspaceIn(document: Document, node: Node): Problem[] {
  const workspace = get(node, "workspace");
  if (workspace === undefined) return [];
  return [
    suiteProblem("suite/ignored-setting", {
      severity: "warning",
      message: "workspace has no effect here: these tests are asked in a workspace without it.",
      fix: "Put what it prepares into `files` of a native case (proctor import writes one).",
      location: document.at(workspace),
    }),
  ];
}

interface TestParts {
  document: Document;
  item: MapNode;
  suite: Suite;
  context: ReadContext;
  shared: { input: Node | undefined; assertions: Node[] };
}

const triggerTypes = /^(?:not-)?(?:skill-trigger|skill-used)$/;

async function readTest({ document, item, suite, context, shared }: TestParts): Promise<void> {
  const said = [...messagesOf(shared.input), ...messagesOf(get(item, "input"))];
  const { prompt, messages } = conversation(said);
  if (prompt === undefined || prompt.trim() === "") return;
  suite.problems.push(...workspaceIn(document, item));
  const system = said.find(({ role }) => role === "system");
  if (system !== undefined)
    suite.problems.push(
      suiteProblem("suite/ignored-setting", {
        message: "A system message has no effect here: agents have their own.",
        fix: "Say it in the prompt.",
        location: document.at(system.at),
      }),
    );
  const assertions = [...assertionsOf(item), ...shared.assertions];
  const triggers = assertions.filter((node) => triggerTypes.test(text(get(node, "type")) ?? ""));
  const fields = readFields(document, item, suite.problems);
  const own = [...(fields.faults ?? [])];
  const files = readFiles(document, stagedFrom(document, said), own);
  suite.problems.push(...own.filter((problem) => !suite.problems.includes(problem)));
  const common = {
    ...fields,
    files: [...fields.files, ...files],
    faults: faultsIn(own),
    messages: [...fields.messages, ...messages],
    source: document.at(item),
  };
  const graders: GraderSpec[] = [];
  const criteria = text(get(item, "criteria"));
  for (const node of assertions.filter((one) => !triggers.includes(one)))
    graders.push(...(await graderOf(node, { document, criteria, context })));
  // AgentV judges a test without assertions by its criteria.
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
    expected === undefined
      ? undefined
      : (text(expected) ?? messagesOf(expected).at(-1)?.content ?? JSON.stringify(plain(expected)));
  if (graders.length > 0)
    suite.cases.push(makeCase({ ...common, skill: suite.skill, prompt, expectedOutput, graders }));
}

interface SaidMessage {
  role: string;
  content: string;
  files: string[];
  at: Node;
}

function messagesOf(node: Node | undefined): SaidMessage[] {
  const whole = text(node);
  if (node !== undefined && whole !== undefined) return [{ role: "user", content: whole, files: [], at: node }];
  return items(node).flatMap((one): SaidMessage[] => {
    const role = text(get(one, "role"));
    if (role === undefined) return [];
    const parts = items(get(one, "content"));
    const isFile = (part: Node) => text(get(part, "type")) === "file";
    const words = parts
      .filter((part) => !isFile(part))
      .flatMap((part) => text(get(part, "value")) ?? text(get(part, "text")) ?? []);
    const files = parts.filter(isFile).flatMap((part) => text(get(part, "value")) ?? text(get(part, "path")) ?? []);
    return [{ role, content: text(get(one, "content")) ?? words.join("\n"), files, at: one }];
  });
}

function conversation(said: readonly SaidMessage[]): { prompt?: string; messages: Message[] } {
  const all = said.flatMap(({ role, content }): Message[] =>
    content !== "" && (role === "user" || role === "assistant") ? [{ role, content }] : [],
  );
  const at = all.findLastIndex(({ role }) => role === "user");
  return defined({ prompt: all[at]?.content, messages: all.slice(0, Math.max(at, 0)) });
}

function stagedFrom({ file, within }: Document, said: readonly SaidMessage[]): Node | undefined {
  const found = said.flatMap(({ files, at }) => files.map((path) => ({ path, at })));
  if (found.length === 0) return undefined;
  const items = found.map(({ path, at }): Node => {
    const bare = path.replace(/^file:\/\//, "").replace(/^\/+/, "");
    const beside = resolve(dirname(file), bare);
    const from = kindAt(beside, within) === "file" ? beside : resolve(within, bare);
    const place = isWithin(within, from) ? relativePosix(dirname(file), from) : path;
    const to = bare.startsWith("..") ? basename(bare) : posix.normalize(bare);
    const entries = Object.entries({ path: to, from: place }).map(([key, value]) => ({
      key,
      start: at.start,
      value: scalar(value, at.start, at.end),
    }));
    return { type: "map", start: at.start, end: at.end, entries };
  });
  return { type: "list", start: items[0]?.start ?? 0, end: items.at(-1)?.end ?? 0, items };
}

function labelOf(nodes: readonly Node[], { names }: ReadContext): Label {
  const label: Label = { forbidden: [], alsoFine: [] };
  for (const node of nodes) {
    const one = text(get(node, "skill")) ?? text(get(node, "skill_name"));
    const all = (one === undefined ? texts(get(node, "value")) : [one]).map(names.idOf);
    const isNot = boolean(get(node, "negate")) === true || /^not-/.test(text(get(node, "type")) ?? "");
    const should = boolean(get(node, "should_trigger")) !== false;
    if (should !== isNot) label.expect = [...(label.expect ?? []), ...all];
    else label.forbidden.push(...all);
  }
  return label;
}

/** AgentV's `contains` and its variants ignore case unless `case_sensitive` is set. */
async function graderOf(
  node: Node,
  { document, criteria, context }: { document: Document; criteria: string | undefined; context: ReadContext },
): Promise<GraderSpec[]> {
  const sentence = text(node);
  if (sentence !== undefined) return [{ type: "llm", config: { text: sentence } }];
  const written = text(get(node, "type")) ?? "";
  const type = written.replace(/^not-/, "");
  const weight = number(get(node, "weight"));
  const about = defined({
    name: text(get(node, "name")),
    weight: weight !== undefined && weight > 0 ? weight : undefined,
  });
  const negated = (boolean(get(node, "negate")) === true) !== (type !== written);
  const value = get(node, "value");
  const patterns = patternsOf(
    type,
    value === undefined ? undefined : asWritten(value),
    boolean(get(node, "case_sensitive")) === true,
  );
  if (patterns !== undefined && !(negated && patterns.length > 1))
    return patterns.map((pattern) => ({
      ...about,
      type: negated ? "not_matches" : "matches",
      config: { value: pattern },
    }));
  if (type === "is-json" && !negated) return [{ ...about, type: "json_schema", config: { value: {} } }];
  if (/^llm-(?:grader|judge|rubric)$/.test(type)) {
    const prompt = (await textOrFile(document, get(node, "prompt") ?? value, context)) ?? criteria;
    if (prompt !== undefined && !negated) return [{ ...about, type: "llm", config: { text: prompt } }];
  }
  const rubric = ["criteria", "rubric_items", "rubrics"].flatMap((key) => {
    const held = get(node, key);
    return held !== undefined && text(held) !== undefined ? [held] : items(held);
  });
  if (/^rubrics?$/.test(type) && rubric.length > 0 && !negated)
    return rubric.flatMap((one) => {
      const outcome = text(one) ?? text(get(one, "outcome")) ?? text(get(one, "description"));
      return outcome === undefined ? [] : [{ ...about, type: "llm", config: { text: outcome } }];
    });
  const limits = limitsOf(type, node);
  if (limits !== undefined && !negated) return [{ ...about, type: "behavior", config: limits }];
  const actions = actionsOf(type, node);
  if (actions !== undefined && !negated) return [{ ...about, type: "action_sequence", config: actions }];
  const own = node.type === "map" ? node.entries.filter(({ key }) => !["type", "name", "weight"].includes(key)) : [];
  return [{ ...about, type: written, config: Object.fromEntries(own.map(({ key, value: one }) => [key, plain(one)])) }];
}

function limitsOf(type: string, node: Node): Record<string, number> | undefined {
  if (node.type !== "map" || !/^(?:latency|token-usage|execution-metrics)$/.test(type)) return undefined;
  const same: Record<string, string> = {
    max_ms: "max_duration_ms",
    max_total_tokens: "max_tokens",
    threshold: type === "latency" ? "max_duration_ms" : "max_tokens",
  };
  const said = node.entries.filter(({ key }) => !["type", "name", "weight", "required"].includes(key));
  const limits = said.flatMap(({ key, value }) => {
    const [name, most] = [same[key] ?? key, number(value)];
    return /^max_(?:tool_calls|tokens|duration_ms)$/.test(name) && most !== undefined ? [[name, most] as const] : [];
  });
  return limits.length > 0 && limits.length === said.length ? Object.fromEntries(limits) : undefined;
}

function actionsOf(type: string, node: Node): unknown {
  const mode = text(get(node, "mode"));
  const calls = items(get(node, "expected"));
  const tools = calls.flatMap((call) => text(get(call, "tool")) ?? []);
  const isPlain = calls.every(
    (call) => call.type === "map" && call.entries.every(({ key, value }) => key === "tool" || text(value) === "any"),
  );
  if (type !== "tool-trajectory" || tools.length === 0 || !isPlain || (mode !== "in_order" && mode !== "exact"))
    return undefined;
  return { matching_mode: mode === "exact" ? "exact_match" : "in_order_match", expected_actions: tools };
}

function patternsOf(type: string, value: unknown, isExact: boolean): string[] | undefined {
  const all = (Array.isArray(value) ? value : [value]).flatMap((one) =>
    typeof one === "string" && one !== "" ? [one] : [],
  );
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
