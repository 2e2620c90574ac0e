import { basename, dirname, join, resolve } from "node:path";
import { didYouMean, isTaken, isWithin, kindAt } from "../../base/index.ts";
import type { GraderSpec, Suite, Trigger } from "../../model/index.ts";
import {
  boolean,
  type Document,
  get,
  isNull,
  items,
  type MapNode,
  type Node,
  number,
  plain,
  text,
  texts,
} from "../documents/index.ts";
import type { Format, ReadContext } from "../format.ts";
import { configOf } from "../questions/cases.ts";
import { expectation } from "../questions/expect.ts";
import { positiveNumber } from "../questions/fields.ts";
import { unknownKeys } from "../questions/native.ts";
import { defined, emptySuite, makeCase, makeTrigger } from "../questions/question.ts";
import { suiteProblem } from "../rules.ts";
import { logRun } from "./log-run.ts";

/**
 * eva's eval.yml: `triggering` with should_match and should_not_match, and `cases` that fill the template in the
 * prompt's folder.
 */
export const eva: Format = {
  id: "eva",
  namesTargets: true,
  beforeRun: logRun,
  recognises: ({ file, root }) =>
    get(root, "triggering") !== undefined ||
    (basename(file) === "eval.yml" && get(root, "cases") !== undefined && isTaken(join(dirname(file), "prompt.xml"))),
  async read(document, context) {
    const triggering = get(document.root, "triggering");
    const suite = emptySuite(document.file, eva.id);
    const skill = context.names.owner()?.id;
    suite.skill = skill;
    const defaults = get(document.root, "defaults");
    const model = text(get(defaults, "model"));
    const judge = text(get(get(triggering, "judge"), "model")) ?? model;
    suite.defaults = { model, judgeModel: judge, timeoutSeconds: positiveNumber(get(defaults, "timeout_s")) };
    suite.problems.push(
      ...unknownKeys(document, document.root, { known: rootKeys, where: "an eval.yml" }),
      ...unknownKeys(document, defaults, { known: defaultKeys, where: "defaults" }),
      ...unknownKeys(document, triggering, { known: triggeringKeys, where: "triggering" }),
      ...unknownKeys(document, get(triggering, "judge"), { known: judgeKeys, where: "judge" }),
    );
    const file: EvaFile = { document, skill, suite, context };
    if (triggering !== undefined) readTriggering(file, triggering);
    await readCases(file, get(document.root, "cases"));
    return suite;
  },
};

interface EvaFile {
  document: Document;
  skill: string | undefined;
  suite: Suite;
  context: ReadContext;
}

const rootKeys = new Set(["version", "id", "description", "notes", "defaults", "triggering", "cases"]);
const defaultKeys = new Set(["model", "timeout_s"]);
const triggeringKeys = new Set(["judge", "should_match", "should_not_match", "notes"]);
const judgeKeys = new Set(["model"]);
const caseKeys = new Set([
  "name",
  "description",
  "notes",
  "tags",
  "inputs",
  "inputs_from",
  "assert",
  "rubric",
  "judge",
  "timeout_s",
]);
const caseJudgeKeys = new Set(["model", "pass_threshold", "votes"]);

function reject({ document, suite }: EvaFile, at: Node, problem: { message: string; fix: string }): void {
  suite.problems.push(suiteProblem("suite/invalid", { ...problem, location: document.at(at) }));
}

function readTriggering(file: EvaFile, triggering: Node): void {
  const { document, suite } = file;
  if (triggering.type !== "map") {
    reject(file, triggering, {
      message: "triggering must be a mapping with should_match, should_not_match or both.",
      fix: "Write the two lists below it.",
    });
    return;
  }
  const lists = [get(triggering, "should_match"), get(triggering, "should_not_match")];
  if (lists.every((list) => list === undefined || isNull(list) || (list.type === "list" && list.items.length === 0))) {
    suite.problems.push(
      suiteProblem("suite/empty", {
        message: "triggering has no query under should_match or should_not_match, so it tests nothing and is skipped.",
        fix: "Add queries to at least one of the two lists, or delete the block.",
        location: document.at(triggering),
      }),
    );
    return;
  }
  lists.forEach((list, index) => {
    suite.triggers.push(...readQueries(file, list, index === 0));
  });
}

function readQueries(file: EvaFile, list: Node | undefined, shouldTrigger: boolean): Trigger[] {
  const { document, skill, suite } = file;
  if (list === undefined || isNull(list)) return [];
  const key = shouldTrigger ? "should_match" : "should_not_match";
  if (list.type !== "list") {
    const fix = "Put each query on its own line, after a dash.";
    reject(file, list, { message: `${key} must be a list of queries.`, fix });
    return [];
  }
  return list.items.flatMap((item) => {
    const query = text(item);
    if (query === undefined || query.trim() === "") {
      reject(file, item, {
        message: `Every entry of ${key} must be a query: text that is not empty.`,
        fix: "Write the query, in quotes, or delete the entry.",
      });
      return [];
    }
    if (skill === undefined) {
      suite.problems.push(
        suiteProblem("suite/not-understood", {
          message: "This query is not asked: the file is neither in a prompt folder nor in a skill's folder.",
          fix: "Put eval.yml into the prompt folder, next to meta.yml.",
          location: document.at(item),
        }),
      );
      return [];
    }
    return makeTrigger({ skill, query, expect: expectation({ skill, shouldTrigger }), source: document.at(item) });
  });
}

async function readCases(file: EvaFile, list: Node | undefined): Promise<void> {
  if (list === undefined || isNull(list)) return;
  if (list.type !== "list") {
    reject(file, list, { message: "cases must be a list.", fix: "Begin each case with a dash." });
    return;
  }
  for (const item of list.items) {
    const message = "A case must be a mapping with name, inputs and assert or rubric.";
    if (item.type !== "map") reject(file, item, { message, fix: "Add these keys." });
    else await readCase(file, item);
  }
}

async function readCase(file: EvaFile, item: MapNode): Promise<void> {
  const { document, skill, suite, context } = file;
  const name = text(get(item, "name"));
  const complain = (message: string, fix: string) => reject(file, item, { message, fix });
  if (name === undefined || name.trim() === "") complain("This case has no name.", "Add `name:`; reports use it.");
  suite.problems.push(...unknownKeys(document, item, { known: caseKeys, where: "a case" }));
  const called = name ?? "This case";
  const given = get(item, "inputs");
  const from = text(get(item, "inputs_from"));
  if (given === undefined && from === undefined)
    complain(
      `${called} has neither inputs nor inputs_from.`,
      "Add `inputs:` with the template's variables, or `inputs_from:` with a folder that has an inputs.yml.",
    );
  if (given !== undefined && given.type !== "map" && !isNull(given))
    complain(`The inputs of ${called} must be a mapping.`, "Write `variable: value` lines under `inputs:`.");
  const graders = [...readAsserts(file, get(item, "assert"), called), ...readRubric(item)];
  if (get(item, "assert") === undefined && get(item, "rubric") === undefined)
    complain(`${called} has neither assert nor rubric, so nothing would be checked.`, "Add one of them.");
  const loaded = await loadInputs(file, get(item, "inputs_from"));
  const judge = get(item, "judge");
  suite.problems.push(...unknownKeys(document, judge, { known: caseJudgeKeys, where: "judge" }));
  const threshold = number(get(judge, "pass_threshold"));
  const judgeModel = text(get(judge, "model"));
  suite.cases.push(
    makeCase({
      name,
      id: name,
      skill,
      tags: texts(get(item, "tags")),
      template: {
        file: join(dirname(document.file), "prompt.xml"),
        within: document.within,
        inputs: { ...loaded?.inputs, ...inputsIn(given) },
        ...(await optionalInputs(document, context)),
        inputsFile: loaded?.file,
      },
      graders,
      judge: judge === undefined ? undefined : { model: judgeModel, passThreshold: threshold },
      limits: defined({ timeoutSeconds: positiveNumber(get(item, "timeout_s")) }),
      source: document.at(item),
    }),
  );
}

const ops = new Set([
  "contains",
  "not_contains",
  "contains_any",
  "contains_all",
  "matches",
  "not_matches",
  "min_tokens",
  "max_tokens",
  "json_schema",
]);

function readAsserts(file: EvaFile, list: Node | undefined, called: string): GraderSpec[] {
  if (list === undefined || isNull(list)) return [];
  if (list.type !== "list") {
    const fix = 'Put each assertion after a dash: `- contains: "text"`.';
    reject(file, list, { message: `The assert of ${called} must be a list.`, fix });
    return [];
  }
  return list.items.flatMap((item) => {
    if (item.type !== "map" || item.entries.length === 0) {
      const fix = `The assertions are ${[...ops].join(", ")}.`;
      reject(file, item, { message: "An assertion must be `assertion: value`.", fix });
      return [];
    }
    return item.entries.flatMap((entry): GraderSpec[] => {
      if (ops.has(entry.key)) return [{ type: entry.key, config: evaConfig(entry.key, entry.value) }];
      file.suite.problems.push(
        suiteProblem("suite/invalid", {
          message: `There is no assertion "${entry.key}".`,
          fix: didYouMean(entry.key, ops, `The assertions are ${[...ops].join(", ")}.`, { most: 1 }),
          location: file.document.at(entry.start),
        }),
      );
      return [];
    });
  });
}

/** eva's patterns are Python's, in which `\w` matches all letters and `$` matches before a final newline. */
function evaConfig(op: string, value: Node): Record<string, unknown> {
  const config = { value: configOf(op, value) };
  return op === "matches" || op === "not_matches" ? { ...config, syntax: "python" } : config;
}

function readRubric(item: MapNode): GraderSpec[] {
  const rubric = text(get(item, "rubric"));
  if (rubric === undefined || rubric.trim() === "") return [];
  const judge = get(item, "judge");
  const threshold = number(get(judge, "pass_threshold"));
  const model = text(get(judge, "model"));
  return [
    {
      type: "rubric",
      config: defined({ rubric, pass_threshold: threshold, votes: number(get(judge, "votes")), model }),
    },
  ];
}

/** Looks in the root first, then in the prompt's folder; never outside the root. */
async function loadInputs(
  { document, suite: { problems }, context }: EvaFile,
  at: Node | undefined,
): Promise<{ file: string; inputs: Record<string, unknown> } | undefined> {
  const from = text(at);
  if (at === undefined || from === undefined) return undefined;
  const { root } = context.names.library;
  const named = [resolve(root, from, "inputs.yml"), resolve(dirname(document.file), from, "inputs.yml")].filter(
    (place) => isWithin(root, place),
  );
  const places = named.filter((place) => kindAt(place, root) !== "outside");
  const file = places.find((place) => isTaken(place));
  if (file === undefined && (named.length === 0 || places.length < named.length)) {
    problems.push(
      suiteProblem("suite/file-escapes", {
        message: `inputs_from "${from}" points outside the library's folder and is not read.`,
        fix: "Use a relative path without `..` or links that lead out.",
        location: document.at(at),
      }),
    );
    return undefined;
  }
  if (file === undefined) {
    problems.push(
      suiteProblem("suite/missing-file", {
        message: `There is no inputs.yml in "${from}", relative to the root or to this folder.`,
        fix: "Add it, or correct inputs_from.",
        location: document.at(at),
      }),
    );
    return undefined;
  }
  context.claim(file);
  const loaded = await context.load(file);
  if (loaded === undefined) return undefined;
  if (loaded.root.type !== "map") {
    problems.push(
      suiteProblem("suite/invalid", {
        message: "inputs.yml must be a mapping of the template's variables.",
        fix: "Write `variable: value` lines.",
        location: loaded.at(0),
      }),
    );
    return undefined;
  }
  return { file, inputs: inputsIn(loaded.root) };
}

async function optionalInputs(
  document: Document,
  context: ReadContext,
): Promise<{ defaults?: Record<string, unknown> }> {
  const file = join(dirname(document.file), "meta.yml");
  const meta = kindAt(file, document.within) === "file" ? await context.load(file) : undefined;
  const declared = get(meta?.root, "inputs") ?? get(meta?.root, "variables");
  const all =
    declared?.type === "map"
      ? declared.entries.map(({ key, value }) => ({ name: key, input: value }))
      : items(declared).map((input) => ({ name: text(get(input, "name")) ?? text(get(input, "id")), input }));
  const defaults = Object.fromEntries(
    all.flatMap(({ name, input }) => {
      const value = get(input, "default");
      const isOptional = boolean(get(input, "required")) === false || value !== undefined;
      return name === undefined || !isOptional ? [] : [[name, value === undefined ? "" : plain(value)]];
    }),
  );
  return Object.keys(defaults).length === 0 ? {} : { defaults };
}

function inputsIn(node: Node | undefined): Record<string, unknown> {
  return node?.type === "map" ? Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)])) : {};
}
