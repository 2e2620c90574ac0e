import { dirname, resolve } from "node:path";
import { didYouMean, isWithin, kindAt, noteText, type Problem } from "../../base/index.ts";
import { type NamesNear, namesNear } from "../../exam/find/index.ts";
import { checkSkillInvocation } from "../../graders/index.ts";
import type { Library, SkillInvocation, Suite } from "../../model/index.ts";
import { boolean, type Document, get, items, type MapNode, type Node, text, texts } from "../documents/index.ts";
import type { Format, ReadContext } from "../format.ts";
import { listOf, responderOf } from "../questions/cases.ts";
import { expectation } from "../questions/expect.ts";
import { faultsIn, positiveNumber, readFields, readFiles, runsOf } from "../questions/fields.ts";
import { emptySuite, makeCase, makeTrigger } from "../questions/question.ts";
import { patternIn } from "../questions/staged-folders.ts";
import { suiteProblem } from "../rules.ts";
import { expectedGraders } from "./expected.ts";
import { readGraders, type WrittenGrader } from "./graders.ts";
import { contextFixture, fillTemplate, fixtureFolders, fixturesOf, promptIn, varsIn } from "./inputs.ts";
import { results } from "./results.ts";
import { idleKeys, ignored } from "./settings.ts";

export const waza: Format = {
  id: "waza",
  results,
  recognises: ({ root }) =>
    (isTasks(get(root, "tasks")) || text(get(root, "tasks_from")) !== undefined) &&
    ["config", "skill", "graders"].some((key) => get(root, key) !== undefined),
  async read(document, context) {
    const { root } = document;
    const suite = emptySuite(document.file, waza.id);
    const owner = text(get(root, "skill")) ?? context.names.owner()?.id;
    suite.skill = owner === undefined ? undefined : context.names.idOf(owner);
    readConfig(get(root, "config"), { document, suite, library: context.names.library });
    suite.problems.push(
      ...idleKeys(document, root, "an eval.yaml"),
      ...idleKeys(document, get(root, "config"), "config"),
    );
    const shared = await readGraders(get(root, "graders"), {
      document,
      suiteFile: document.file,
      context,
      problems: suite.problems,
    });
    const vars = varsIn(get(root, "inputs"));
    for (const { at, map, row } of await taskMaps(document, suite.problems, context))
      await readTask(at, map, {
        shared,
        suite,
        names: namesNear(context.names.library, at.file),
        vars: { ...vars, ...row },
        context,
      });
    return suite;
  },
};

/** Names of task files or, as in waza's documentation, the tasks themselves. */
function isTasks(node: Node | undefined): boolean {
  return (
    node?.type === "list" &&
    node.items.length > 0 &&
    node.items.every(
      (item) => text(item) !== undefined || get(item, "task_files") !== undefined || get(item, "inputs") !== undefined,
    )
  );
}

function readConfig(
  config: Node | undefined,
  { document, suite, library }: { document: Document; suite: Suite; library: Library },
): void {
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
  const required = get(config, "required_skills");
  for (const name of texts(required).filter(
    (one) => !library.skills.some((skill) => skill.name === one || skill.id === one),
  ))
    suite.problems.push(
      suiteProblem("suite/unknown-skill", {
        message: `required_skills names "${name}", which is not in the library: this eval would be run without it.`,
        fix: "Add the skill, or correct the name.",
        location: document.at(required),
      }),
    );
  const injected = get(config, "inject_skill_body");
  if (injected !== undefined && boolean(injected) !== false) {
    suite.problems.push(
      suiteProblem("suite/ignored-setting", {
        message:
          "inject_skill_body is ignored: with the body in the prompt, nothing would show whether the skill is activated.",
        location: document.at(injected),
      }),
    );
  }
}

interface TaskMap {
  at: Document;
  map: MapNode;
  row?: Record<string, string>;
}

async function taskMaps(document: Document, problems: Problem[], context: ReadContext): Promise<TaskMap[]> {
  const folder = dirname(document.file);
  const root = context.names.library.root;
  const from = text(get(document.root, "tasks_from"));
  const written = items(get(document.root, "tasks"));
  const patterns = written.flatMap((item) => text(item) ?? texts(get(item, "task_files")));
  const own = written.filter((item): item is MapNode => item.type === "map" && get(item, "inputs") !== undefined);
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
  if (from !== undefined && !outside(from)) files.push(resolve(folder, from));
  const maps: TaskMap[] = own.map((map) => ({ at: document, map }));
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
    for (const map of nodes)
      if (map.type === "map") maps.push(isTable ? { at: loaded, map, row: varsIn(map) } : { at: loaded, map });
  }
  return maps;
}

interface TaskContext {
  shared: WrittenGrader[];
  suite: Suite;
  names: NamesNear;
  vars: Record<string, string>;
  context: ReadContext;
}

async function readTask(
  document: Document,
  task: MapNode,
  { shared, suite, names, vars, context }: TaskContext,
): Promise<void> {
  const { problems } = suite;
  const inputs = get(task, "inputs");
  if (document.syntax !== "csv") problems.push(...idleKeys(document, task, "a task"));
  const expected = get(task, "expected");
  const responder = get(inputs, "responder") ?? get(task, "responder");
  problems.push(
    ...idleKeys(document, inputs, "a task's inputs"),
    ...idleKeys(document, expected, "expected"),
    ...idleKeys(document, responder, "a responder"),
    ...items(get(expected, "outcomes")).flatMap((outcome) => idleKeys(document, outcome, "an outcome")),
    ...items(get(inputs, "files")).flatMap((file) => idleKeys(document, file, "a file")),
    ...items(get(inputs, "repos")).flatMap((repo) => idleKeys(document, repo, "a repository")),
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
  const values = {
    vars: { ...vars, ...varsIn(get(inputs, "context")) },
    taskName: name ?? text(get(task, "id")) ?? "",
  };
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
        fix: "A task is asked with the whole library; --only-skill stages only the one under test.",
        location: document.at(folders),
      }),
    );
  const ofGraders: Problem[] = [];
  const own = await ownGraders(task, shared, { document, suiteFile: suite.file, context, problems: ofGraders });
  problems.push(...ofGraders);
  const every = [...shared.filter((one) => !own.includes(one)), ...own];
  const graders = [...every.map(({ spec }) => spec), ...expectedGraders(expected)].map((spec) => ({
    ...spec,
    config: filledIn(spec.config, filled),
  }));
  const { files: _files, ...fields } = readFields(document, withoutFiles(task), problems);
  const faults = [...(fields.faults ?? []), ...(faultsIn(ofGraders) ?? [])];
  const fixtures = { document, folders: fixtureFolders(suite.file, document, task), problems: faults };
  const files = [
    ...fixturesOf(fixtures, task),
    ...contextFixture(fixtures, task, suite.file),
    ...readFiles(document, get(task, "files"), faults),
  ];
  problems.push(...faults.filter((problem) => !problems.includes(problem)));
  const golden = boolean(get(task, "golden")) === true ? ["golden"] : [];
  const common = {
    ...fields,
    tags: [...fields.tags, ...golden],
    files: files.map((file) => ("content" in file ? { ...file, content: filled(file.content) } : file)),
    faults: faultsIn(faults),
    skip: boolean(get(task, "enabled")) === false ? "enabled: false in its task file" : fields.skip,
    skill: suite.skill,
    source: document.at(task),
  };
  const should = boolean(get(expected, "should_trigger"));
  const followUps = (listOf(get(inputs, "follow_up_prompts")) ?? listOf(get(inputs, "follow_ups")))?.map(filled);
  const invocation = graders.length > 0 && graders.every((grader) => grader.type === "skill_invocation");
  if (invocation) {
    const wrong = every.map((one) => checkInvocation(document, one));
    problems.push(...wrong.flat());
    if (followUps !== undefined || responder !== undefined)
      problems.push(
        ignored(document, inputs ?? task, {
          message:
            "This task checks only which skills fire, so it is asked as a trigger: its prompt alone, without what would follow.",
          fix: "Add a grader of another type if the whole conversation counts.",
        }),
      );
    for (const [at, grader] of graders.entries())
      suite.triggers.push(
        makeTrigger({
          ...common,
          id:
            graders.length > 1 && grader.name !== undefined && common.id !== undefined
              ? `${common.id}/${grader.name}`
              : common.id,
          query: prompt,
          expect: writtenExpect(grader.config, names),
          faults: faultsIn([...faults, ...(wrong[at] ?? [])]),
        }),
      );
    return;
  }
  if (should !== undefined && suite.skill !== undefined) {
    suite.triggers.push(
      makeTrigger({ ...common, query: prompt, expect: expectation({ skill: suite.skill, shouldTrigger: should }) }),
    );
  }
  if (graders.length > 0 || should === undefined) {
    suite.cases.push(makeCase({ ...common, name, prompt, graders, followUps, responder: responderOf(responder) }));
  }
}

async function ownGraders(
  task: MapNode,
  shared: readonly WrittenGrader[],
  to: Parameters<typeof readGraders>[1],
): Promise<WrittenGrader[]> {
  const listed = get(get(task, "expected"), "graders");
  const graders = await readGraders(get(task, "graders"), to);
  const under = await readGraders(listed, to);
  const named = items(listed).flatMap((item) => {
    const name = text(item);
    if (name === undefined) return [];
    const meant = shared.find(({ spec }) => spec.name === name);
    if (meant !== undefined) return [meant];
    to.problems.push(
      suiteProblem("suite/grader", {
        severity: "error",
        message: `There is no grader called "${name}" in eval.yaml.`,
        fix: didYouMean(
          name,
          shared.flatMap(({ spec }) => spec.name ?? []),
          "Write it out, with its type and its config.",
          { most: 1 },
        ),
        location: to.document.at(item),
      }),
    );
    return [];
  });
  return [...graders, ...named, ...under];
}

function filledIn(value: unknown, filled: (text: string) => string): unknown {
  if (typeof value === "string") return value.includes("{{") ? filled(value) : value;
  if (Array.isArray(value)) return value.map((one) => filledIn(one, filled));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filledIn(one, filled)]));
}

function withoutFiles(task: MapNode): MapNode {
  return { ...task, entries: task.entries.filter(({ key }) => key !== "files") };
}

function checkInvocation(document: Document, { spec, at: node }: WrittenGrader): Problem[] {
  const checked = checkSkillInvocation(spec.config);
  const report = (severity: "error" | "info", note: Parameters<typeof noteText>[0]) =>
    suiteProblem("suite/grader", {
      severity,
      message: `${noteText(note)}.`.replace(/\?\.$/, "?"),
      location: document.at(node),
    });
  return checked.status === "rejected"
    ? checked.rejections.map((one) => report("error", one))
    : checked.notes.map((one) => report("info", one));
}

/** Takes the configuration as written; `checkSuites`, which knows the library, reports what is wrong. */
function writtenExpect(config: unknown, names: NamesNear): SkillInvocation {
  const written = typeof config === "object" && config !== null ? (config as Record<string, unknown>) : {};
  const idsIn = (key: string) =>
    Array.isArray(written[key])
      ? written[key].filter((name) => typeof name === "string").map((name) => names.idOf(name))
      : [];
  const { mode } = written;
  return {
    required_skills: idsIn("required_skills"),
    forbidden_skills: idsIn("forbidden_skills"),
    also_fine: idsIn("also_fine"),
    mode: mode === "exact_match" || mode === "in_order" ? mode : "any_order",
    allow_extra: written["allow_extra"] !== false,
  };
}

/**
 * Expands files, folders and globs. The suite's globs are matched here and never passed to the package that lists
 * files.
 */
async function filesLike(patterns: string[], folder: string, within: string): Promise<string[]> {
  // Loaded on demand: most suites have no task files.
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
