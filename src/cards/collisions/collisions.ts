import { purposesOf } from "../clauses/clauses.ts";
import type { RouterCard } from "../ranking/card-index.ts";
import type { Router } from "../router.ts";
import { tellingWords } from "../words/terms.ts";
import { createOverlap, type Overlap } from "./overlap.ts";
import type { CommonPhrase } from "./phrases.ts";

/** Skills of a library that are likely to be confused, judged by their cards alone. */
export interface Collisions {
  /** Skills that compete, the riskiest first. */
  pairs: CollidingPair[];
  /** Pairs not listed, all of them less risky. */
  pairsLeftOff: number;
  /** Skills that fire on many siblings' own clauses, the broadest first. */
  broad: BroadSkill[];
  /** Skills whose card hardly says when to use them. */
  vague: VagueSkill[];
  /** Phrases on so many cards that they distinguish none of them. */
  common: CommonPhrase[];
}

export interface CollidingPair {
  skills: readonly [string, string];
  /** 0 to 1: the overlap of the cards, plus a part of how often one fires on the other's clauses. */
  risk: number;
  overlap: number;
  /** The share of the first skill's clauses on which the second fires too, and the other way round. */
  taken: readonly [number, number];
  /** Wording the cards share, the most distinctive first. */
  phrases: string[];
}

interface BroadSkill {
  skill: string;
  takesFrom: string[];
}

interface VagueSkill {
  skill: string;
  /** The few distinctive words of its card. */
  telling: string[];
}

/** Puts every card's clauses to the router as if they were queries and sees which siblings fire. */
export function collisionsOf(cards: readonly RouterCard[], router: Router): Collisions {
  const invocable = cards.filter(({ modelInvocable }) => modelInvocable !== false);
  const positions = new Map(invocable.map(({ id }, at) => [id, at]));
  const purposes = invocable.map(({ card }) => purposesOf(card));
  // `!`: every card has its purposes.
  const overlap = createOverlap(invocable.map(({ card }, at) => [card.name, ...purposes[at]!]));
  const readings = invocable.map((card, at) => {
    const near = overlap.above(at, LEAST_RISK - ROUNDING).flatMap((other) => invocable[other]?.id ?? []);
    const { reading, fires } = readCard(
      { id: card.id, name: card.card.name, purposes: purposes[at]!, self: at },
      positions,
      router,
      near,
    );
    // Computed here because the overlap with one card takes a pass over all cards, and only the last is kept.
    return { ...reading, siblings: rivalsOf(fires, (rival) => overlap.of(at, rival)) };
  });
  const common = overlap.common(Math.max(FEWEST_TO_BE_COMMON, SHARE_TO_BE_COMMON * readings.length), MOST_PHRASES);
  const { pairs, leftOff } = pairsOf(readings, overlap, common);
  return {
    pairs,
    pairsLeftOff: leftOff,
    broad: broadSkills(readings),
    vague: vagueSkills(readings, router.needs),
    common,
  };
}

/** How the router answered a card's clauses. Siblings are positions in the list of readings, hence `readings[at]!`. */
interface CardReading {
  id: string;
  name: string;
  purposes: string[];
  /** Clauses read, without boilerplate. */
  clauses: number;
  /** The skill's own best score on its clauses. */
  own: number;
  /** Skills that fire on one of its clauses, and those with a similar card. */
  siblings: Rivals;
}

/** Clauses to read per card; fewer in large libraries, to bound the time. */
const clausesPerCard = (cards: number) => Math.min(6, Math.max(3, Math.ceil(3_000 / cards)));
const LONGEST_CLAUSE = 400;
/** Siblings that score lower are not rivals. */
const FAINT = 0.2;
/** A clause on which more skills fire than this is boilerplate. */
const FEWEST_IN_A_CROWD = 5;
const SHARE_OF_A_CROWD = 0.15;

function readCard(
  { id, name, purposes, self }: { id: string; name: string; purposes: string[]; self: number },
  positions: ReadonlyMap<string, number>,
  router: Router,
  near: readonly string[],
): { reading: CardReading; fires: ReadonlyMap<number, number> } {
  const clauses = purposes
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
    .sort((a, b) => b.length - a.length)
    .slice(0, clausesPerCard(positions.size))
    .map((clause) => clause.slice(0, LONGEST_CLAUSE));
  const reading: CardReading = { id, name, purposes, clauses: clauses.length, own: 0, siblings: NO_RIVALS };
  const fires = new Map<number, number>();
  for (const clause of clauses) {
    // Rivals that neither fire nor overlap are no risk, so they are not scored.
    const scores = router.scores(clause, { least: router.needs, also: [id, ...near] });
    const crowd = scores.filter(({ score }) => score >= router.needs).length;
    const boilerplate = crowd > Math.max(FEWEST_IN_A_CROWD, SHARE_OF_A_CROWD * positions.size);
    if (boilerplate) reading.clauses--;
    for (const { skill, score } of scores) {
      const at = positions.get(skill);
      if (at === undefined) continue;
      if (at === self) reading.own = Math.max(reading.own, score);
      else if (score >= FAINT) {
        fires.set(at, (fires.get(at) ?? 0) + Number(score >= router.needs && !boilerplate));
      }
    }
  }
  return { reading, fires };
}

/** Weight of firing on a sibling's clauses, which counts less than overlap because clauses are not queries. */
const TAKING = 0.25;
/** Two unrelated skills have about this risk. */
const LEAST_RISK = 0.15;
/** Exceeds the rounding error of summing in another order. */
const ROUNDING = 1e-9;
const MOST_PAIRS = 2_000;
const MOST_PHRASES = 5;
/** A phrase is common if it is on this many cards and on this share of them. */
const FEWEST_TO_BE_COMMON = 4;
const SHARE_TO_BE_COMMON = 0.3;

function pairsOf(
  readings: readonly CardReading[],
  overlap: Overlap,
  common: readonly CommonPhrase[],
): { pairs: CollidingPair[]; leftOff: number } {
  let pairs: Pair[] = [];
  let count = 0;
  for (const [a, reading] of readings.entries()) {
    for (const [place, b] of reading.siblings.positions.entries()) {
      // A pair may be found from both sides; the smaller position lists it unless only the other knows it.
      const fires = firesOf(readings[b]!.siblings, a);
      if (b < a && fires !== undefined) continue;
      const own = shareTaken(reading, b);
      const others = readings[b]!.clauses === 0 ? 0 : (fires ?? 0) / readings[b]!.clauses;
      // `!`: there is an overlap for every rival.
      const same = reading.siblings.overlaps[place]!;
      const risk = Math.min(1, same + TAKING * Math.max(own, others));
      if (risk < LEAST_RISK) continue;
      count++;
      pairs.push(
        a < b
          ? { a, b, risk, overlap: same, taken: [own, others] }
          : { a: b, b: a, risk, overlap: same, taken: [others, own] },
      );
    }
    // A large library has millions of pairs; drop those that cannot be shown.
    if (pairs.length > 4 * MOST_PAIRS) pairs = riskiestOf(pairs);
  }
  const riskiest = riskiestOf(pairs).map(
    ({ a, b, risk, overlap: same, taken }): CollidingPair => ({
      skills: [readings[a]!.id, readings[b]!.id],
      risk: rounded(risk),
      overlap: rounded(same),
      taken: [rounded(taken[0]), rounded(taken[1])],
      // Common phrases say nothing about this pair.
      phrases: overlap
        .phrases(a, b, MOST_PHRASES + common.length)
        .filter((phrase) => !common.some((one) => isPartOf(one.phrase, phrase) || isPartOf(phrase, one.phrase)))
        .slice(0, MOST_PHRASES),
    }),
  );
  return { pairs: riskiest, leftOff: count - riskiest.length };
}

function isPartOf(part: string, whole: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase());
}

interface Pair {
  a: number;
  b: number;
  risk: number;
  overlap: number;
  taken: [number, number];
}

function riskiestOf(pairs: Pair[]): Pair[] {
  return pairs.sort((x, y) => y.risk - x.risk || x.a - y.a || x.b - y.b).slice(0, MOST_PAIRS);
}

function shareTaken({ clauses, siblings }: CardReading, sibling: number): number {
  return clauses === 0 ? 0 : (firesOf(siblings, sibling) ?? 0) / clauses;
}

/** With fewer distinctive words than this, hardly any query finds the card. */
const FEWEST_TELLING = 3;

function vagueSkills(readings: readonly CardReading[], needs: number): VagueSkill[] {
  return readings.flatMap(({ id, purposes, own }) => {
    const telling = tellingWords(purposes.join(" "));
    return telling.length < FEWEST_TELLING || own < needs ? [{ skill: id, telling }] : [];
  });
}

/** A skill is broad if it takes from this many siblings and from this share of the library. */
const FEWEST_VICTIMS = 3;
const SHARE_OF_VICTIMS = 0.05;

function broadSkills(readings: readonly CardReading[]): BroadSkill[] {
  const victims = readings.map((): string[] => []);
  for (const reading of readings) {
    for (const sibling of reading.siblings.positions)
      if (shareTaken(reading, sibling) >= 0.5) victims[sibling]!.push(reading.id);
  }
  const least = Math.max(FEWEST_VICTIMS, SHARE_OF_VICTIMS * (readings.length - 1));
  return readings
    .map(({ id }, at) => ({ skill: id, takesFrom: victims[at]! }))
    .filter(({ takesFrom }) => takesFrom.length >= least)
    .sort((a, b) => b.takesFrom.length - a.takesFrom.length || (a.skill < b.skill ? -1 : 1));
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/**
 * A skill's rivals: ascending positions, the number of its clauses each fires on, and the overlap with each card. In
 * typed arrays, because large libraries have millions of them.
 */
interface Rivals {
  positions: Int32Array;
  fires: Uint8Array;
  overlaps: Float64Array;
}

const NO_RIVALS: Rivals = { positions: new Int32Array(), fires: new Uint8Array(), overlaps: new Float64Array() };

function rivalsOf(fires: ReadonlyMap<number, number>, overlap: (rival: number) => number): Rivals {
  const positions = Int32Array.from(fires.keys()).sort();
  return {
    positions,
    fires: Uint8Array.from(positions, (at) => fires.get(at) ?? 0),
    overlaps: Float64Array.from(positions, overlap),
  };
}

/** Number of clauses the sibling fires on; undefined if it is not a rival. */
function firesOf({ positions, fires }: Rivals, sibling: number): number | undefined {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // `!`: the middle lies between two places of the array.
    if (positions[middle]! < sibling) low = middle + 1;
    else high = middle;
  }
  return positions[low] === sibling ? fires[low] : undefined;
}
