import { basename, dirname, join, resolve } from "node:path";
import { isWithin, kindAt, listFolder, type Problem } from "../../base/index.ts";
import type { NamesNear } from "../../exam/find/index.ts";
import type { GraderSpec, Suite } from "../../model/index.ts";
import { type Document, get, items, type MapNode, type Node, plain, text, texts, word } from "../documents/index.ts";
import type { Format, ReadContext } from "../format.ts";
import { graderOf } from "../questions/cases.ts";
import { faultsIn, positiveNumber, readFields, readFiles, runsOf, textOrFile } from "../questions/fields.ts";
import { defined, emptySuite, makeCase } from "../questions/question.ts";
import { suiteProblem } from "../rules.ts";

/** skillgrade's eval.yaml: tasks with an `instruction`, files for the workspace, and graders. Every task is a case. */
export const skillgrade: Format = {
  id: "skillgrade",
  recognises: ({ root }) => get(root, "tasks")?.type === "list",
  async read(document, context) {
    const { root } = document;
    const isTask = ({ item }: GradedTask) =>
      text(get(item, "instruction")) !== undefined && get(item, "graders") !== undefined;
    const problems: Problem[] = [];
    const list = await tasksIn(document, get(root, "tasks"), { context, problems, depth: 0 });
    if (!list.some(isTask)) return null;
    for (const { at } of list) if (at !== document) context.claim(at.file);
    const suite = emptySuite(document.file, skillgrade.id);
    suite.skill = skillOf(document, context.names);
    const defaults = get(root, "defaults");
    suite.defaults = {
      runs: runsOf(document, get(defaults, "trials"), suite.problems),
      timeoutSeconds: positiveNumber(get(defaults, "timeout")),
    };
    suite.problems.push(...imports(document), ...problems);
    for (const task of list) await readTask(task, { top: document, suite, context });
    return suite;
  },
};

interface GradedTask {
  at: Document;
  item: MapNode;
}

const deepest = 5;

/** Follows `$import`, which names files, folders or patterns. Keys beside it apply to every imported task. */
async function tasksIn(
  at: Document,
  node: Node | undefined,
  to: { context: ReadContext; problems: Problem[]; depth: number },
): Promise<GradedTask[]> {
  const found: GradedTask[] = [];
  for (const item of node?.type === "list" ? node.items : node === undefined ? [] : [node]) {
    if (item.type !== "map") continue;
    const from = get(item, "$import");
    if (from === undefined) {
      found.push({ at, item });
      continue;
    }
    const files = to.depth < deepest ? texts(from).flatMap((path) => importedFiles(at, path)) : [];
    if (files.length === 0)
      to.problems.push(
        suiteProblem("suite/missing-file", {
          message: `$import names no file that is there: ${texts(from).join(", ")}.`,
          fix: "Correct the path; it is relative to this file.",
          location: at.at(from),
        }),
      );
    const beside = item.entries.filter(({ key }) => key !== "$import");
    for (const file of files) {
      const loaded = await to.context.load(file);
      const tasks = loaded === undefined ? [] : await tasksIn(loaded, loaded.root, { ...to, depth: to.depth + 1 });
      found.push(
        ...tasks.map((task) => ({ ...task, item: { ...task.item, entries: [...task.item.entries, ...beside] } })),
      );
    }
  }
  return found;
}

const isYaml = (name: string) => /\.ya?ml$/.test(name);

function importedFiles({ file, within }: Document, path: string): string[] {
  const whole = resolve(dirname(file), path);
  const all = (folder: string, fits: (name: string) => boolean) =>
    listFolder(folder)
      .map(({ name }) => name)
      .filter((name) => isYaml(name) && fits(name))
      .sort()
      .map((name) => join(folder, name));
  const pattern = basename(whole);
  const found = pattern.includes("*")
    ? all(dirname(whole), (name) => fitsPattern(name, pattern))
    : kindAt(whole, within) === "folder"
      ? all(whole, () => true)
      : [whole];
  return found.filter((one) => isWithin(within, one) && kindAt(one, within) === "file");
}

function fitsPattern(name: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  return (
    name.length >= first.length + last.length &&
    name.startsWith(first) &&
    name.endsWith(last) &&
    parts.every((part) => name.includes(part))
  );
}

/** `skill` is a path; it defaults to the SKILL.md beside the file. */
function skillOf(document: Document, names: NamesNear): string | undefined {
  const path = text(get(document.root, "skill"));
  const folder =
    path === undefined ? dirname(document.file) : resolve(dirname(document.file), path.replace(/[\\/]SKILL\.md$/i, ""));
  return names.library.skills.find(({ dir }) => dir === folder)?.id ?? names.owner()?.id;
}

function imports(document: Document): Problem[] {
  const sections = [document.root, get(document.root, "defaults")];
  return sections.flatMap((node) => {
    const at = get(node, "$import");
    if (at === undefined) return [];
    const message = "$import is followed for tasks only: these settings have no effect.";
    return [
      suiteProblem("suite/not-understood", { message, fix: "Write them into this file.", location: document.at(at) }),
    ];
  });
}

async function readTask(
  { at: document, item }: GradedTask,
  { top, suite, context }: { top: Document; suite: Suite; context: ReadContext },
): Promise<void> {
  // Paths are relative to the task's own file, or to the suite's.
  const textAt = async (node: Node | undefined) => {
    const own = await textOrFile(document, node, context);
    return own === text(node) ? textOrFile(top, node, context) : own;
  };
  const prompt = await textAt(get(item, "instruction"));
  if (prompt === undefined || prompt.trim() === "") {
    suite.problems.push(
      suiteProblem("suite/invalid", {
        message: "This task has no instruction.",
        fix: "Add `instruction` with what the agent is asked to do.",
        location: document.at(item),
      }),
    );
    return;
  }
  const fields = readFields(document, item, suite.problems);
  const own = [...(fields.faults ?? [])];
  const files = readFiles(document, workspaceOf(document, get(item, "workspace"), own), own);
  suite.problems.push(...own.filter((problem) => !suite.problems.includes(problem)));
  const graders: GraderSpec[] = [];
  for (const node of items(get(item, "graders"))) graders.push(...(await readGrader(node, textAt)));
  const expected = get(item, "expected");
  const metadata = get(item, "metadata");
  const name = word(get(item, "name"));
  suite.cases.push(
    makeCase({
      ...fields,
      id: name ?? fields.id,
      name,
      skill: suite.skill,
      prompt,
      files: [...fields.files, ...files],
      faults: faultsIn(own),
      tags: [
        ...fields.tags,
        ...texts(get(metadata, "tags")),
        ...["tier", "form"].flatMap((key) => text(get(metadata, key)) ?? []),
      ],
      runs: runsOf(document, get(item, "trials"), suite.problems) ?? fields.runs,
      limits: defined({
        ...fields.limits,
        timeoutSeconds: positiveNumber(get(item, "timeout")) ?? fields.limits?.timeoutSeconds,
      }),
      expectedOutput: expected === undefined ? undefined : (text(expected) ?? JSON.stringify(plain(expected))),
      graders,
      source: document.at(item),
    }),
  );
}

/** Renames `{ src, dest }` to our `{ from, path }`. Absolute destinations exist only in skillgrade's container. */
function workspaceOf(document: Document, node: Node | undefined, problems: Problem[]): Node | undefined {
  if (node?.type !== "list") return node;
  const renamed = (key: string) => (key === "src" ? "from" : key === "dest" ? "path" : key);
  const inside = node.items.filter((item) => {
    const to = text(get(item, "dest")) ?? "";
    if (!to.startsWith("/")) return true;
    problems.push(
      suiteProblem("suite/file-escapes", {
        message: `"${to}" lies outside the workspace, so the file is not put there and this question cannot be asked as intended.`,
        fix: "Give a path inside the workspace, or install it on the machine and take it out of `workspace`.",
        location: document.at(get(item, "dest")),
      }),
    );
    return false;
  });
  return {
    ...node,
    items: inside.map((item) =>
      item.type === "map"
        ? { ...item, entries: item.entries.map((entry) => ({ ...entry, key: renamed(entry.key) })) }
        : item,
    ),
  };
}

async function readGrader(
  node: Node,
  textAt: (node: Node | undefined) => Promise<string | undefined>,
): Promise<GraderSpec[]> {
  const type = text(get(node, "type"));
  if (type !== "llm_rubric") return graderOf(node);
  const rubric = await textAt(get(node, "rubric"));
  const weight = positiveNumber(get(node, "weight"));
  return rubric === undefined
    ? []
    : [defined({ type: "llm", name: text(get(node, "name")), weight, config: { text: rubric.trim() } })];
}
