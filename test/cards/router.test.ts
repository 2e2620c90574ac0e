import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRouter, type RouterCard } from "../../src/cards/index.ts";
import { card, shop } from "./shop.ts";

const fired = (cards: readonly RouterCard[], query: string) =>
  createRouter(cards)
    .route(query)
    .ranking.filter(({ verdict }) => verdict === "fires")
    .map(({ skill }) => skill);
const best = (cards: readonly RouterCard[], query: string) => createRouter(cards).route(query).ranking[0]?.skill;
const scoreOf = (cards: readonly RouterCard[], query: string, skill: string) =>
  createRouter(cards)
    .scores(query)
    .find((one) => one.skill === skill)?.score ?? 0;

describe("a query goes to the skill whose card speaks of it", () => {
  test.each([
    ["Where is my order? The tracking number does not work", "order-status"],
    ["I want my money back for the goods I returned", "refund-policy"],
    ["Please change the delivery address of my order", "shipping-address"],
    ["How much balance is left on this gift card code?", "gift-cards"],
  ])("%s", (query, skill) => {
    expect(best(shop, query)).toBe(skill);
    expect(fired(shop, query)).toContain(skill);
  });

  test.each([
    "What's the weather in Lisbon tomorrow?",
    "Write a haiku about autumn",
    "Sort this list of integers in Rust",
  ])("nobody gets: %s", (query) => {
    expect(fired(shop, query)).toEqual([]);
  });

  test("the answer says which words and which clause matched, and how far the runner-up is", () => {
    const [winner, second] = createRouter(shop).route("check the balance of a gift card").ranking;
    expect(winner).toMatchObject({ skill: "gift-cards", verdict: "fires" });
    expect(winner!.words).toEqual(expect.arrayContaining(["gift", "balance", "card"]));
    expect(winner!.clause).toContain("checks the balance of a gift card");
    expect(winner!.margin).toBeCloseTo(winner!.score - (second?.score ?? 0), 4);
  });
});

describe("what a card says it is not for does not attract", () => {
  const about = "Writes release notes from merged pull requests.";
  test.each([
    `${about} Do NOT use for translating subtitles of movies.`,
    `${about} Don't use when translating subtitles of movies.`,
    `${about} DO NOT USE FOR: translating subtitles of movies.`,
    `${about} Not for translating subtitles of movies — use subtitle-tool.`,
    `${about} Skip when: translating subtitles of movies.`,
    `Writes release notes, not for translating subtitles of movies. Reads merged pull requests.`,
    `DO NOT USE FOR: translating subtitles of movies. USE FOR: release notes from merged pull requests.`,
  ])("%s", (description) => {
    const cards = [card("release-notes", description), ...shop];
    expect(fired(cards, "translate the subtitles of these movies")).toEqual([]);
    expect(best(cards, "write release notes from the merged pull requests")).toBe("release-notes");
  });

  test("eva's not_for does not attract, its triggers do", () => {
    const cards = [
      card("subs", "Media helper.", { triggers: ["convert subtitles to srt"], notFor: ["rip a dvd to mp4"] }),
      ...shop,
    ];
    expect(fired(cards, "convert these subtitles to srt")).toEqual(["subs"]);
    expect(fired(cards, "rip this dvd to mp4")).toEqual([]);
  });

  test("a query that is closest to what the card excludes says so", () => {
    const cards = [
      card("py-tests", "Writes unit tests with fixtures. Not for browser tests with a headless browser."),
      ...shop,
    ];
    expect(createRouter(cards).route("write browser tests for a headless browser").ranking[0]?.notFor).toContain(
      "browser tests",
    );
  });
});

describe("what hosts do whatever the card says", () => {
  test.each(["/gift-cards", "/shop:gift-cards show all", "Use /gift-cards to find my order"])(
    "a command calls its skill and no other: %s",
    (query) => {
      expect(fired(shop, query)).toEqual(["gift-cards"]);
    },
  );

  test("a skill that no model may invoke answers to its command only", () => {
    const cards = shop.map((one) => (one.id === "gift-cards" ? { ...one, modelInvocable: false } : one));
    expect(fired(cards, "check the balance of a gift card")).not.toContain("gift-cards");
    expect(fired(cards, "/gift-cards balance")).toEqual(["gift-cards"]);
  });
});

describe("what words alone would get wrong", () => {
  test("a prompt about another technology is not for a skill that is about one", () => {
    const cards = [card("py-typing", "Adds type annotations to Python functions and classes.")];
    expect(scoreOf(cards, "add type annotations to my Go functions", "py-typing")).toBeLessThan(
      scoreOf(cards, "add type annotations to my functions", "py-typing"),
    );
  });

  test("asking what something is needs no skill, unless the skill explains", () => {
    const builder = [card("invoice-maker", "Creates invoices as PDF from order data.")];
    const teacher = [card("invoice-maker", "Creates and explains invoices as PDF from order data.")];
    expect(scoreOf(builder, "What is a PDF invoice?", "invoice-maker")).toBeLessThan(
      scoreOf(teacher, "What is a PDF invoice?", "invoice-maker"),
    );
  });

  test("asking about a thing of one's own is no request for an explanation", () => {
    const cards = [
      card("order-status", "Finds where an order is and its delivery status."),
      card("faq", "Answers questions."),
    ];
    for (const own of ["What is the status of my order?", "What's the delivery status of this order?"])
      expect(scoreOf(cards, own, "order-status")).toBeGreaterThan(
        scoreOf(cards, "What is the status of an order?", "order-status"),
      );
  });
});

describe("languages other than English", () => {
  const cards = [
    card("wetter", "Zeigt die Wettervorhersage für einen Ort und warnt vor Stürmen."),
    card("rechnung", "Erstellt Rechnungen als PDF und verschickt sie an den Kunden. Nicht verwenden für Mahnungen."),
    card("天気予報", "都市の天気予報を表示する。傘が必要かどうかを知りたいときに使う。"),
    card("合同审查", "审查商业合同并标出风险条款。不要用于翻译合同。"),
    card("счета", "Создаёт счета и акты для клиентов в формате PDF."),
    card("번역", "문서를 한국어로 번역합니다. 계약서 번역에 사용하세요."),
  ];
  test.each([
    ["Wie wird das Wetter? Gibt es Stürme an diesem Ort?", "wetter"],
    ["Bitte eine Rechnung für den Kunden als PDF erstellen", "rechnung"],
    ["明日の東京の天気予報を教えて", "天気予報"],
    ["帮我审查这份商业合同，有哪些风险", "合同审查"],
    ["Создай счёт для клиента", "счета"],
    ["이 문서를 번역해 주세요", "번역"],
  ])("%s", (query, skill) => {
    expect(best(cards, query)).toBe(skill);
  });

  test("accents, width and case make no difference", () => {
    const cafe = [card("cafe", "Réserve une table au café."), ...shop];
    expect(scoreOf(cafe, "RESERVE UNE TABLE AU CAFE", "cafe")).toBe(scoreOf(cafe, "réserve une table au café", "cafe"));
    expect(scoreOf(cafe, "ｒéserve une table", "cafe")).toBe(scoreOf(cafe, "réserve une table", "cafe"));
  });
});

describe("any input has an answer", () => {
  const huge = card("huge", `Handles invoices. ${"Also reads ledgers, journals and statements. ".repeat(2_500)}`);
  test.each<[string, RouterCard[], string]>([
    ["an empty library", [], "anything at all"],
    ["one skill", [shop[0]!], "where is my order"],
    ["a description of one word", [card("pdf", "PDF")], "make a pdf"],
    ["no description", [card("pdf", "")], "make a pdf"],
    ["a name of symbols", [card("★", "★ ★ ★")], "★"],
    ["a description of 100 kB", [huge, ...shop], "read the ledgers"],
    ["a query of 1 MB", shop, "where is my order ".repeat(60_000)],
    ["a query without spaces of 1 MB", shop, "a".repeat(1_000_000)],
    ["emoji", shop, "📦🚚❓"],
    ["half a character", shop, "order \ud83d where"],
    ["nothing", shop, ""],
  ])("%s", (_name, cards, query) => {
    const { ranking, needs } = createRouter(cards).route(query);
    for (const { score } of ranking) expect(score).toBeGreaterThanOrEqual(0);
    expect(needs).toBeGreaterThan(0);
  });

  test("a word of the library's own name as skill name is no trap", () => {
    expect(
      createRouter([card("constructor", "Builds houses."), card("__proto__", "Prototype things.")]).route(
        "constructor __proto__",
      ).ranking,
    ).toBeDefined();
  });
});

const texts = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string(),
  fc.constantFrom(
    "where is my order",
    "gift card balance",
    "return goods, money back",
    "/gift-cards x",
    "what is a refund",
  ),
);

describe("laws", () => {
  test("scores are between 0 and 1, fall along the ranking, and a skill fires only when it has what it needs", () => {
    const router = createRouter(shop);
    fc.assert(
      fc.property(texts, (query) => {
        const { ranking, needs } = router.route(query);
        ranking.forEach(({ score, verdict }, at) => {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          if (at > 0) expect(score).toBeLessThanOrEqual(ranking[at - 1]!.score);
          if (verdict === "fires") expect(score).toBeGreaterThanOrEqual(needs);
        });
      }),
    );
  });

  test("the same query has the same answer, whatever was asked before and in whatever order the library was read", () => {
    const router = createRouter(shop);
    const reversed = createRouter([...shop].reverse());
    const scores = (one: typeof router, query: string) =>
      new Map(one.scores(query).map(({ skill, score }) => [skill, score]));
    fc.assert(
      fc.property(texts, texts, (before, query) => {
        router.route(before);
        expect(scores(router, query)).toEqual(scores(createRouter(shop), query));
        expect(scores(reversed, query)).toEqual(scores(router, query));
      }),
      { numRuns: 50 },
    );
  });
});
