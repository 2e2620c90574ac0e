import { purposesOf } from "../cards/purposes.ts";
import type { RouterCard } from "../firing/score-cards.ts";
import type { Router } from "../router.ts";
import { tellingWords } from "../words/telling-words.ts";
import { type CommonPhrase, createOverlap, type Overlap } from "./overlap.ts";

/** What the cards of a library alone say about who will be taken for whom. */
export interface Collisions {
  /** Skills that compete, the riskiest first. */
  pairs: CollidingPair[];
  /** How many more there are, less risky than all of these. */
  pairsLeftOff: number;
  /** Skills that fire on what many siblings say they are for, the greediest first. */
  broad: BroadSkill[];
  /** Skills whose card hardly says when they are meant. */
  vague: VagueSkill[];
  /** What so many cards say that it tells none of them apart. */
  common: CommonPhrase[];
}

export interface CollidingPair {
  skills: readonly [string, string];
  /** 0 to 1: how much the cards say the same, and more where one fires on the clauses of the other. */
  risk: number;
  overlap: number;
  /** The share of the first one's clauses on which the second fires too, and the other way round. */
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

/** Reads every card's clauses as if they were queries: who else would fire on them? */
export function collisionsOf(cards: readonly RouterCard[], router: Router): Collisions {
  const known = cards.filter(({ modelInvocable }) => modelInvocable !== false);
  const at = new Map(known.map(({ id }, index) => [id, index]));
  const purposes = known.map(({ card }) => purposesOf(card));
  const readings = purposes.map((clauses, index) => readCard(clauses, index, at, router));
  const overlap = createOverlap(known.map(({ card }, index) => [card.name, ...purposes[index]!]));
  const { pairs, leftOff } = pairsOf(known, readings, overlap);
  return {
    pairs,
    pairsLeftOff: leftOff,
    broad: broadSkills(known, readings),
    vague: vagueSkills(known, purposes, readings, router.needs),
    common: overlap.common(Math.max(FEWEST_TO_BE_COMMON, SHARE_TO_BE_COMMON * known.length), MOST_PHRASES),
  };
}

interface CardReading {
  /** How many clauses were read. */
  clauses: number;
  /** Its own best score for one of them. */
  own: number;
  /** By sibling: its best score for a clause, and on how many it fires. */
  siblings: Map<number, { best: number; fires: number }>;
}

/** Enough clauses to know a card by; fewer of each in a library so large that it would take long. */
const clausesPerCard = (cards: number) => Math.min(6, Math.max(3, Math.ceil(3_000 / cards)));
const LONGEST_CLAUSE = 400;
/** Below this a sibling is no rival. */
const FAINT = 0.2;
/** A clause on which so many fire is boilerplate: it says nothing about any two of them. */
const FEWEST_IN_A_CROWD = 5;
const SHARE_OF_A_CROWD = 0.15;

function readCard(purposes: readonly string[], self: number, at: ReadonlyMap<string, number>, router: Router): CardReading {
  const clauses = purposes
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
    .sort((a, b) => b.length - a.length)
    .slice(0, clausesPerCard(at.size))
    .map((clause) => clause.slice(0, LONGEST_CLAUSE));
  const reading: CardReading = { clauses: clauses.length, own: 0, siblings: new Map() };
  for (const clause of clauses) {
    const scores = router.scores(clause);
    const crowd = scores.filter(({ score }) => score >= router.needs).length;
    const boilerplate = crowd > Math.max(FEWEST_IN_A_CROWD, SHARE_OF_A_CROWD * at.size);
    if (boilerplate) reading.clauses--;
    for (const { skill, score } of scores) {
      const index = at.get(skill);
      if (index === undefined) continue;
      if (index === self) reading.own = Math.max(reading.own, score);
      else if (score >= FAINT) {
        const before = reading.siblings.get(index) ?? { best: 0, fires: 0 };
        const fires = score >= router.needs && !boilerplate;
        reading.siblings.set(index, { best: Math.max(before.best, score), fires: before.fires + Number(fires) });
      }
    }
  }
  return reading;
}

/** Firing on a sibling's words counts beside saying the same, but less: clauses are no queries. */
const TAKING = 0.25;
/** Pairs below this are as unlike as any two skills. */
const LEAST_RISK = 0.15;
const MOST_PAIRS = 2_000;
const MOST_PHRASES = 5;
/** A phrase of so many cards, and of this share of them, sets none of them apart. */
const FEWEST_TO_BE_COMMON = 4;
const SHARE_TO_BE_COMMON = 0.3;

function pairsOf(
  cards: readonly RouterCard[],
  readings: readonly CardReading[],
  overlap: Overlap,
): { pairs: CollidingPair[]; leftOff: number } {
  const pairs: { a: number; b: number; risk: number; overlap: number; taken: [number, number] }[] = [];
  for (const [a, reading] of readings.entries()) {
    for (const b of reading.siblings.keys()) {
      // A pair is met from either side; the one with the smaller index takes it, unless only the other knows it.
      if (b < a && readings[b]!.siblings.has(a)) continue;
      const [first, second] = a < b ? [a, b] : [b, a];
      const taken: [number, number] = [share(readings[first]!, second), share(readings[second]!, first)];
      const same = overlap.of(first, second);
      const risk = Math.min(1, same + TAKING * Math.max(...taken));
      if (risk >= LEAST_RISK) pairs.push({ a: first, b: second, risk, overlap: same, taken });
    }
  }
  const riskiest = pairs
    .sort((x, y) => y.risk - x.risk || x.a - y.a || x.b - y.b)
    .slice(0, MOST_PAIRS)
    .map(
      ({ a, b, risk, overlap: same, taken }): CollidingPair => ({
        skills: [cards[a]!.id, cards[b]!.id],
        risk: rounded(risk),
        overlap: rounded(same),
        taken: [rounded(taken[0]), rounded(taken[1])],
        phrases: overlap.phrases(a, b, MOST_PHRASES),
      }),
    );
  return { pairs: riskiest, leftOff: pairs.length - riskiest.length };
}

function share({ clauses, siblings }: CardReading, sibling: number): number {
  return clauses === 0 ? 0 : (siblings.get(sibling)?.fires ?? 0) / clauses;
}

/** With fewer telling words than this, a query can hardly hit the card. */
const FEWEST_TELLING = 3;

function vagueSkills(
  cards: readonly RouterCard[],
  purposes: readonly string[][],
  readings: readonly CardReading[],
  needs: number,
): VagueSkill[] {
  return cards.flatMap(({ id }, index) => {
    const telling = tellingWords(purposes[index]!.join(" "));
    return telling.length < FEWEST_TELLING || readings[index]!.own < needs ? [{ skill: id, telling }] : [];
  });
}

/** Taking from a few neighbours is a pair's business; this many, and a twentieth of the library, is a habit. */
const FEWEST_VICTIMS = 3;
const SHARE_OF_VICTIMS = 0.05;

function broadSkills(cards: readonly RouterCard[], readings: readonly CardReading[]): BroadSkill[] {
  const victims = cards.map((): string[] => []);
  readings.forEach(({ siblings }, from) => {
    for (const sibling of siblings.keys()) if (share(readings[from]!, sibling) >= 0.5) victims[sibling]!.push(cards[from]!.id);
  });
  const least = Math.max(FEWEST_VICTIMS, SHARE_OF_VICTIMS * (cards.length - 1));
  return victims
    .flatMap((takesFrom, index) => (takesFrom.length >= least ? [{ skill: cards[index]!.id, takesFrom }] : []))
    .sort((a, b) => b.takesFrom.length - a.takesFrom.length || (a.skill < b.skill ? -1 : 1));
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
