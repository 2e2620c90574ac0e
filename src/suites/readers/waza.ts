import { dirname, resolve } from "node:path";
import { didYouMean, isWithin, kindAt, type Problem } from "../../base/index.ts";
import { checkSkillInvocation, type GraderSpec, noteText, type SkillInvocation } from "../../graders/index.ts";
import type { Library } from "../../skills/index.ts";
import { boolean, type Document, get, isNull, items, type MapNode, type Node, plain, text, texts } from "../documents/index.ts";
import { type NamesNear, namesNear } from "../names.ts";
import { expectation } from "../questions/expect.ts";
import { faultsIn, positiveNumber, readFields, readFiles, runsOf } from "../questions/fields.ts";
import { defined, emptySuite, makeCase, makeTrigger } from "../questions/question.ts";
import { patternIn } from "../questions/staged-folders.ts";
import { suiteProblem } from "../rules.ts";
import type { Suite } from "../suite.ts";
import { graderOf, listOf, responderOf } from "./cases.ts";
import type { ReadContext, Reader } from "./reader.ts";
import { fillTemplate, fixtureFolders, fixturesOf, promptIn, varsIn } from "./waza-inputs.ts";

/** waza's eval.yaml with its task files. */
export const waza: Reader = {
  id: "waza",
  async read(document, context) {
    const { root } = document;
    const tasks = get(root, "tasks");
    const from = get(root, "tasks_from");
    if (root.type !== "map" || (!isGlobs(tasks) && text(from) === undefined)) return null;
    if (get(root, "config") === undefined && get(root, "skill") === undefined && get(root, "graders") === undefined) return null;
    const suite = emptySuite(document.file, waza.id);
    const owner = text(get(root, "skill")) ?? context.names.owner()?.id;
    suite.skill = owner === undefined ? undefined : context.names.idOf(owner);
    readConfig(document, get(root, "config"), suite, context.names.library);
    suite.problems.push(
      ...unknownIn(document, root, EVAL_KEYS, "an eval.yaml"),
      ...unknownIn(document, get(root, "config"), CONFIG_KEYS, "config"),
    );
    const shared = items(get(root, "graders")).flatMap(graderOf);
    const vars = varsIn(get(root, "inputs"));
    for (const { at, map, row } of await taskMaps(document, suite.problems, context))
      readTask(at, map, { shared, suite, names: namesNear(context.names.library, at.file), vars: { ...vars, ...row } });
    return suite;
  },
};

/** What waza's files may say; what of it has no effect here is named when it is used. */
const EVAL_KEYS = new Set(
  "name description skill version config hooks inputs tasks_from range graders metrics tasks baseline schemaVersion scenario mcp_mocks command_mocks adversarial tags schema_version instructions defaults requirements".split(
    " ",
  ),
);
const TASK_KEYS = new Set(
  "id name description enabled tags inputs prompt expected graders context_dir timeout_seconds golden skill_directories instruction_files checkpoints requirements command_mocks hooks max_turns runs skip split notes files messages max_attempts mcp_servers category difficulty responder".split(
    " ",
  ),
);
const INPUT_KEYS = new Set("prompt prompt_file context files environment repos workdir follow_up_prompts follow_ups responder".split(" "));
const EXPECTED_KEYS = new Set(
  "outcomes tool_calls behavior output_contains output_not_contains output_contains_any matches should_trigger files".split(" "),
);

// biome-ignore format: a list of words
const CONFIG_KEYS = new Set([
  "trials_per_task", "timeout_seconds", "parallel", "workers", "fail_fast", "verbose", "executor", "model", "models", "judge_model", "judge", "skill_directories",
  "required_skills", "mcp_servers", "max_attempts", "group_by", "inject_skill_body", "instruction_files", "disabled_skills", "agent", "system_prompt", "max_turns",
  "reasoning_effort", "sandbox", "env", "otel", "trigger_skill_routing", "first_event_timeout_seconds", "judge_reasoning_effort",
]);

/** Settings that change what is asked or checked in waza, and nothing here: each is named, none is dropped in silence. */
const NOT_HONOURED: Record<string, string> = {
  hooks: "Nothing of a suite runs outside the sandbox: write `setup`, which runs in the workspace.",
  mcp_mocks: "No server is started for a trial.",
  mcp_servers: "No server is started for a trial.",
  command_mocks: "Stage a script with `files`, and name it in the prompt.",
  max_attempts: "Asking until it passes would hide that it failed: `trials_per_task` asks several times, and the rate counts them all.",
  environment: "A trial's environment is built from an allow-list: put the values into a file of the workspace.",
  instruction_files: "Instructions beside the skill would become part of the exam.",
  checkpoints: "The graders see the whole trial.",
  adversarial: "Write its prompts as tasks.",
  scenario: "Only tasks are read.",
  range: "Choose tasks with --case or --tag.",
  workdir: "The examinee starts in the workspace's root.",
  env: "A trial's environment is built from an allow-list: put the values into a file of the workspace.",
  system_prompt: "The agent is examined as its users have it: write what it must know into the prompt.",
  agent: "Only skills are examined.",
  disabled_skills: "Every skill of the library is there; --only-skill stages the one under test alone.",
  trigger_skill_routing: "Told to use skills, an examinee would show obedience, not what the description does.",
  reasoning_effort: "Choose it with the target, where its CLI has such a setting.",
  first_event_timeout_seconds: "`timeout_seconds` is the limit of the whole trial.",
  baseline: "`proctor run --baseline` asks each case also without its skill.",
  metrics: "`proctor run --gate 'score>=0.8'` fails where a rate is too low.",
};

/** Where the fix is a flag and the exam itself is the same. */
const ONLY_SAID = new Set(["baseline", "metrics"]);

function unhonoured(document: Document, map: Node | undefined): Problem[] {
  if (map?.type !== "map") return [];
  return map.entries.flatMap(({ key, start, value }) => {
    const fix = NOT_HONOURED[key];
    if (fix === undefined || isNull(value) || boolean(value) === false || (value.type !== "scalar" && isNothing(value))) return [];
    return suiteProblem("suite/ignored-setting", {
      severity: ONLY_SAID.has(key) ? "info" : "warning",
      message: `${key} has no effect here.`,
      fix,
      location: document.at(start),
    });
  });
}

function isNothing(node: Node): boolean {
  return (node.type === "map" && node.entries.length === 0) || (node.type === "list" && node.items.length === 0);
}

function unknownIn(document: Document, map: Node | undefined, known: ReadonlySet<string>, where: string): Problem[] {
  if (map?.type !== "map") return [];
  const unknown = map.entries.filter(({ key }) => !known.has(key) && !/^[$_]|^x-/.test(key));
  return [
    ...unhonoured(document, map),
    ...unknown.map(({ key, start }) =>
      suiteProblem("suite/unknown-field", {
        message: `"${key}" is not a field of ${where} and has no effect.`,
        fix: didYouMean(key, known, "Delete it.", { most: 1, show: (one) => `\`${one}\`` }),
        location: document.at(start),
      }),
    ),
  ];
}

function isGlobs(node: Node | undefined): boolean {
  return node?.type === "list" && node.items.length > 0 && node.items.every((item) => text(item) !== undefined);
}

function readConfig(document: Document, config: Node | undefined, suite: Suite, library: Library): void {
  suite.defaults = {
    runs: runsOf(document, get(config, "trials_per_task"), suite.problems),
    timeoutSeconds: positiveNumber(get(config, "timeout_seconds")),
    model: text(get(config, "model")),
    judgeModel: text(get(config, "judge_model")),
  };
  const listed = get(config, "skill_directories");
  for (const folder of texts(listed)) {
    const path = resolve(dirname(document.file), folder);
    if (library.skills.some((skill) => isWithin(path, skill.dir))) continue;
    suite.problems.push(
      suiteProblem("suite/ignored-setting", {
        message: `skill_directories names ${folder}, and no skill of the library is in there: its skills do not compete in this exam.`,
        fix: "Put a proctor.config.yaml into a folder above both, which then becomes the library's root.",
        severity: "warning",
        location: document.at(listed),
      }),
    );
  }
  const injected = get(config, "inject_skill_body");
  if (injected !== undefined && boolean(injected) !== false) {
    suite.problems.push(
      suiteProblem("suite/ignored-setting", {
        message: "inject_skill_body is ignored: with the body in the prompt, nothing would show whether the skill is activated.",
        location: document.at(injected),
      }),
    );
  }
}

interface TaskMap {
  at: Document;
  map: MapNode;
  /** The columns of a `tasks_from` row. */
  row?: Record<string, string>;
}

async function taskMaps(document: Document, problems: Problem[], context: ReadContext): Promise<TaskMap[]> {
  const folder = dirname(document.file);
  const root = context.names.library.root;
  const patterns = texts(get(document.root, "tasks"));
  const outside = (path: string) => !isWithin(root, resolve(folder, path));
  const leaving = patterns.filter(outside);
  for (const pattern of leaving) {
    problems.push(
      suiteProblem("suite/file-escapes", {
        message: `tasks "${pattern}" points outside the library's folder and is not read.`,
        fix: "Keep task files next to eval.yaml.",
        location: document.at(get(document.root, "tasks")),
      }),
    );
  }
  const wanted = patterns.filter((pattern) => !outside(pattern));
  const files = wanted.length === 0 ? [] : await filesLike(wanted, folder, root);
  if (wanted.length > 0 && files.length === 0) {
    problems.push(
      suiteProblem("suite/missing-file", {
        message: `No task file matches ${wanted.join(", ")}, so this eval asks nothing.`,
        fix: "Add task files, or correct `tasks`.",
        location: document.at(get(document.root, "tasks")),
      }),
    );
  }
  const from = text(get(document.root, "tasks_from"));
  if (from !== undefined && !outside(from)) files.push(resolve(folder, from));
  const maps: TaskMap[] = [];
  for (const file of files.map((path) => resolve(path)).sort()) {
    context.claim(file);
    const loaded = await context.load(file);
    if (loaded === undefined) continue;
    const nodes =
      loaded.root.type === "list"
        ? loaded.root.items
        : items(get(loaded.root, "tasks")).length > 0
          ? items(get(loaded.root, "tasks"))
          : [loaded.root];
    const isTable = loaded.syntax === "csv";
    for (const map of nodes) if (map.type === "map") maps.push(isTable ? { at: loaded, map, row: varsIn(map) } : { at: loaded, map });
  }
  return maps;
}

interface TaskContext {
  shared: GraderSpec[];
  suite: Suite;
  names: NamesNear;
  vars: Record<string, string>;
}

function readTask(document: Document, task: MapNode, { shared, suite, names, vars }: TaskContext): void {
  const { problems } = suite;
  const inputs = get(task, "inputs");
  if (document.syntax !== "csv") problems.push(...unknownIn(document, task, TASK_KEYS, "a task"));
  problems.push(
    ...unknownIn(document, inputs, INPUT_KEYS, "a task's inputs"),
    ...unknownIn(document, get(task, "expected"), EXPECTED_KEYS, "expected"),
  );
  const written = promptIn(document, task, problems);
  if (written === undefined || written.trim() === "") {
    problems.push(
      suiteProblem("suite/invalid", {
        message: "This task has no prompt.",
        fix: "Add `inputs: { prompt: … }`.",
        location: document.at(task),
      }),
    );
    return;
  }
  const name = text(get(task, "name"));
  const values = { vars: { ...vars, ...varsIn(get(inputs, "context")) }, taskName: name ?? text(get(task, "id")) ?? "" };
  const filled = (text: string) =>
    fillTemplate(text, values, (variable) =>
      problems.push(
        suiteProblem("suite/template-missing", {
          message: `${variable} has no value, so this question cannot be asked as intended.`,
          fix: "Give it under `inputs` in eval.yaml, or as a column of tasks_from.",
          location: document.at(task),
        }),
      ),
    );
  const prompt = filled(written);
  const folders = get(task, "skill_directories");
  if (texts(folders).length > 0)
    problems.push(
      suiteProblem("suite/ignored-setting", {
        severity: "warning",
        message: "skill_directories has no effect here.",
        fix: "A task is asked with the whole library; --only-skill stages the one under test alone.",
        location: document.at(folders),
      }),
    );
  const own = items(get(task, "graders")).flatMap(graderOf);
  const graders = [...shared, ...own, ...expectedGraders(get(task, "expected"))];
  const { files: _files, ...fields } = readFields(document, withoutFiles(task), problems);
  const faults = [...(fields.faults ?? [])];
  const fixtures = [
    ...fixturesOf(document, task, fixtureFolders(suite.file, document, task), faults),
    ...readFiles(document, get(task, "files"), faults),
  ];
  problems.push(...faults.filter((problem) => !problems.includes(problem)));
  const golden = boolean(get(task, "golden")) === true ? ["golden"] : [];
  const common = {
    ...fields,
    tags: [...fields.tags, ...golden],
    files: fixtures.map((file) => ("content" in file ? { ...file, content: filled(file.content) } : file)),
    faults: faultsIn(faults),
    skip: boolean(get(task, "enabled")) === false ? "enabled: false in its task file" : fields.skip,
    skill: suite.skill,
    source: document.at(task),
  };
  const should = boolean(get(get(task, "expected"), "should_trigger"));
  const invocation = graders.length > 0 && graders.every((grader) => grader.type === "skill_invocation");
  if (invocation) {
    for (const node of items(get(task, "graders"))) suite.problems.push(...checkInvocation(document, node));
    for (const grader of graders)
      suite.triggers.push(
        makeTrigger({
          ...common,
          id: graders.length > 1 && grader.name !== undefined && common.id !== undefined ? `${common.id}/${grader.name}` : common.id,
          query: prompt,
          expect: writtenExpect(grader.config, names),
        }),
      );
    return;
  }
  if (should !== undefined && suite.skill !== undefined) {
    suite.triggers.push(makeTrigger({ ...common, query: prompt, expect: expectation({ skill: suite.skill, shouldTrigger: should }) }));
  }
  if (graders.length > 0 || should === undefined) {
    const followUps = (listOf(get(inputs, "follow_up_prompts")) ?? listOf(get(inputs, "follow_ups")))?.map(filled);
    suite.cases.push(makeCase({ ...common, name, prompt, graders, followUps, responder: responderOf(get(inputs, "responder")) }));
  }
}

/** They are read where waza looks for them. */
function withoutFiles(task: MapNode): MapNode {
  return { ...task, entries: task.entries.filter(({ key }) => key !== "files") };
}

/** What is wrong with a skill_invocation grader: all that waza's own validation reports, and more. */
function checkInvocation(document: Document, node: Node): Problem[] {
  const [spec] = graderOf(node);
  if (spec === undefined) return [];
  const checked = checkSkillInvocation(spec.config);
  const report = (severity: "error" | "info", note: Parameters<typeof noteText>[0]) =>
    suiteProblem("suite/grader", { severity, message: `${noteText(note)}.`.replace(/\?\.$/, "?"), location: document.at(node) });
  return checked.status === "rejected"
    ? checked.rejections.map((one) => report("error", one))
    : checked.notes.map((one) => report("info", one));
}

/** As the author wrote it; `checkSuites` reports what is wrong with it, since it knows the library. */
function writtenExpect(config: unknown, names: NamesNear): SkillInvocation {
  const written = typeof config === "object" && config !== null ? (config as Record<string, unknown>) : {};
  const idsIn = (key: string) =>
    Array.isArray(written[key]) ? written[key].filter((name) => typeof name === "string").map((name) => names.idOf(name)) : [];
  const { mode } = written;
  return {
    required_skills: idsIn("required_skills"),
    forbidden_skills: idsIn("forbidden_skills"),
    also_fine: idsIn("also_fine"),
    mode: mode === "exact_match" || mode === "in_order" ? mode : "any_order",
    allow_extra: written["allow_extra"] !== false,
  };
}

/** waza documents these, but its runner ignores them; here they are checked. */
function expectedGraders(expected: Node | undefined): GraderSpec[] {
  if (expected === undefined || isNull(expected)) return [];
  const list = (key: string) => {
    const found = texts(get(expected, key));
    return found.length > 0 ? found : undefined;
  };
  const spoken = defined({
    contains: list("output_contains"),
    not_contains: list("output_not_contains"),
    contains_any: list("output_contains_any"),
    regex_match: list("matches"),
  });
  const done = get(expected, "behavior");
  const calls = get(expected, "tool_calls");
  const outcomes = items(get(expected, "outcomes")).flatMap(outcomeText);
  return [
    ...(Object.keys(spoken).length === 0 ? [] : [{ type: "text", name: "expected", config: spoken }]),
    ...(done?.type === "map" ? [{ type: "behavior", name: "expected behavior", config: plain(done) }] : []),
    ...(calls === undefined || isNull(calls) ? [] : [{ type: "tool_calls", name: "expected tool_calls", config: toolCallConfig(calls) }]),
    ...(outcomes.length === 0 ? [] : [{ type: "expectations", name: "expected outcomes", config: { statements: outcomes } }]),
  ];
}

/** `[{ type: task_completed }]`, or a sentence. */
function outcomeText(node: Node): string[] {
  const written = text(node) ?? text(get(node, "description")) ?? text(get(node, "type"))?.replaceAll("_", " ");
  return written === undefined || written.trim() === "" ? [] : [written];
}

/** A list names the tools that must be called; a mapping is the grader's own configuration, with `required` and `forbidden` for short. */
function toolCallConfig(node: Node): unknown {
  if (node.type === "list") {
    const named = node.items.flatMap((item) => text(item) ?? []);
    const told = node.items.filter((item) => item.type === "map").map(plain);
    return defined({ required_tools: named.length > 0 ? named : undefined, expect: told.length > 0 ? told : undefined });
  }
  const { required, forbidden, ...rest } = plain(node) as Record<string, unknown>;
  return defined({
    ...rest,
    ...(required !== undefined && { required_tools: toolNamesIn(required) }),
    ...(forbidden !== undefined && { forbidden_tools: toolNamesIn(forbidden) }),
  });
}

function toolNamesIn(list: unknown): unknown[] {
  const entries = Array.isArray(list) ? list : [list];
  return entries.map((entry) =>
    typeof entry === "object" && entry !== null
      ? ((entry as Record<string, unknown>)["tool"] ?? (entry as Record<string, unknown>)["pattern"])
      : entry,
  );
}

/** Files, all that is in a folder, or what a glob means. The globs are the suite's: what lists the files is not given them. */
async function filesLike(patterns: string[], folder: string, within: string): Promise<string[]> {
  // Loaded only when needed: most suites have no task files.
  const { glob } = await import("tinyglobby");
  const found = await Promise.all(
    patterns.map(async (pattern) => {
      const like = patternIn(pattern);
      const place = resolve(folder, like?.folder ?? pattern.replaceAll("\\", "/"));
      if (like === undefined && kindAt(place, within) === "file") return [place];
      const below = await glob("**", { cwd: place, followSymbolicLinks: false });
      return below.filter((file) => like?.matches(file) ?? true).map((file) => resolve(place, file));
    }),
  );
  return [...new Set(found.flat())];
}
