import type { RouterCard } from "../ranking/card-index.ts";
import { type CardEvidence, noEvidence, type QueryReading } from "../ranking/evidence.ts";
import { invokedName } from "./invoked-skill.ts";
import type { Parameters } from "./parameters.ts";
import { fireLogit, mostLogit, mostStrength, netStrength, strengthOf } from "./strength.ts";

export interface ScoredCard {
  evidence: CardEvidence;
  strength: number;
  /** Log-odds that it fires; the score is the probability. */
  logit: number;
  score: number;
}

/** Selects the `most` best cards, those with a score of at least `least`, and those in `also`. */
export interface Wanted {
  most: number;
  least: number;
  also?: ReadonlySet<number>;
}

const ALL: Wanted = { most: Number.POSITIVE_INFINITY, least: 0 };

/**
 * Scores the wanted cards that may fire, best first. In a large library most cards share something with most queries.
 * Every card gets an upper bound of its strength, since its odds depend on the best other card; the rest is computed
 * only if the odds may be high enough.
 */
export function createScorer(
  cards: readonly RouterCard[],
  parameters: Parameters,
): (query: string, reading: QueryReading, wanted?: Wanted) => ScoredCard[] {
  const byName = new Map(cards.map(({ card }, at) => [card.name.toLowerCase(), at]));
  const strengths = new Strengths(cards.length, parameters);
  /** 1 for cards in `also`, while a query is scored. */
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
    // More strength never lowers the odds: a card no stronger than an unwanted one with the same rival is unwanted too.
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
      // First by the bound of its strength, then by the strength itself.
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

/** In log-odds, more than any evidence adds up to: a command in the prompt decides. */
const INVOKED = 100;

/** Exceeds the rounding error of summing in another order. */
const ROUNDING = 1e-6;

function withCard(cards: Int32Array, card: number): Int32Array {
  const all = new Int32Array(cards.length + 1);
  all.set(cards);
  all[cards.length] = card;
  return all;
}

/** Strengths of the cards: at first an upper bound, the exact value on demand. */
class Strengths {
  readonly #parameters: Parameters;
  readonly #strengths: Float64Array;
  /** 1 where the strength is exact. */
  readonly #exact: Uint8Array;
  readonly #scratch = noEvidence(0);
  #reading: QueryReading | undefined;

  constructor(cards: number, parameters: Parameters) {
    this.#parameters = parameters;
    this.#strengths = new Float64Array(cards);
    this.#exact = new Uint8Array(cards);
  }

  take(reading: QueryReading): void {
    this.#reading = reading;
  }

  /** Computes an upper bound of the card's strength. */
  bound(card: number): number {
    this.#exact[card] = 0;
    // `!`: a query is taken before its cards are looked at.
    const most = mostStrength(this.#reading!.mostOf(card, this.#scratch), this.#parameters) + ROUNDING;
    this.#strengths[card] = most;
    return most;
  }

  /** The best bound known so far. `!`: every card has one. */
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

/** The two best cards for a query: each card's rival is the best other one. */
class Rivals {
  readonly #reading: QueryReading;
  readonly #parameters: Parameters;
  /** The two cards with the highest net strength. */
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

  /** Every other card's rival; -1 if there is none. */
  get best(): number {
    return this.#best.card;
  }

  /** Net strength of the card's rival. */
  of(card: number): number {
    return (this.#best.card === card ? this.#second : this.#best).net;
  }

  #meet(card: number, strength: number): void {
    const met = { card, net: netStrength(strength, this.#reading.evidenceOf(card), this.#parameters) };
    if (met.net > this.#best.net) [this.#best, this.#second] = [met, this.#best];
    else if (met.net > this.#second.net) this.#second = met;
  }
}

/** Log-odds below which no score rounds up to this one. */
function logitBelow(score: number): number {
  const probability = score - 0.0001;
  return probability <= 0
    ? Number.NEGATIVE_INFINITY
    : probability >= 1
      ? Number.POSITIVE_INFINITY
      : Math.log(probability / (1 - probability));
}

class TopLogits {
  readonly #most: number;
  readonly #logits: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** What a card must exceed to be among them. */
  get last(): number {
    return this.#logits.length < this.#most
      ? Number.NEGATIVE_INFINITY
      : (this.#logits.at(-1) ?? Number.POSITIVE_INFINITY);
  }

  add(logit: number): void {
    if (this.#most === Number.POSITIVE_INFINITY || logit <= this.last) return;
    let at = this.#logits.length;
    while (at > 0 && this.#logits[at - 1]! < logit) at--;
    this.#logits.splice(at, 0, logit);
    if (this.#logits.length > this.#most) this.#logits.pop();
  }
}

/** Four decimals, because the last bits of `exp` and `log` differ between machines. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
