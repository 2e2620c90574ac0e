import { expect, test } from "vitest";
import { takenPositives } from "../../src/cards/collisions/taken-prompts.ts";
import { PARAMETERS } from "../../src/cards/firing/parameters.ts";
import { createScorer } from "../../src/cards/firing/score-cards.ts";
import { fireLogit, mostStrength, netStrength, strengthOf } from "../../src/cards/firing/strength.ts";
import { type CardIndex, indexCards } from "../../src/cards/ranking/card-index.ts";
import { noEvidence, type QueryReading } from "../../src/cards/ranking/evidence.ts";
import { createReader } from "../../src/cards/ranking/read-query.ts";
import { createRouter } from "../../src/cards/router.ts";
import { gramsOf } from "../../src/cards/words/character-grams.ts";
import { termsOf } from "../../src/cards/words/terms.ts";
import { shippedFrequencies } from "../../src/cards/words/word-frequencies.ts";
import { predictedVerdict } from "../../src/model/index.ts";
import { generator } from "../hostile/mutate.ts";

/** Libraries and queries of made-up words that share a lot: near ties, bounds that hardly hold. */
function madeUp(seed: number, skills: number) {
  const random = generator(seed);
  const below = (n: number) => Math.floor(random() * n);
  const words = Array.from(
    { length: 120 },
    (_, at) => `${"bdfglmnprst"[at % 11]}${"aeiou"[at % 5]}${"klmnrt"[at % 6]}${"aeo"[at % 3]}${at}`,
  );
  const text = (length: number) =>
    Array.from({ length }, () => words[Math.floor(words.length * random() ** 2)]).join(" ");
  const cards = Array.from({ length: skills }, (_, at) => ({
    id: `s${at}`,
    card: {
      name: `${words[below(120)]}-${words[below(120)]}`,
      description: `${text(12)}. Use when ${text(8)}. ${at % 3 === 0 ? `Do NOT use for ${text(5)}.` : ""}`,
      triggers: at % 4 === 0 ? [text(3), text(3)] : [],
      notFor: [],
    },
    modelInvocable: at % 17 !== 0,
  }));
  return { cards, queries: Array.from({ length: 40 }, () => text(1 + below(14))) };
}

test("the index sums what a plain count over the cards sums", () => {
  const { cards, queries } = madeUp(1, 25);
  const index = indexCards(cards, shippedFrequencies());
  const read = createReader(index);
  for (const query of queries.slice(0, 8)) {
    const reading = read(query);
    for (const card of reading.cards) {
      const { bm25, coverage, matched, clause, grams } = reading.evidenceOf(card);
      const plain = plainly(index, query, card);
      expect(matched).toBe(plain.matched);
      expect(bm25).toBeCloseTo(plain.bm25, 5);
      expect(coverage).toBeCloseTo(plain.coverage, 9);
      expect(clause).toBeCloseTo(plain.clause, 5);
      expect(grams).toBeCloseTo(plain.grams, 5);
    }
  }
});

test.each([
  { most: 10, least: 0.43 },
  { most: 2, least: 0.58 },
  { most: 0, least: 0.58, also: new Set([3, 7]) },
  { most: 1, least: 2 },
])("leaving out what cannot be wanted changes no answer (%o)", (wanted) => {
  for (let seed = 10; seed < 13; seed++) {
    const { cards, queries } = madeUp(seed, 70);
    const read = createReader(indexCards(cards, shippedFrequencies()));
    const score = createScorer(cards, PARAMETERS);
    for (const query of queries) {
      const found = score(query, read(query), wanted).map(({ evidence, logit }) => ({ card: evidence.card, logit }));
      const all = everyCard(cards, read(query));
      const expected = all.filter(
        ({ card, logit }, at) => at < wanted.most || scoreOf(logit) >= wanted.least || wanted.also?.has(card) === true,
      );
      expect(found).toEqual(expected);
    }
  }
});

test("the most that a card's clauses and its strength can be is no less than what they are", () => {
  const { cards, queries } = madeUp(20, 70);
  const read = createReader(indexCards(cards, shippedFrequencies()));
  for (const query of queries) {
    const reading = read(query);
    for (const card of reading.cards) {
      const most = { ...reading.mostOf(card, noEvidence(card)) };
      const own = reading.evidenceOf(card);
      expect(most.clause).toBeGreaterThanOrEqual(own.clause);
      expect(mostStrength(most, PARAMETERS) + 1e-9).toBeGreaterThanOrEqual(strengthOf(own, PARAMETERS));
    }
  }
});

test("the prompts that siblings take are those on which a run has them fire", () => {
  const { cards, queries } = madeUp(22, 120);
  const router = createRouter(cards);
  const positives = queries.map((query, at) => ({ query, expected: [`s${at + 1}`], alsoFine: [`s${3 * at + 2}`] }));
  const taken = takenPositives(positives, router);
  const expected = positives.flatMap((positive) => {
    const fine = [...positive.expected, ...positive.alsoFine];
    const routing = router.route(positive.query);
    const own = router.scores(positive.query).find(({ skill }) => fine.includes(skill))?.score ?? 0;
    return routing.ranking
      .filter(({ skill, verdict }) => verdict === "fires" && !fine.includes(skill))
      .slice(0, 3)
      .map(({ skill, score }) => {
        const wins = fine.every((one) => predictedVerdict(routing, one) === "silent");
        return { positive, by: skill, score, expectedScore: own, wins };
      });
  });
  expect(taken.length).toBeGreaterThan(10);
  expect(taken).toEqual(expected);
});

/** Every card, weighed without a bound. */
function everyCard(cards: { modelInvocable: boolean }[], reading: QueryReading): { card: number; logit: number }[] {
  const mayFire = [...reading.cards].filter((card) => cards[card]!.modelInvocable);
  const weighed = mayFire.map((card) => {
    const evidence = reading.evidenceOf(card);
    return { evidence, net: netStrength(strengthOf(evidence, PARAMETERS), evidence, PARAMETERS) };
  });
  const rivalOf = (own: number) =>
    Math.max(0, ...weighed.filter(({ evidence }) => evidence.card !== own).map(({ net }) => net));
  return weighed
    .map(({ evidence, net }) => ({
      card: evidence.card,
      logit: fireLogit(net, rivalOf(evidence.card), evidence, PARAMETERS),
    }))
    .sort((a, b) => b.logit - a.logit || a.card - b.card);
}

function scoreOf(logit: number): number {
  return Math.round(10_000 / (1 + Math.exp(-logit))) / 10_000;
}

/** The same sums from the card's own text, without any index. */
function plainly(index: CardIndex, query: string, card: number) {
  const { idf, numbers, idfOf } = index.terms;
  const idfBy = (term: string) => idf[numbers.get(term) ?? -1] ?? idfOf(term);
  const own = [...new Set(termsOf(query, index.english).map(({ term }) => term))];
  const clauses = index.clauses.filter((clause) => clause.card === card && clause.kind !== "notFor");
  const onCard = clauses.flatMap(({ text }) => termsOf(text, index.english));
  const lengths = index.entries.map((_, at) =>
    index.clauses
      .filter((clause) => clause.card === at && clause.kind !== "notFor")
      .reduce((sum, { text }) => sum + termsOf(text, index.english).length, 0),
  );
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const mass = own.reduce((sum, term) => sum + idfBy(term), 0);
  const length = Math.sqrt(own.reduce((sum, term) => sum + idfBy(term) ** 2, 0));
  const shared = own.filter((term) => onCard.some((other) => other.term === term));
  const bm25 = shared.reduce((sum, term) => {
    const count = onCard.filter((other) => other.term === term).length;
    return sum + (idfBy(term) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * onCard.length) / average));
  }, 0);
  const cosines = clauses.map(({ text }) => {
    const terms = [...new Set(termsOf(text, index.english).map(({ term }) => term))];
    const clauseLength = Math.sqrt(terms.reduce((sum, term) => sum + idfBy(term) ** 2, 0));
    return (
      terms.filter((term) => own.includes(term)).reduce((sum, term) => sum + idfBy(term) ** 2, 0) /
      (length * clauseLength || 1)
    );
  });
  const gramsIn = (words: string[]) => {
    const counts = new Map<number, number>();
    for (const gram of words.flatMap(gramsOf)) counts.set(gram, (counts.get(gram) ?? 0) + 1);
    const vector = new Map([...counts].map(([gram, count]) => [gram, (1 + Math.log(count)) * index.gramIdf[gram]!]));
    const size = Math.sqrt([...vector.values()].reduce((sum, value) => sum + value ** 2, 0)) || 1;
    return new Map([...vector].map(([gram, value]) => [gram, value / size]));
  };
  const mine = gramsIn(termsOf(query, index.english).map(({ word }) => word));
  const theirs = gramsIn(onCard.map(({ word }) => word));
  const grams = [...mine].reduce((sum, [gram, value]) => sum + value * (theirs.get(gram) ?? 0), 0);
  return {
    matched: shared.length,
    bm25,
    coverage: shared.reduce((sum, term) => sum + idfBy(term), 0) / mass,
    clause: Math.max(0, ...cosines),
    grams,
  };
}
