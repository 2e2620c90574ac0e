import { type Location, relativePosix, VERSION } from "../../base/index.ts";
import type { CollidingPair, Collisions, ExpectedPrompt, TakenPrompt } from "../../cards/index.ts";

/** A stable, versioned document: within a version, keys are added but never changed or removed. */
export function collisionsJson({ target, note, cwd, libraries }: FoundCollisions): string {
  const document = {
    version: 1,
    proctor: VERSION,
    target,
    predicted: true,
    note,
    libraries: libraries.map((library) => entry(library, cwd)),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function entry(
  { name, skills, fingerprint, skill, pairs, pairsLeftOff, broad, vague, common, positives, taken }: CollidingLibrary,
  cwd: string,
) {
  return {
    library: { name, skills: skills.length, fingerprint },
    skill,
    pairs: pairs.map((pair) => ({ ...pair, advice: pairAdvice(pair) })),
    pairs_left_off: pairsLeftOff,
    broad: broad.map(({ skill: id, takesFrom }) => ({ skill: id, takes_from: takesFrom })),
    vague,
    common: common.map(({ phrase, texts }) => ({ phrase, skills: texts })),
    suites: { positives, taken: taken.map((one) => question(one, cwd)) },
  };
}

function question(
  { positive: { query, expected, source }, by, score, expectedScore, wins }: TakenQuestion,
  cwd: string,
) {
  return {
    query,
    expected,
    by,
    score,
    expected_score: expectedScore,
    wins,
    file: relativePosix(cwd, source.file),
    line: source.line,
  };
}

export function pairAdvice({ skills: [a, b], overlap, taken: [fromA, fromB], phrases }: CollidingPair): string {
  // If one card names the other skill, that name is a shared phrase too, but it needs no narrowing.
  const shared = phrases.filter((phrase) => ![a, b].some((id) => localName(id) === phrase.toLowerCase()));
  if (localName(a) === localName(b))
    return `Two skills share a name: say in the first words of each which ${a.includes(":") ? "product" : "case"} it is for, or keep only one.`;
  if (overlap >= 0.7)
    return "The cards say nearly the same: merge the skills, or start each card with what only that skill does.";
  if (fromA >= 0.5 && fromA >= 2 * fromB) return narrow(b, a);
  if (fromB >= 0.5 && fromB >= 2 * fromA) return narrow(a, b);
  const claimed = shared.find((phrase) => /\s/.test(phrase));
  const fires = fromA > 0 || fromB > 0;
  // A word or two in common is no competing claim.
  if (claimed === undefined && !fires)
    return `They have words in common${shared.length === 0 ? "" : ` (${shared.slice(0, 3).join(", ")})`}, but neither fires on what the other is for: nothing to do unless prompts go astray.`;
  const both = claimed === undefined ? "are about much the same" : `mention "${claimed}"`;
  return `Both ${both}${fires ? "" : ", but neither fires on the other's clauses yet"}: say in each what only it does, and name the other for the rest ("For …, use ${b}").`;
}

/** One skill takes prompts from the other. Topics they share stay; the advice is to state what each skill does. */
function narrow(taker: string, loser: string): string {
  return `${taker} takes from ${loser}: say in ${taker} what it is not for, and which skill is ("Not for …, use ${loser}").`;
}

function localName(id: string): string {
  return id.slice(Math.max(id.lastIndexOf(":"), id.lastIndexOf("/")) + 1);
}

/** Competing skills by library. */
export interface FoundCollisions {
  target: string;
  /** How far to trust the prediction. */
  note: string;
  /** Paths are shown relative to this folder. */
  cwd: string;
  /** Maximum number of pairs to show. */
  top: number;
  /** The arguments that make a suggested command use the same library, with a leading space. */
  where: string;
  libraries: CollidingLibrary[];
}

export interface CollidingLibrary extends Collisions {
  name: string;
  fingerprint: string;
  /** Ids of all skills of the library. */
  skills: string[];
  /** Number of positive questions in the library's suites. */
  positives: number;
  taken: TakenQuestion[];
  /** Restricts the output to this skill. */
  skill?: string;
}

export type TakenQuestion = TakenPrompt<ExpectedPrompt & { source: Location }>;

export const COMPETING = 0.3;
