import { dirname, resolve } from "node:path";
import { isWithin, type Problem } from "../../base/index.ts";
import { checkSkillInvocation, type GraderSpec, type SkillInvocation } from "../../graders/index.ts";
import type { Library } from "../../skills/index.ts";
import { boolean, type Document, get, isNull, items, type MapNode, type Node, text, texts } from "../documents/index.ts";
import { expectation } from "../expect.ts";
import { faultsIn, positiveNumber, readFields, readFiles, runsOf } from "../fields.ts";
import { type NamesNear, namesNear } from "../names.ts";
import { defined, emptySuite, makeCase, makeTrigger } from "../question.ts";
import { suiteProblem } from "../rules.ts";
import type { Suite } from "../suite.ts";
import { graderOf } from "./cases.ts";
import { mistypedKeys } from "./native.ts";
import type { ReadContext, Reader } from "./reader.ts";

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
    suite.problems.push(...mistypedKeys(document, root, specKeys), ...mistypedKeys(document, get(root, "config"), configKeys));
    const shared = items(get(root, "graders")).flatMap(graderOf);
    for (const { at, map } of await taskMaps(document, suite.problems, context))
      readTask(at, map, shared, suite, namesNear(context.names.library, at.file));
    return suite;
  },
};

// biome-ignore format: lists of words
const specKeys = new Set([
  "name", "description", "version", "skill", "config", "graders", "metrics", "hooks", "tasks", "tasks_from", "inputs", "baseline", "tags", "schema_version", "instructions",
  "defaults", "requirements",
]);
// biome-ignore format: a list of words
const configKeys = new Set([
  "trials_per_task", "timeout_seconds", "parallel", "workers", "fail_fast", "verbose", "executor", "model", "models", "judge_model", "judge", "skill_directories",
  "required_skills", "mcp_servers", "max_attempts", "group_by", "inject_skill_body", "instruction_files", "disabled_skills", "agent", "system_prompt", "max_turns",
  "reasoning_effort", "sandbox", "env", "otel",
]);
// biome-ignore format: a list of words
const taskKeys = new Set([
  "id", "name", "description", "enabled", "tags", "inputs", "expected", "graders", "context_dir", "timeout_seconds", "golden", "skill_directories", "instruction_files",
  "checkpoints", "requirements", "command_mocks", "prompt", "files", "runs", "skip", "notes", "category", "difficulty", "max_turns", "responder",
]);
const expectedKeys = new Set(["output_contains", "output_not_contains", "should_trigger", "outcomes", "tool_calls", "behavior", "files"]);

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

async function taskMaps(document: Document, problems: Problem[], context: ReadContext): Promise<{ at: Document; map: MapNode }[]> {
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
  const files = wanted.length === 0 ? [] : await filesLike(wanted, folder);
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
  const maps: { at: Document; map: MapNode }[] = [];
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
    for (const map of nodes) if (map.type === "map") maps.push({ at: loaded, map });
  }
  return maps;
}

function readTask(document: Document, task: MapNode, shared: GraderSpec[], suite: Suite, names: NamesNear): void {
  const inputs = get(task, "inputs");
  const prompt = text(get(inputs, "prompt")) ?? text(get(task, "prompt"));
  if (prompt === undefined || prompt.trim() === "") {
    suite.problems.push(
      suiteProblem("suite/invalid", {
        message: "This task has no prompt.",
        fix: "Add `inputs: { prompt: … }`.",
        location: document.at(task),
      }),
    );
    return;
  }
  suite.problems.push(...mistypedKeys(document, task, taskKeys), ...mistypedKeys(document, get(task, "expected"), expectedKeys));
  const own = items(get(task, "graders")).flatMap(graderOf);
  const graders = [...shared, ...own, ...expectedGraders(get(task, "expected"))];
  const fields = readFields(document, task, suite.problems);
  const name = text(get(task, "name"));
  const faults = [...(fields.faults ?? [])];
  const files = readFiles(document, get(inputs, "files"), faults, materialOf(task, suite));
  suite.problems.push(...faults.filter((problem) => !suite.problems.includes(problem)));
  const common = {
    ...fields,
    files: [...fields.files, ...files],
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
  if (graders.length > 0 || should === undefined) suite.cases.push(makeCase({ ...common, name, prompt, graders }));
}

/** Where waza takes a task's files from: its context_dir, else the folder `fixtures` beside eval.yaml. */
function materialOf(task: MapNode, { file }: Suite): string[] {
  const own = text(get(task, "context_dir"));
  return [...(own === undefined ? [] : [resolve(dirname(file), own)]), resolve(dirname(file), "fixtures"), dirname(file)];
}

/** What is wrong with a skill_invocation grader: all that waza's own validation reports, and more. */
function checkInvocation(document: Document, node: Node): Problem[] {
  const [spec] = graderOf(node);
  if (spec === undefined) return [];
  const checked = checkSkillInvocation(spec.config);
  const report = (severity: "error" | "info", { path, message }: { path: (string | number)[]; message: string }) =>
    suiteProblem("suite/grader", {
      severity,
      message: `${path.length > 0 ? `${path.join(".")}: ` : ""}${message}.`,
      location: document.at(node),
    });
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
  const contains = texts(get(expected, "output_contains"));
  const not = texts(get(expected, "output_not_contains"));
  if (contains.length + not.length === 0) return [];
  const config = defined({ contains: contains.length > 0 ? contains : undefined, not_contains: not.length > 0 ? not : undefined });
  return [{ type: "text", name: "expected", config }];
}

/** Loaded only when needed: most suites have no patterns. */
async function filesLike(patterns: string[], folder: string): Promise<string[]> {
  const { glob } = await import("tinyglobby");
  return glob(
    patterns.map((pattern) => pattern.replaceAll("\\", "/")),
    { cwd: folder, absolute: true, followSymbolicLinks: false },
  );
}
