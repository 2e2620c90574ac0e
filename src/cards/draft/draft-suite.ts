import { basename, dirname, join } from "node:path";
import { isSafeSegment } from "../../base/index.ts";
import { contentWords, normalText, quotes } from "../../check/index.ts";
import { namesOf } from "../../exam/find/index.ts";
import { resolveExpect } from "../../formats/index.ts";
import type { Library, Skill, Suite, Trigger } from "../../model/index.ts";
import { type DraftPrompt, draftPrompts, draftTopics } from "./prompts.ts";
import { type DraftNegative, draftYaml, type SuiteDraft } from "./yaml.ts";

interface DraftRequest {
  library: Library;
  skill: Skill;
  suites: readonly Suite[];
  /** The other skills, nearest first. */
  siblings: readonly Skill[];
  /** Clauses of a skill's card on what it is for. */
  purposes(skill: Skill): readonly string[];
  /** 0 to 1: how much a prompt sounds like the skill. Close prompts of siblings make the best negatives. */
  closeness(query: string): number;
}

const MOST = {
  positives: 3,
  negatives: 4,
  perSibling: 2,
  slots: 2,
  topics: 4,
  avoided: 8,
  considered: 8,
  siblings: 12,
};

/** Drafts a first suite for a skill; deterministic for a given library. */
export function draftSuite(request: DraftRequest): SuiteDraft {
  const { library, skill, suites } = request;
  const asked = askedOf(suites, skill, library);
  const isNew = ({ query }: { query: string }) => !asked.has(normalText(query));
  const prompts = promptsOf(skill, request, MOST.positives);
  const positives = prompts.filter(isNew);
  const negatives = negativesOf(request, new Set([...asked, ...positives.map(({ query }) => normalText(query))]));
  const slots = positives.slice(0, MOST.slots).map(({ query }) => ({ like: query }));
  const file = placeOfSuite(skill, suites, library);
  const topics = draftTopics({ purposes: request.purposes(skill) }, MOST.topics);
  const avoid = [...new Set(normalText(skill.card.description).split(" "))]
    .filter((word) => contentWords(word).size > 0)
    .slice(0, MOST.avoided);
  const text = draftYaml({ library, skill, file, positives, negatives, slots, topics, avoid });
  return { file, text, positives, negatives, slots, topics };
}

function promptsOf(skill: Skill, { purposes }: DraftRequest, most: number): DraftPrompt[] {
  return draftPrompts({ name: skill.name, description: skill.card.description, purposes: purposes(skill) }, most);
}

/** Prompts that suites already have about this skill, so that the draft neither repeats nor contradicts them. */
function askedOf(suites: readonly Suite[], skill: Skill, library: Library): Set<string> {
  const asked = new Set<string>();
  for (const trigger of suites.flatMap(({ triggers }) => triggers)) {
    const { required_skills, forbidden_skills, also_fine } = resolved(trigger, library);
    if ([...required_skills, ...forbidden_skills, ...also_fine].includes(skill.id))
      asked.add(normalText(trigger.query));
  }
  return asked;
}

function resolved(trigger: Trigger, library: Library): Trigger["expect"] {
  const found = resolveExpect(trigger.expect, library, trigger.source.file);
  return "invalid" in found ? trigger.expect : found;
}

function negativesOf(request: DraftRequest, asked: ReadonlySet<string>): DraftNegative[] {
  const { siblings, suites, library } = request;
  const headline = headlinesOf(suites, library);
  const offers = siblings
    .slice(0, MOST.siblings)
    .flatMap((sibling, rank) =>
      offersOf(sibling, headline.get(sibling.id) ?? [], request).map((offer) => ({ ...offer, rank })),
    )
    .sort((a, b) => b.closeness - a.closeness || a.rank - b.rank);
  const found: DraftNegative[] = [];
  const used = new Set(asked);
  for (const { query, expect, source } of offers) {
    const isEnough =
      found.length >= MOST.negatives || found.filter((one) => one.expect === expect).length >= MOST.perSibling;
    if (isEnough || used.has(normalText(query))) continue;
    used.add(normalText(query));
    found.push({ query, expect, source });
  }
  return found;
}

/** Prompts that people wrote for exactly one skill, by skill, in suite order. */
function headlinesOf(suites: readonly Suite[], library: Library): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const trigger of suites.flatMap(({ triggers }) => triggers)) {
    if (trigger.draft || trigger.skip !== undefined || trigger.files.length > 0 || trigger.messages.length > 0)
      continue;
    if (/^\s*[/$]\p{L}/u.test(trigger.query)) continue;
    const { required_skills } = resolved(trigger, library);
    const [only, second] = required_skills;
    if (only === undefined || second !== undefined) continue;
    found.set(only, [...(found.get(only) ?? []), trigger.query]);
  }
  return found;
}

function offersOf(
  sibling: Skill,
  headline: readonly string[],
  request: DraftRequest,
): (DraftNegative & { closeness: number })[] {
  const own = headline.filter((query) => !quotes(query, sibling.card.description)).slice(0, MOST.considered);
  const source = own.length > 0 ? "suite" : "card";
  const queries = own.length > 0 ? own : promptsOf(sibling, request, MOST.perSibling).map(({ query }) => query);
  return queries.map((query) => ({ query, expect: sibling.id, source, closeness: request.closeness(query) }));
}

/** A skill's first suite goes where the library keeps its suites, else into the skill's own folder. */
function placeOfSuite(skill: Skill, suites: readonly Suite[], library: Library): string {
  const folders = suiteFolders(suites, library);
  const inside = suites.filter(({ file }) => namesOf(library).owner(file)?.by === "inside").length;
  const [folder, count] = [...folders].sort((a, b) => b[1] - a[1])[0] ?? [undefined, 0];
  const isUnique = library.skills.filter(({ name }) => name === skill.name).length === 1;
  if (folder !== undefined && count >= inside && isUnique && isSafeSegment(skill.name))
    return join(folder, skill.name, "triggers.yaml");
  return join(skill.dir, "evals", "triggers.yaml");
}

/** Folders with one folder per skill, such as evals/order-status/, and the number of suites in each. */
function suiteFolders(suites: readonly Suite[], library: Library): Map<string, number> {
  const found = new Map<string, number>();
  for (const { file } of suites) {
    const owner = namesOf(library).owner(file);
    const folder = dirname(file);
    if (
      owner?.by !== "folder" ||
      owner.skill === undefined ||
      ![owner.skill.name, basename(owner.skill.dir)].includes(basename(folder))
    )
      continue;
    found.set(dirname(folder), (found.get(dirname(folder)) ?? 0) + 1);
  }
  return found;
}
