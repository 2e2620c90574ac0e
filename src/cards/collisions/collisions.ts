import { purposesOf } from "../clauses/clauses.ts";
import type { RouterCard } from "../ranking/card-index.ts";
import type { Router } from "../router.ts";
import { tellingWords } from "../words/terms.ts";
import { createOverlap, type Overlap } from "./overlap.ts";
import type { CommonPhrase } from "./phrases.ts";

/** Which skills of a library will be confused, as far as their cards alone can tell. */
export interface Collisions {
  /** Skills that compete, the riskiest first. */
  pairs: CollidingPair[];
  /** How many more pairs there are, less risky than all of these. */
  pairsLeftOff: number;
  /** Skills that fire on what many siblings say they are for, the broadest first. */
  broad: BroadSkill[];
  /** Skills whose card hardly says when to use them. */
  vague: VagueSkill[];
  /** Phrases on so many cards that they tell none of them apart. */
  common: CommonPhrase[];
}

export interface CollidingPair {
  skills: readonly [string, string];
  /** 0 to 1: how much the cards say the same, plus how far one fires on the clauses of the other. */
  risk: number;
  overlap: number;
  /** The share of the first skill's clauses on which the second fires too, and the other way round. */
  taken: readonly [number, number];
  /** What both cards say, the most telling first. */
  phrases: string[];
}

interface BroadSkill {
  skill: string;
  /** The siblings on whose clauses it fires. */
  takesFrom: string[];
}

interface VagueSkill {
  skill: string;
  /** The few words of its card that most other skills do not use. */
  telling: string[];
}

/** Reads every card's clauses as if they were queries: which siblings would fire on them? */
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
    // Now, while the overlap with this card is at hand: it takes a pass over all cards.
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

/** What became of a card's clauses when they were put to the router. Siblings are positions in the list of all readings: hence `readings[at]!`. */
interface CardReading {
  id: string;
  name: string;
  purposes: string[];
  /** How many clauses were read. */
  clauses: number;
  /** Its own best score on one of them. */
  own: number;
  /** The rivals that matter, and on how many clauses each of them fires: those that fire at all, and those whose cards say much the same. */
  siblings: Rivals;
}

/** Enough clauses to know a card by; fewer of each in a library so large that it would take long. */
const clausesPerCard = (cards: number) => Math.min(6, Math.max(3, Math.ceil(3_000 / cards)));
const LONGEST_CLAUSE = 400;
/** A sibling with a lower score is no rival. */
const FAINT = 0.2;
/** A clause on which more skills fire than this is boilerplate: it says nothing about any two of them. */
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
    // A rival that fires on nothing and says little the same is no risk: it need not be scored.
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

/** Firing on a sibling's clauses adds to the risk, but less than saying the same: clauses are not queries. */
const TAKING = 0.25;
/** Pairs with a lower risk are as different as any two skills. */
const LEAST_RISK = 0.15;
/** More than adding numbers in another order can change. */
const ROUNDING = 1e-9;
const MOST_PAIRS = 2_000;
const MOST_PHRASES = 5;
/** A phrase on this many cards, and on this share of them, tells none of them apart. */
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
      // A pair turns up from either side; the smaller position takes it, unless only the other side knows it.
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
    // A large library has millions of pairs: what will not be shown is not kept.
    if (pairs.length > 4 * MOST_PAIRS) pairs = riskiestOf(pairs);
  }
  const riskiest = riskiestOf(pairs).map(
    ({ a, b, risk, overlap: same, taken }): CollidingPair => ({
      skills: [readings[a]!.id, readings[b]!.id],
      risk: rounded(risk),
      overlap: rounded(same),
      taken: [rounded(taken[0]), rounded(taken[1])],
      // What most cards say is nothing between these two.
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

/** The share of a card's clauses on which a sibling fires. */
function shareTaken({ clauses, siblings }: CardReading, sibling: number): number {
  return clauses === 0 ? 0 : (firesOf(siblings, sibling) ?? 0) / clauses;
}

/** With fewer telling words than this, hardly any query finds the card. */
const FEWEST_TELLING = 3;

function vagueSkills(readings: readonly CardReading[], needs: number): VagueSkill[] {
  return readings.flatMap(({ id, purposes, own }) => {
    const telling = tellingWords(purposes.join(" "));
    return telling.length < FEWEST_TELLING || own < needs ? [{ skill: id, telling }] : [];
  });
}

/** Taking from a few neighbours is a matter between two skills; from this many, and a twentieth of the library, it is a habit. */
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
 * The rivals of a skill, as positions in rising order, on how many of its clauses each fires, and how much its card says the same.
 * Typed arrays: large libraries have millions of them.
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

/** On how many clauses it fires; undefined where it is no rival. */
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
