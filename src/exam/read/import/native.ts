import { canonicalJson, isWithin, relativePosix, toPosix } from "../../../base/index.ts";
import { contentHash, idOf, inlineSchemas, nativeExpect, promptOf, renderTemplate } from "../../../formats/index.ts";
import { needsJudge } from "../../../graders/index.ts";
import type {
  Case,
  GraderSpec,
  Library,
  Question,
  QuestionFile,
  Responder,
  Suite,
  Trigger,
} from "../../../model/index.ts";

export interface NativeFolder {
  /** Empty for questions about the whole library. */
  skill: string;
  triggers: Record<string, unknown>[];
  evals: Record<string, unknown>[];
  copies: { from: string; within?: string | undefined; to: string }[];
}

export function toNative(suites: readonly Suite[], library: Library): { folders: NativeFolder[]; lost: string[] } {
  const folders = new Map<string, NativeFolder>();
  const lost = new Set<string>();
  const folderOf = (skill: string): NativeFolder => {
    let folder = folders.get(skill);
    if (folder === undefined) {
      folder = { skill, triggers: [], evals: [], copies: [] };
      folders.set(skill, folder);
    }
    return folder;
  };
  for (const suite of suites) {
    for (const problem of suite.problems)
      if (problem.severity !== "info") lost.add(`${place(problem.location, library)}: ${problem.message}`);
    for (const loss of lostSettings(suite)) lost.add(`${place({ file: suite.file }, library)}: ${loss}`);
    for (const trigger of suite.triggers) {
      const folder = folderOf(trigger.skill ?? "");
      folder.triggers.push(nativeTrigger(trigger, suite, folder));
    }
    for (const one of suite.cases) {
      const folder = folderOf(one.skill ?? "");
      folder.evals.push(nativeCase(one, suite, { folder, root: library.root }));
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

function nativeTrigger(trigger: Trigger, suite: Suite, folder: NativeFolder): Record<string, unknown> {
  return {
    query: trigger.query,
    ...nativeLabel(trigger),
    also_fine: unlessEmpty(trigger.expect.also_fine),
    models: unlessEmpty([...(trigger.models ?? [])]),
    ...shared(trigger, suite, folder),
  };
}

/** Uses the words a person would. If these would mean something else, it writes out what is forbidden. */
function nativeLabel({ skill, expect }: Trigger): Record<string, unknown> {
  const {
    required_skills: required,
    forbidden_skills: forbidden,
    also_fine: alsoFine,
    allow_extra: allowExtra,
  } = expect;
  const nobody = required.length === 0 && !allowExtra;
  const should =
    nobody || skill === undefined
      ? undefined
      : required.includes(skill)
        ? true
        : forbidden.includes(skill)
          ? false
          : undefined;
  const named = required.length > 1 || (required.length === 1 && required[0] !== skill) ? required : undefined;
  const others = forbidden.filter((name) => name !== skill || should !== false);
  const base = {
    skill,
    should,
    expect: nobody ? ("none" as const) : named,
    alsoFine,
    exclusive: !nobody && !allowExtra,
    mode: expect.mode === "any_order" ? undefined : expect.mode,
  };
  const isSaid = should !== undefined || base.expect !== undefined;
  const follows = isSaid && meaningOf(nativeExpect(base)) === meaningOf(expect);
  return {
    should_trigger: should,
    expect: nobody ? "none" : named?.length === 1 ? named[0] : named,
    forbid: follows ? undefined : others,
    exclusive: base.exclusive ? true : undefined,
    mode: base.mode,
  };
}

function meaningOf(expect: Trigger["expect"]): string {
  return canonicalJson({
    ...expect,
    forbidden_skills: expect.forbidden_skills.toSorted(),
    also_fine: expect.also_fine.toSorted(),
  });
}

function nativeCase(
  one: Case,
  suite: Suite,
  { folder, root }: { folder: NativeFolder; root: string },
): Record<string, unknown> {
  const graders = ownGraders(one, suite, root);
  // Readers put sentences before graders, so only the first grader can be written as sentences.
  const sentences = graders[0] === undefined ? [] : sentencesOf(graders[0]);
  const { id, ...rest } = shared(one, suite, folder);
  return {
    id,
    name: one.name,
    prompt: promptOf(one),
    expected_output: one.expectedOutput,
    expectations: unlessEmpty(sentences),
    graders: unlessEmpty(sentences.length > 0 ? graders.slice(1) : graders),
    setup: one.setup,
    follow_ups: one.followUps,
    responder: one.responder && nativeResponder(one.responder),
    models: unlessEmpty(one.models),
    ...rest,
  };
}

export function ownGraders(one: Case, suite: Suite, root: string): GraderSpec[] {
  return inlineSchemas(judgedBy(one.graders, suite), suite.file, root);
}

function sentencesOf({ type, config, ...rest }: GraderSpec): string[] {
  const isPlain =
    type === "expectations" && Object.keys(rest).length === 0 && Object.keys(config as object).join() === "statements";
  const statements = isPlain ? (config as { statements: unknown }).statements : [];
  const isWritable =
    Array.isArray(statements) && statements.every((one) => typeof one === "string" && one.trim() !== "");
  return isWritable ? statements : [];
}

function judgedBy(graders: readonly GraderSpec[], { defaults: { model } }: Suite): GraderSpec[] {
  if (model === undefined) return [...graders];
  return graders.map((spec) => (needsJudge(spec) ? { ...spec, config: { model, ...(spec.config as object) } } : spec));
}

function nativeResponder(responder: Responder): Record<string, unknown> {
  const { mostReplies, ...rest } = responder;
  return { ...("rules" in rest ? { replies: rest.rules } : rest), max_replies: mostReplies };
}

function shared(question: Question, suite: Suite, folder: NativeFolder): Record<string, unknown> {
  return {
    id: question.id === idOf(question) ? undefined : question.id,
    files: unlessEmpty(question.files.map((file) => nativeFile(file, folder))),
    messages: unlessEmpty(question.messages),
    tags: unlessEmpty(question.tags),
    runs: question.runs ?? suite.defaults.runs,
    skip: question.skip ?? unaskable(question),
    skip_providers: unlessEmpty(question.skipProviders),
    split: question.split,
    notes: question.notes,
    draft: question.draft ? true : undefined,
    max_turns: question.limits.maxTurns,
    timeout_seconds: question.limits.timeoutSeconds ?? suite.defaults.timeoutSeconds,
  };
}

/** A question that cannot be asked in its own format must not be asked in part here. */
export function unaskable(question: Question): string | undefined {
  const [fault] = question.faults ?? [];
  if (fault !== undefined) return fault.message;
  const missing =
    question.kind === "case" && question.template !== undefined ? renderTemplate(question.template).missing : [];
  return missing.length === 0
    ? undefined
    : `its inputs give no value for ${missing.map((name) => `{{${name}}}`).join(", ")}`;
}

function unlessEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function nativeFile(file: QuestionFile, folder: NativeFolder): unknown {
  if ("content" in file) return file;
  const places = [
    `files/${file.path}`,
    ...Array.from({ length: folder.copies.length + 1 }, (_, at) => `files/${at + 2}/${file.path}`),
  ];
  // Two questions may put different files under one name. `!`: there are more places than copies.
  const to = places.find((one) => folder.copies.every((copy) => copy.to !== one || isSame(copy.from, file.from)))!;
  if (!folder.copies.some((copy) => copy.to === to)) folder.copies.push({ from: file.from, within: file.within, to });
  return to === places[0] ? to : { path: file.path, from: to };
}

function isSame(a: string, b: string): boolean {
  return a === b || contentHash({ path: "", from: a }) === contentHash({ path: "", from: b });
}

/** Two source files may both have a question "1", but ids in one file must differ. */
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

function lostSettings({ defaults }: Suite): string[] {
  const lost: string[] = [];
  if (defaults.model !== undefined) lost.push(`the model ${defaults.model} (choose targets with -t)`);
  if (defaults.judgeModel !== undefined && defaults.judgeModel !== defaults.model)
    lost.push(`the judge's model ${defaults.judgeModel}`);
  return lost;
}

function place({ file, line }: { file: string; line?: number }, library: Library): string {
  const path = isWithin(library.root, file) ? relativePosix(library.root, file) : toPosix(file);
  return `${path}${line === undefined ? "" : `:${line}`}`;
}
