import { dirname, relative, resolve } from "node:path";
import { isWithin, type Problem, toPosix } from "../../base/index.ts";
import type { Case, GraderSpec } from "../../model/index.ts";
import {
  boolean,
  type Document,
  get,
  items,
  type ListNode,
  type MapNode,
  type Node,
  number,
  text,
  texts,
} from "../documents/index.ts";
import type { Format } from "../format.ts";
import { caseOf, listOf } from "../questions/cases.ts";
import { faultsIn, readFiles } from "../questions/fields.ts";
import { unknownKeys } from "../questions/native.ts";
import { defined, emptySuite } from "../questions/question.ts";
import { filesBelow } from "../questions/staged-folders.ts";
import { readRows } from "../rows/read-rows.ts";
import { suiteProblem } from "../rules.ts";

/**
 * Skill validators' `scenarios:`: prompts with assertions and a rubric for the skill of the folder. Each is a case. It
 * is run to see the skill at work, so the skill must also be activated unless `expect_activation` is false.
 */
export const scenarios: Format = {
  id: "scenarios",
  recognises({ root }) {
    const list = scenariosOf(root);
    const graded = list.filter(
      (item) =>
        ["expect_activation", "assertions", "rubric"].some((key) => get(item, key) !== undefined) &&
        text(get(item, "prompt")) !== undefined,
    );
    return graded.length > 0 && graded.length >= list.length / 2;
  },
  read(document, { names }) {
    const suite = emptySuite(document.file, scenarios.id);
    const owner = names.owner();
    const read = readRows(document, names, { label: owner === undefined ? undefined : true });
    suite.triggers = read?.triggers ?? [];
    suite.problems = read?.problems ?? [];
    for (const item of scenariosOf(document.root)) {
      suite.problems.push(...unknownKeys(document, item, { known: KEYS }));
      const skill = text(get(document.root, "skill")) ?? owner?.id;
      const one = caseOf(item, { document, skill, problems: suite.problems });
      if (one === undefined) continue;
      const graders = [...one.graders.map(ours), ...constraints(item)];
      if (graders.length > 0)
        suite.cases.push(
          prepared(
            { ...one, graders },
            { document, setup: get(item, "setup"), skillDir: owner?.skill?.dir, problems: suite.problems },
          ),
        );
    }
    return suite.triggers.length + suite.cases.length > 0 ? suite : null;
  },
};

function scenariosOf(root: Node): MapNode[] {
  return items(get(root, "scenarios")).filter((item) => item.type === "map");
}

// biome-ignore format: a list of words
const KEYS = new Set([
  "name", "id", "prompt", "setup", "assertions", "rubric", "graders", "timeout", "timeout_seconds", "expect_tools", "reject_tools", "max_turns", "max_tokens",
  "expect_activation", "expectations", "expected_output", "follow_ups", "responder", "files", "messages", "models", "runs", "skip", "split", "tags", "notes", "description", "category",
]);

/**
 * Translates the validators' assertions: texts ignore case, patterns are .NET's (close to Python's), and paths may be
 * globs.
 */
function ours(spec: GraderSpec): GraderSpec {
  const { value, pattern, path } = spec.config as { value?: unknown; pattern?: unknown; path?: unknown };
  const as = (type: string, config: unknown): GraderSpec => ({ ...spec, type, config });
  switch (spec.type) {
    case "output_contains":
      return as("text", { contains: [value] });
    case "output_not_contains":
      return as("text", { not_contains: [value] });
    case "output_matches":
      return as("matches", { value: anyCase(pattern ?? value), syntax: "python" });
    case "output_not_matches":
      return as("not_matches", { value: anyCase(pattern ?? value), syntax: "python" });
    case "file_not_exists":
      return as("file_absent", { path });
    case "file_contains":
      return as("regex", { path, pattern: literal(value) });
    case "file_not_contains":
      return as("not_regex", { path, pattern: literal(value) });
    // A trial that is graded ended on its own; it must also have said something.
    case "exit_success":
      return as("min_tokens", { value: 1 });
    default:
      return spec;
  }
}

function anyCase(pattern: unknown): unknown {
  if (typeof pattern !== "string") return pattern;
  const [whole, flags] = /^\(\?([ims]+)\)/.exec(pattern) ?? ["", ""];
  return `(?i${flags?.replace("i", "") ?? ""})${pattern.slice(whole.length)}`;
}

function literal(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&") : value;
}

function constraints(item: MapNode): GraderSpec[] {
  const tools = (key: string) => texts(get(item, key)).map((tool) => ({ tool }));
  const [expect_tools, reject_tools] = [tools("expect_tools"), tools("reject_tools")];
  const max_tokens = number(get(item, "max_tokens"));
  const graders: GraderSpec[] = [];
  const add = (type: string, name: string, config: unknown) => graders.push({ type, name, config });
  if (expect_tools.length > 0) add("tool_constraint", "expect_tools", { expect_tools });
  if (reject_tools.length > 0) add("tool_constraint", "reject_tools", { reject_tools });
  if (max_tokens !== undefined) add("behavior", "max_tokens", { max_tokens });
  return graders;
}

interface Preparation {
  document: Document;
  setup: Node | undefined;
  skillDir: string | undefined;
  problems: Problem[];
}

function prepared(one: Case, { document, setup, skillDir, problems }: Preparation): Case {
  if (setup?.type !== "map") return one;
  const own: Problem[] = [];
  const copies = get(setup, "copy_test_files");
  const beside = copies !== undefined && boolean(copies) === true ? testFiles(document, copies, own) : undefined;
  const listed = fromSuite(document, get(setup, "files"), skillDir);
  const files = [...one.files, ...readFiles(document, beside, own), ...readFiles(document, listed, own)];
  problems.push(...own, ...unknownKeys(document, setup, { known: SETUP_KEYS }), ...elsewhere(document, setup));
  const faults = faultsIn([...(one.faults ?? []), ...own]);
  return defined({ ...one, files, faults, setup: listOf(get(setup, "commands")) ?? one.setup });
}

const SETUP_KEYS = new Set([
  "files",
  "copy_test_files",
  "commands",
  "additional_required_skills",
  "additional_required_agents",
]);

/** Required skills are in the library; other agents are not available. */
function elsewhere(document: Document, setup: MapNode): Problem[] {
  const agents = get(setup, "additional_required_agents");
  if (texts(agents).length === 0) return [];
  const message = "additional_required_agents has no effect here: this case is asked without them.";
  return [
    suiteProblem("suite/ignored-setting", {
      severity: "warning",
      message,
      fix: "Only skills are examined.",
      location: document.at(agents),
    }),
  ];
}

function testFiles(document: Document, at: Node, problems: Problem[]): ListNode | undefined {
  const found = filesBelow(dirname(document.file), document.within);
  const files = Array.isArray(found) ? found.filter((file) => !/^(?:eval[^/]*\.ya?ml|SKILL\.md)$/i.test(file)) : [];
  if (files.length === 0) {
    const why = Array.isArray(found)
      ? "there is no other file in its folder"
      : `${found.path || "its folder"} ${found.why}`;
    problems.push(
      suiteProblem("suite/missing-file", {
        message: `copy_test_files means the files beside this suite, and ${why}, so this question cannot be asked as intended.`,
        fix: "Put the files there, or write them under `setup.files`.",
        location: document.at(at),
      }),
    );
    return undefined;
  }
  const said = (value: string): Node => ({ type: "scalar", start: at.start, end: at.end, value });
  const place = { start: at.start, end: at.end };
  return {
    ...place,
    type: "list",
    items: files.map((file) => ({
      ...place,
      type: "map",
      entries: ["path", "from"].map((key) => ({ key, start: at.start, value: said(file) })),
    })),
  };
}

/** Sources are relative to the skill's folder. Those inside the suite's folder are made relative to that. */
function fromSuite(document: Document, node: Node | undefined, skillDir: string | undefined): Node | undefined {
  if (node?.type !== "list" || skillDir === undefined) return node;
  const folder = dirname(document.file);
  const meant = (value: Node): Node => {
    const place = resolve(skillDir, (text(value) ?? "").replaceAll("\\", "/"));
    return value.type === "scalar" && isWithin(folder, place)
      ? { ...value, value: toPosix(relative(folder, place)) }
      : value;
  };
  const item = (one: Node): Node =>
    one.type === "map"
      ? {
          ...one,
          entries: one.entries.map((entry) =>
            entry.key === "source" ? { ...entry, value: meant(entry.value) } : entry,
          ),
        }
      : one;
  return { ...node, items: node.items.map(item) };
}
