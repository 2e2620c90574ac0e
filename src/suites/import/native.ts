import { isWithin, relativePosix, toPosix } from "../../base/index.ts";
import type { Library } from "../../skills/index.ts";
import { promptOf } from "../ask.ts";
import { idOf } from "../question.ts";
import type { Case, Question, QuestionFile, Responder, Suite, Trigger } from "../suite.ts";

/** One native file to be written, with the files its questions need. */
export interface NativeFolder {
  /** The skill, or "" for questions of the whole library. */
  skill: string;
  triggers: Record<string, unknown>[];
  evals: Record<string, unknown>[];
  copies: { from: string; within?: string | undefined; to: string }[];
  /** The suites it comes from. */
  sources: Set<string>;
}

/** Questions of any format as native ones, by skill; and what a native file cannot express. */
export function toNative(suites: readonly Suite[], library: Library): { folders: NativeFolder[]; lost: string[] } {
  const folders = new Map<string, NativeFolder>();
  const lost = new Set<string>();
  const folderOf = (skill: string, file: string): NativeFolder => {
    let folder = folders.get(skill);
    if (folder === undefined) {
      folder = { skill, triggers: [], evals: [], copies: [], sources: new Set() };
      folders.set(skill, folder);
    }
    folder.sources.add(file);
    return folder;
  };
  for (const suite of suites) {
    for (const problem of suite.problems)
      if (problem.severity !== "info") lost.add(`${place(problem.location, library)}: ${problem.message}`);
    for (const loss of lostSettings(suite)) lost.add(`${place({ file: suite.file }, library)}: ${loss}`);
    for (const trigger of suite.triggers) {
      const folder = folderOf(trigger.skill ?? "", suite.file);
      folder.triggers.push(nativeTrigger(trigger, suite, folder));
      for (const other of otherForbidden(trigger)) {
        const theirs = folderOf(other, suite.file);
        theirs.triggers.push(negativeOf(trigger, other, suite, theirs));
      }
      if (trigger.expect.mode !== "any_order" && trigger.expect.required_skills.length > 1)
        lost.add(`${place(trigger.source, library)}: mode ${trigger.expect.mode} (the order of skills)`);
    }
    for (const one of suite.cases) {
      const folder = folderOf(one.skill ?? "", suite.file);
      folder.evals.push(nativeCase(one, suite, folder));
      if (one.template !== undefined)
        lost.add(`${place(one.source, library)}: the template; the prompt is written out with its inputs filled in`);
    }
  }
  for (const folder of folders.values()) {
    uniqueIds(folder.triggers);
    uniqueIds(folder.evals);
  }
  return { folders: [...folders.values()].sort((a, b) => (a.skill < b.skill ? -1 : 1)), lost: [...lost] };
}

/** Skills that are forbidden and not the one whose question it is: they get a negative of their own, which shares its trials. */
function otherForbidden({ skill, expect }: Trigger): string[] {
  return expect.forbidden_skills.filter((name) => name !== skill);
}

function nativeTrigger(trigger: Trigger, suite: Suite, folder: NativeFolder): Record<string, unknown> {
  const { skill, query, expect } = trigger;
  const { required_skills: required, forbidden_skills: forbidden } = expect;
  const label: Record<string, unknown> = {};
  if (required.length === 0 && !expect.allow_extra) label["expect"] = "none";
  else {
    if (skill !== undefined && required.includes(skill)) label["should_trigger"] = true;
    else if (skill !== undefined && forbidden.includes(skill)) label["should_trigger"] = false;
    if (required.length > 1 || (required.length === 1 && required[0] !== skill))
      label["expect"] = required.length === 1 ? required[0] : required;
    if (!expect.allow_extra) label["exclusive"] = true;
  }
  return { query, ...label, also_fine: unlessEmpty(expect.also_fine), ...shared(trigger, suite, folder) };
}

function negativeOf(trigger: Trigger, skill: string, suite: Suite, folder: NativeFolder): Record<string, unknown> {
  const { required_skills: required } = trigger.expect;
  const winner = required.length === 0 ? {} : { expect: required.length === 1 ? required[0] : required };
  const { id: _, ...rest } = shared({ ...trigger, skill }, suite, folder);
  return { query: trigger.query, should_trigger: false, ...winner, ...rest };
}

function nativeCase(one: Case, suite: Suite, folder: NativeFolder): Record<string, unknown> {
  const isPlain = ({ type, config, ...rest }: Case["graders"][number]) =>
    type === "expectations" && Object.keys(rest).length === 0 && Object.keys(config as object).join() === "statements";
  const sentences = one.graders.filter(isPlain).flatMap((spec) => (spec.config as { statements: string[] }).statements);
  const graders = one.graders.filter((spec) => !isPlain(spec));
  const { id, ...rest } = shared(one, suite, folder);
  return {
    id,
    name: one.name,
    prompt: promptOf(one),
    expected_output: one.expectedOutput,
    expectations: unlessEmpty(sentences),
    graders: unlessEmpty(graders),
    setup: one.setup,
    follow_ups: one.followUps,
    responder: one.responder && nativeResponder(one.responder),
    models: unlessEmpty(one.models),
    ...rest,
  };
}

function nativeResponder(responder: Responder): Record<string, unknown> {
  const { mostReplies, ...rest } = responder;
  return { ...("rules" in rest ? { replies: rest.rules } : rest), max_replies: mostReplies };
}

/** Fields that any question may have; JSON leaves out those that are undefined. */
function shared(question: Question, suite: Suite, folder: NativeFolder): Record<string, unknown> {
  return {
    id: question.id === idOf(question) ? undefined : question.id,
    files: unlessEmpty(question.files.map((file) => nativeFile(file, folder))),
    messages: unlessEmpty(question.messages),
    tags: unlessEmpty(question.tags),
    runs: question.runs ?? suite.defaults.runs,
    skip: question.skip,
    skip_providers: unlessEmpty(question.skipProviders),
    split: question.split,
    notes: question.notes,
    draft: question.draft ? true : undefined,
    max_turns: question.limits.maxTurns,
    timeout_seconds: question.limits.timeoutSeconds ?? suite.defaults.timeoutSeconds,
  };
}

function unlessEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function nativeFile(file: QuestionFile, folder: NativeFolder): unknown {
  if ("content" in file) return file;
  const to = `files/${file.path}`;
  if (!folder.copies.some((copy) => copy.to === to)) folder.copies.push({ from: file.from, within: file.within, to });
  return to;
}

/** Two files may both have a question "1"; in one file each needs a name of its own. */
function uniqueIds(rows: Record<string, unknown>[]): void {
  const used = new Set<unknown>();
  for (const row of rows) {
    const { id } = row;
    if (id === undefined) continue;
    let next = id;
    for (let count = 2; used.has(next); count++) next = `${id}-${count}`;
    used.add(next);
    row["id"] = next;
  }
}

function lostSettings({ defaults, triggers }: Suite): string[] {
  const lost: string[] = [];
  if (defaults.model !== undefined) lost.push(`the model ${defaults.model} (choose targets with -t)`);
  if (defaults.judgeModel !== undefined && defaults.judgeModel !== defaults.model) lost.push(`the judge's model ${defaults.judgeModel}`);
  if (triggers.some(({ models }) => models !== undefined)) lost.push("models, for its triggers (choose targets with -t)");
  return lost;
}

function place({ file, line }: { file: string; line?: number }, library: Library): string {
  const path = isWithin(library.root, file) ? relativePosix(library.root, file) : toPosix(file);
  return `${path}${line === undefined ? "" : `:${line}`}`;
}
