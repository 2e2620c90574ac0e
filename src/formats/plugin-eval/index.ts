import { basename, dirname, join } from "node:path";
import { isTaken, listFolder, type Problem } from "../../base/index.ts";
import type { NamesNear } from "../../exam/find/index.ts";
import type { GraderSpec, Skill, Suite } from "../../model/index.ts";
import {
  boolean,
  type Document,
  get,
  items,
  loadText,
  type Node,
  number,
  pageOf,
  parseDocument,
  plain,
  text,
  texts,
  word,
} from "../documents/index.ts";
import type { Format, ReadContext } from "../format.ts";
import { expectation, type Label } from "../questions/expect.ts";
import { positiveNumber, runsOf } from "../questions/fields.ts";
import { unknownKeys } from "../questions/native.ts";
import { besideCase, defined, emptySuite, makeCase, makeTrigger } from "../questions/question.ts";
import { suiteProblem } from "../rules.ts";

/**
 * Cases of `claude plugin eval`: folders with prompt.md and a file per grader in graders/, or with a case.yaml that
 * holds both. If a folder has all of them, prompt.md and graders/ add to case.yaml. A grader that counts calls of the
 * Skill tool makes a trigger.
 */
export const pluginEval: Format = {
  id: "plugin-eval",
  files: (path) => /(?:^|[\\/])(?:prompt\.md|case\.ya?ml)$/.test(path),
  recognises: isCase,
  async read(document, context) {
    const suite = emptySuite(document.file, pluginEval.id);
    const folder = dirname(document.file);
    const yaml = document.syntax === "yaml" ? document : undefined;
    const page = yaml === undefined ? document : await loadIfThere(join(folder, "prompt.md"), context);
    const parts = [
      ...(yaml === undefined ? [] : partsOfYaml(yaml, suite.problems)),
      ...(page === undefined ? [] : partsOfPage(page, suite.problems)),
    ];
    const graders = [
      ...(yaml === undefined ? [] : items(get(yaml.root, "graders")).map((node) => ({ at: yaml, node }))),
      ...(await graderPages(folder, context)),
    ];
    await readCase({ suite, parts, graders, document, names: context.names });
    return suite;
  },
  findProblems: (files, { names, read }) =>
    gradersAlone(
      files.filter((file) => !read.has(file)),
      names.library.root,
    ),
};

function gradersAlone(files: readonly string[], root: string): Problem[] {
  const folders = new Map<string, string>();
  for (const file of files) {
    const folder = dirname(dirname(file));
    const isGrader = basename(dirname(file)) === "graders" && file.endsWith(".md") && !folders.has(folder);
    if (isGrader && !isTaken(join(folder, "prompt.md")) && hasType(file, root)) folders.set(folder, file);
  }
  return [...folders].map(([folder, file]) =>
    suiteProblem("suite/not-read", {
      message: `The folder ${basename(folder)} has graders but no prompt, so nothing is asked.`,
      fix: "Write what a user would say into prompt.md beside the folder graders, or delete the folder.",
      location: { file },
    }),
  );
}

function hasType(file: string, root: string): boolean {
  const content = loadText(file, root);
  const { document } = "text" in content ? parseDocument(file, content.text) : {};
  return document !== undefined && get(pageOf(document).header?.root, "type") !== undefined;
}

/** prompt.md is a common name; only a graders folder beside it makes it a case. */
function isCase({ file, syntax, root }: Document): boolean {
  if (syntax === "markdown") return basename(file) === "prompt.md" && isTaken(join(dirname(file), "graders"));
  return (
    /^case\.ya?ml$/.test(basename(file)) &&
    (get(root, "execution") !== undefined || get(root, "schema_version") !== undefined)
  );
}

async function loadIfThere(file: string, context: ReadContext): Promise<Document | undefined> {
  if (!isTaken(file)) return undefined;
  context.claim(file);
  return context.load(file);
}

interface GraderPart {
  at: Document;
  node: Node;
  name?: string;
  body?: string;
}

async function graderPages(folder: string, context: ReadContext): Promise<GraderPart[]> {
  const parts: GraderPart[] = [];
  const names = listFolder(join(folder, "graders"))
    .map(({ name }) => name)
    .filter((name) => name.endsWith(".md"));
  for (const name of names.sort()) {
    const loaded = await loadIfThere(join(folder, "graders", name), context);
    const page = loaded === undefined ? undefined : pageOf(loaded);
    // A page without front matter is a note, or belongs to another tool.
    if (page?.header !== undefined)
      parts.push({ at: page.header, node: page.header.root, name: basename(name, ".md"), body: page.body });
  }
  return parts;
}

/**
 * Settings from one source; later sources win. `top` holds the name, tags and runs, `execution` the model and limits.
 */
interface CasePart {
  at: Document;
  top: Node;
  execution: Node | undefined;
  prompt?: { text: string; start: number };
}

const topKeys = ["schema_version", "name", "description", "tags", "plugins", "runs", "expected_outcome"];
// biome-ignore format: a list of words
const executionKeys = [
  "model", "max_turns", "timeout_seconds", "allowed_tools", "disallowed_tools", "artifact_publish", "growthbook_overrides", "append_system_prompt", "env",
];
const unheard = ["scaffold_script", "history_file", "add_dirs", "append_system_prompt", "env"];

function partsOfYaml(document: Document, problems: Problem[]): CasePart[] {
  const { root } = document;
  const execution = get(root, "execution");
  const context = get(root, "context");
  problems.push(...unknownKeys(document, root, { known: new Set([...topKeys, "context", "execution", "graders"]) }));
  problems.push(...unknownKeys(document, execution, { known: new Set([...executionKeys, "prompt"]) }));
  problems.push(...ignored(document, context), ...ignored(document, execution));
  const at = get(execution, "prompt");
  const prompt = text(at);
  return [
    {
      at: document,
      top: root,
      execution,
      prompt: prompt === undefined ? undefined : { text: prompt, start: at?.start ?? 0 },
    },
  ].map(defined);
}

function partsOfPage(document: Document, problems: Problem[]): CasePart[] {
  const { header, body, start, problems: wrong } = pageOf(document);
  problems.push(...wrong);
  const root: Node = header?.root ?? { type: "map", start: 0, end: 0, entries: [] };
  if (header !== undefined)
    problems.push(...unknownKeys(header, root, { known: new Set([...topKeys, ...executionKeys]) }));
  if (header !== undefined) problems.push(...ignored(header, root));
  return [
    defined({
      at: header ?? document,
      top: root,
      execution: root,
      prompt: body === "" ? undefined : { text: body, start },
    }),
  ];
}

function ignored(document: Document, node: Node | undefined): Problem[] {
  if (node?.type !== "map") return [];
  return node.entries
    .filter(({ key, value }) => unheard.includes(key) && !(value.type === "list" && value.items.length === 0))
    .map(({ key, start }) =>
      suiteProblem("suite/ignored-setting", {
        severity: "warning",
        message: `${key} has no effect here: this case is asked in a workspace without it.`,
        fix: "Put what it prepares into `files` of a native case (proctor import writes one).",
        location: document.at(start),
      }),
    );
}

interface CaseParts {
  suite: Suite;
  parts: CasePart[];
  graders: GraderPart[];
  document: Document;
  names: NamesNear;
}

async function readCase({ suite, parts, graders, document, names }: CaseParts): Promise<void> {
  const prompted = parts.findLast(({ prompt }) => prompt !== undefined && prompt.text.trim() !== "");
  const prompt = prompted?.prompt;
  if (prompted === undefined || prompt === undefined) {
    suite.problems.unshift(
      suiteProblem("suite/invalid", {
        message: "This case has no prompt.",
        fix: "Write it into prompt.md, or into `execution.prompt` of case.yaml.",
        location: document.at(0),
      }),
    );
    return;
  }
  const top = (key: string) => parts.map((part) => get(part.top, key)).findLast((node) => node !== undefined);
  const execution = (key: string) =>
    parts.map((part) => get(part.execution, key)).findLast((node) => node !== undefined);
  const name = word(top("name")) ?? basename(dirname(document.file));
  const limits = defined({
    maxTurns: positiveNumber(execution("max_turns")),
    timeoutSeconds: positiveNumber(execution("timeout_seconds")),
  });
  const common = {
    id: name,
    tags: texts(top("tags")),
    runs: runsOf(document, top("runs"), suite.problems),
    limits,
    source: prompted.at.at(prompt.start),
  };
  const read = await Promise.all(graders.map((part) => readGrader(part, names, suite.problems)));
  const labels = read.flatMap((one) => ("label" in one ? [one.label] : []));
  const specs = read.flatMap((one) => ("spec" in one ? [one.spec] : []));
  const label = merged(labels);
  const [only, ...others] = new Set([...(label?.expect ?? []), ...(label?.forbidden ?? [])]);
  const owner = (others.length === 0 ? only : undefined) ?? label?.expect?.[0] ?? names.owner()?.id;
  const id = specs.length > 0 ? besideCase(name) : name;
  if (label !== undefined)
    suite.triggers.push(makeTrigger({ ...common, id, skill: owner, query: prompt.text, expect: expectation(label) }));
  const model = text(execution("model"));
  const models = model === undefined ? [] : [model];
  const expectedOutput = text(top("expected_outcome"));
  if (specs.length > 0 || labels.length === 0)
    suite.cases.push(
      makeCase({ ...common, name, skill: owner, prompt: prompt.text, models, expectedOutput, graders: specs }),
    );
}

function merged(labels: readonly Partial<Label>[]): Partial<Label> | undefined {
  if (labels.length === 0) return undefined;
  const all = (key: "expect" | "forbidden" | "alsoFine") => [...new Set(labels.flatMap((label) => label[key] ?? []))];
  const expect = all("expect");
  const nobody = labels.some((label) => label.nobody !== undefined) ? ("stated" as const) : undefined;
  return defined({
    expect: expect.length > 0 ? expect : undefined,
    forbidden: all("forbidden"),
    alsoFine: all("alsoFine"),
    nobody,
  });
}

type ReadGrader = { label: Partial<Label> } | { spec: GraderSpec } | { unclear: true };

async function readGrader(
  { at, node, name, body }: GraderPart,
  names: NamesNear,
  problems: Problem[],
): Promise<ReadGrader> {
  const type = text(get(node, "type")) ?? "";
  const called = text(get(node, "name")) ?? name;
  const weight = positiveNumber(get(node, "weight"));
  const own = (key: string) => text(get(node, key)) ?? (body === "" ? undefined : body);
  const spec = (own: string, config: unknown): ReadGrader => ({
    spec: defined({ type: own, name: called, weight, config }),
  });
  const unclear = (message: string): ReadGrader => {
    problems.push(
      suiteProblem("suite/not-understood", {
        message: `The grader ${called ?? type} is not used: ${message}`,
        fix: "The other graders of the case decide. docs/suites.md lists what can be checked.",
        location: at.at(node),
      }),
    );
    return { unclear: true };
  };
  if (/^TODO: describe what/.test(own("criteria") ?? own("pattern") ?? ""))
    return unclear("it is still a placeholder.");
  switch (type) {
    case "llm":
      return spec("llm", { text: own("criteria") ?? "" });
    case "regex":
      return (
        regex(node, own("pattern") ?? "", spec) ??
        unclear("it looks at something other than the reply or one file, or counts.")
      );
    case "file_exists":
      return spec(boolean(get(node, "exists")) === false ? "file_absent" : "file_exists", {
        path: text(get(node, "path")),
      });
    case "tool_used":
      if (text(get(node, "tool")) === "Skill") return skillCalls(node, { document: at, names, problems });
      return toolCalls(node, spec) ?? unclear("calls with a certain input are not counted.");
    case "tool_order":
      return toolOrder(node, spec) ?? unclear("the order of calls with a certain input is not checked.");
    case "":
      return unclear("it has no `type`.");
  }
  const config =
    node.type === "map" ? node.entries.filter(({ key }) => !["type", "name", "weight", "arm"].includes(key)) : [];
  return spec(type, Object.fromEntries(config.map(({ key, value }) => [key, plain(value)])));
}

type MakeSpec = (type: string, config: unknown) => ReadGrader;

function regex(node: Node, pattern: string, spec: MakeSpec): ReadGrader | undefined {
  const flags = (text(get(node, "flags")) ?? "").replaceAll(/[^ims]/g, "");
  const target = get(node, "target");
  const path = text(get(target, "path"));
  const how = text(get(node, "match")) ?? "contains";
  if (/^count:[^0]/.test(how)) return undefined;
  // Files are searched line by line by default; this format does so only with the flag m.
  if (path !== undefined) {
    const value = `(?${flags}${flags.includes("m") ? "" : "-m"})${pattern}`;
    return spec(how === "contains" ? "regex" : "not_regex", { path, pattern: value });
  }
  if (target !== undefined && text(target) !== "last_message") return undefined;
  return spec(how === "contains" ? "matches" : "not_matches", {
    value: flags === "" ? pattern : `(?${flags})${pattern}`,
  });
}

function toolCalls(node: Node, spec: MakeSpec): ReadGrader | undefined {
  const [tool, input] = [text(get(node, "tool")), text(get(node, "input_match"))];
  const [least = 1, most] = [number(get(node, "min")), number(get(node, "max"))];
  if (tool === undefined) return undefined;
  if (most === 0 && input === undefined) return spec("behavior", { forbidden_tools: [tool] });
  if (least !== 1 || most !== undefined) return undefined;
  return spec("tool_call", defined({ tool: `^${literal(tool)}$`, pattern: input }));
}

function toolOrder(node: Node, spec: MakeSpec): ReadGrader | undefined {
  const names = ["before", "after"].flatMap((key) => {
    const side = get(node, key);
    return get(side, "input_match") === undefined ? (text(side) ?? text(get(side, "tool")) ?? []) : [];
  });
  return names.length === 2
    ? spec("action_sequence", { matching_mode: "in_order_match", expected_actions: names })
    : undefined;
}

function literal(value: string): string {
  return value.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

async function skillCalls(
  node: Node,
  { document, names, problems }: { document: Document; names: NamesNear; problems: Problem[] },
): Promise<ReadGrader> {
  const [least = 1, most] = [number(get(node, "min")), number(get(node, "max"))];
  const pattern = text(get(node, "input_match"));
  const unclear = (message: string, fix: string): ReadGrader => {
    problems.push(suiteProblem("suite/not-understood", { message, fix, location: document.at(node) }));
    return { unclear: true };
  };
  if (least === 0 && most !== 0)
    return unclear(
      "A skill that may be called but need not be says nothing about its activation.",
      "Set `min: 1`, or `max: 0`.",
    );
  const skills = pattern === undefined ? [] : await skillsLike(pattern, names.library.skills);
  if (most === 0)
    return { label: pattern === undefined ? { nobody: "stated" } : { forbidden: skills.map(({ id }) => id) } };
  const [only, second] = names.library.skills;
  const [main, ...others] = pattern === undefined && second === undefined && only !== undefined ? [only] : skills;
  if (main !== undefined) return { label: { expect: [main.id], alsoFine: others.map(({ id }) => id) } };
  return pattern === undefined
    ? unclear(
        "Any skill may fire here, and the library has several: nothing says which one should.",
        "Add `input_match` with the name of the skill.",
      )
    : unclear(`No skill in the library matches /${pattern}/.`, "Correct `input_match`.");
}

async function skillsLike(pattern: string, skills: readonly Skill[]): Promise<Skill[]> {
  const { RE2JS } = await import("re2js");
  let matches: (input: string) => boolean;
  try {
    const compiled = RE2JS.compile(pattern);
    matches = (input) => compiled.matcher(input).find();
  } catch {
    return [];
  }
  const called = ({ name, source }: Skill) => [
    name,
    ...(source.plugin === undefined ? [] : [`${source.plugin}:${name}`]),
  ];
  const inputs = (skill: Skill) =>
    called(skill).flatMap((name) => [JSON.stringify({ skill: name }), `{"skill": ${JSON.stringify(name)}}`]);
  const isNamed = ({ name }: Skill) => pattern.split(/[^\w-]+/).includes(name);
  return skills
    .filter((skill) => inputs(skill).some(matches))
    .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)) || a.name.length - b.name.length);
}
