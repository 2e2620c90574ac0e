import { dirname, resolve } from "node:path";
import type { Problem } from "../../base/index.ts";
import type { GraderSpec } from "../../graders/index.ts";
import { type Document, get, items, type MapNode, type Node, plain, text, texts, word } from "../documents/index.ts";
import type { NamesNear } from "../names.ts";
import { faultsIn, positiveNumber, readFields, readFiles, runsOf } from "../questions/fields.ts";
import { defined, emptySuite, makeCase } from "../questions/question.ts";
import { suiteProblem } from "../rules.ts";
import type { Suite } from "../suite.ts";
import { graderOf } from "./cases.ts";
import type { ReadContext, Reader } from "./reader.ts";
import { textOrFile } from "./text-or-file.ts";

/** skillgrade's eval.yaml: tasks with an `instruction`, files for the workspace, and graders. All of them are cases. */
export const skillgrade: Reader = {
  id: "skillgrade",
  async read(document, context) {
    const { root } = document;
    const list = items(get(root, "tasks")).filter((item): item is MapNode => item.type === "map");
    const isTask = (item: MapNode) => text(get(item, "instruction")) !== undefined && get(item, "graders") !== undefined;
    if (root.type !== "map" || !list.some(isTask)) return null;
    const suite = emptySuite(document.file, skillgrade.id);
    suite.skill = skillOf(document, context.names);
    const defaults = get(root, "defaults");
    suite.defaults = {
      runs: runsOf(document, get(defaults, "trials"), suite.problems),
      timeoutSeconds: positiveNumber(get(defaults, "timeout")),
    };
    suite.problems.push(...imports(document));
    for (const item of list) await readTask(document, item, suite, context);
    return suite;
  },
};

/** `skill` is a path there; without one, the SKILL.md beside the file. */
function skillOf(document: Document, names: NamesNear): string | undefined {
  const path = text(get(document.root, "skill"));
  const folder = path === undefined ? dirname(document.file) : resolve(dirname(document.file), path.replace(/[\\/]SKILL\.md$/i, ""));
  return names.library.skills.find(({ dir }) => dir === folder)?.id ?? names.owner()?.id;
}

/** Sections in other files are not fetched. */
function imports(document: Document): Problem[] {
  const sections = [document.root, get(document.root, "tasks"), get(document.root, "defaults")];
  return sections.flatMap((node) => {
    const at =
      get(node, "$import") ??
      items(node)
        .map((item) => get(item, "$import"))
        .find((one) => one !== undefined);
    if (at === undefined) return [];
    const message = "$import is not followed: questions in other files are not asked.";
    return [suiteProblem("suite/not-understood", { message, fix: "Write the tasks into this file.", location: document.at(at) })];
  });
}

async function readTask(document: Document, item: MapNode, suite: Suite, context: ReadContext): Promise<void> {
  const prompt = await textOrFile(document, get(item, "instruction"), context);
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
  const files = readFiles(document, workspaceOf(get(item, "workspace")), own);
  suite.problems.push(...own.filter((problem) => !suite.problems.includes(problem)));
  const graders: GraderSpec[] = [];
  for (const node of items(get(item, "graders"))) graders.push(...(await readGrader(document, node, context)));
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
      tags: [...fields.tags, ...texts(get(metadata, "tags")), ...["tier", "form"].flatMap((key) => text(get(metadata, key)) ?? [])],
      runs: runsOf(document, get(item, "trials"), suite.problems) ?? fields.runs,
      expectedOutput: expected === undefined ? undefined : (text(expected) ?? JSON.stringify(plain(expected))),
      graders,
      source: document.at(item),
    }),
  );
}

/** `{ src, dest }` there, `{ from, path }` here. */
function workspaceOf(node: Node | undefined): Node | undefined {
  if (node?.type !== "list") return node;
  const renamed = (key: string) => (key === "src" ? "from" : key === "dest" ? "path" : key);
  return {
    ...node,
    items: node.items.map((item) =>
      item.type === "map" ? { ...item, entries: item.entries.map((entry) => ({ ...entry, key: renamed(entry.key) })) } : item,
    ),
  };
}

async function readGrader(document: Document, node: Node, context: ReadContext): Promise<GraderSpec[]> {
  const type = text(get(node, "type"));
  if (type !== "llm_rubric") return graderOf(node);
  const rubric = await textOrFile(document, get(node, "rubric"), context);
  const weight = positiveNumber(get(node, "weight"));
  return rubric === undefined ? [] : [defined({ type: "llm", name: text(get(node, "name")), weight, config: { text: rubric.trim() } })];
}
