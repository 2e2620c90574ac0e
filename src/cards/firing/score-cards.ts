import type { RouterCard } from "../ranking/card-index.ts";
import { type CardEvidence, noEvidence, type QueryReading } from "../ranking/evidence.ts";
import { invokedName } from "./invoked-skill.ts";
import type { Parameters } from "./parameters.ts";
import { fireLogit, mostLogit, mostStrength, netStrength, strengthOf } from "./strength.ts";

/** A card that may fire on a query. */
export interface ScoredCard {
  evidence: CardEvidence;
  strength: number;
  /** Log-odds that it fires; the score is the probability. */
  logit: number;
  score: number;
}

/** Which cards are wanted: the `most` best, those with a score of `least` or more, and those in `also`. */
export interface Wanted {
  most: number;
  least: number;
  also?: ReadonlySet<number>;
}

const ALL: Wanted = { most: Number.POSITIVE_INFINITY, least: 0 };

/**
 * Weighs the cards that a query was read against: those of the wanted ones that may fire, best first.
 * In a large library most cards share something with most queries. Each gets the most that its strength can be, since the odds of every card depend on the best
 * other one; all else is worked out only for cards whose odds may be high enough to be wanted.
 */
export function createScorer(
  cards: readonly RouterCard[],
  parameters: Parameters,
): (query: string, reading: QueryReading, wanted?: Wanted) => ScoredCard[] {
  const byName = new Map(cards.map(({ card }, at) => [card.name.toLowerCase(), at]));
  const strengths = new Strengths(cards.length, parameters);
  /** 1 for those in `also`, while a query is weighed. */
  const named = new Uint8Array(cards.length);
  const allInvocable = cards.every(({ modelInvocable }) => modelInvocable !== false);
  return (query, reading, { most, least, also } = ALL) => {
    const invoked = byName.get(invokedName(query) ?? "");
    const known =
      invoked === undefined || reading.cards.includes(invoked) ? reading.cards : withCard(reading.cards, invoked);
    const mayFire = allInvocable
      ? known
      : known.filter((card) => card === invoked || cards[card]?.modelInvocable !== false);
    strengths.take(reading);
    const rivals = new Rivals(reading, mayFire, parameters, strengths);
    const leastLogit = logitBelow(least);
    const top = new TopLogits(most);
    const scored: ScoredCard[] = [];
    if (also !== undefined) for (const card of also) named[card] = 1;
    // The same rival and no more strength than a card that was not wanted: neither is this one. More strength never lowers the odds.
    let unwanted = Number.NEGATIVE_INFINITY;
    for (const card of mayFire) {
      const isNamed = named[card] === 1;
      const isOrdinary = card !== rivals.best && card !== invoked;
      const most = strengths.most(card);
      if (most <= unwanted && !isNamed && isOrdinary) continue;
      const command = invoked === undefined ? 0 : card === invoked ? INVOKED : -INVOKED;
      const rival = rivals.of(card);
      const isUnwanted = (strength: number) => {
        const bound = mostLogit(strength, rival, parameters) + command + ROUNDING;
        return bound < top.last && bound < leastLogit && !isNamed;
      };
      // First by the most that its strength can be; then by what it is.
      const strength = isUnwanted(most) ? most : strengths.of(card);
      if (isUnwanted(strength)) {
        if (isOrdinary) unwanted = strength;
        continue;
      }
      const evidence = reading.evidenceOf(card);
      const logit = fireLogit(netStrength(strength, evidence, parameters), rival, evidence, parameters) + command;
      top.add(logit);
      scored.push({ evidence, strength, logit, score: rounded(1 / (1 + Math.exp(-logit))) });
    }
    if (also !== undefined) for (const card of also) named[card] = 0;
    return scored
      .sort((a, b) => b.logit - a.logit || a.evidence.card - b.evidence.card)
      .filter(({ evidence, score }, at) => at < most || score >= least || also?.has(evidence.card) === true);
  };
}

/** In log-odds, more than any evidence adds up to: a prompt that calls a skill by command is for that skill. */
const INVOKED = 100;

/** More than adding numbers in another order can change. */
const ROUNDING = 1e-6;

function withCard(cards: Int32Array, card: number): Int32Array {
  const all = new Int32Array(cards.length + 1);
  all.set(cards);
  all[cards.length] = card;
  return all;
}

/** How strong the cards are that a query was read against: at first the most that each can be, and what it is once somebody asks. */
class Strengths {
  readonly #parameters: Parameters;
  readonly #strengths: Float64Array;
  /** 1 where it is what it is. */
  readonly #exact: Uint8Array;
  readonly #scratch = noEvidence(0);
  #reading: QueryReading | undefined;

  constructor(cards: number, parameters: Parameters) {
    this.#parameters = parameters;
    this.#strengths = new Float64Array(cards);
    this.#exact = new Uint8Array(cards);
  }

  /** Takes the next query. */
  take(reading: QueryReading): void {
    this.#reading = reading;
  }

  /** Works out the most that it can be. */
  bound(card: number): number {
    this.#exact[card] = 0;
    // `!`: a query is taken before its cards are looked at.
    const most = mostStrength(this.#reading!.mostOf(card, this.#scratch), this.#parameters) + ROUNDING;
    this.#strengths[card] = most;
    return most;
  }

  /** What is known of it so far: it is not stronger. `!`: there is a bound for every card. */
  most(card: number): number {
    return this.#strengths[card]!;
  }

  of(card: number): number {
    if (this.#exact[card] === 0) {
      this.#exact[card] = 1;
      this.#strengths[card] = strengthOf(this.#reading!.numbersOf(card, this.#scratch), this.#parameters);
    }
    return this.#strengths[card]!;
  }
}

/** The two best of the cards a query was read against: to each card, the best other one is its rival. */
class Rivals {
  readonly #reading: QueryReading;
  readonly #parameters: Parameters;
  /** The two cards with the most strength left after what speaks against them. */
  #best = { card: -1, net: 0 };
  #second = { card: -1, net: 0 };

  constructor(reading: QueryReading, cards: Int32Array, parameters: Parameters, strengths: Strengths) {
    this.#reading = reading;
    this.#parameters = parameters;
    for (const card of cards) {
      if (strengths.bound(card) > this.#second.net && strengths.of(card) > this.#second.net)
        this.#meet(card, strengths.of(card));
    }
  }

  /** The card that is every other one's rival; -1 where there is none. */
  get best(): number {
    return this.#best.card;
  }

  /** What the best other card has left of its strength. */
  of(card: number): number {
    return (this.#best.card === card ? this.#second : this.#best).net;
  }

  #meet(card: number, strength: number): void {
    const met = { card, net: netStrength(strength, this.#reading.evidenceOf(card), this.#parameters) };
    if (met.net > this.#best.net) [this.#best, this.#second] = [met, this.#best];
    else if (met.net > this.#second.net) this.#second = met;
  }
}

/** Log-odds below which no score is rounded up to this one. */
function logitBelow(score: number): number {
  const probability = score - 0.0001;
  return probability <= 0
    ? Number.NEGATIVE_INFINITY
    : probability >= 1
      ? Number.POSITIVE_INFINITY
      : Math.log(probability / (1 - probability));
}

/** The greatest few log-odds so far. */
class TopLogits {
  readonly #most: number;
  readonly #logits: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** What a card must reach to be among them. */
  get last(): number {
    return this.#logits.length < this.#most
      ? Number.NEGATIVE_INFINITY
      : (this.#logits.at(-1) ?? Number.POSITIVE_INFINITY);
  }

  add(logit: number): void {
    // Where all are wanted there is nothing to choose.
    if (this.#most === Number.POSITIVE_INFINITY || logit <= this.last) return;
    let at = this.#logits.length;
    while (at > 0 && this.#logits[at - 1]! < logit) at--;
    this.#logits.splice(at, 0, logit);
    if (this.#logits.length > this.#most) this.#logits.pop();
  }
}

/** Four decimals: the same on every machine, whatever the last bit of its `exp` and `log`. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
