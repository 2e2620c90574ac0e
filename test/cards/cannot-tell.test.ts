import { describe, expect, test } from "vitest";
import { createRouter } from "../../src/cards/index.ts";
import { predictedVerdict } from "../../src/model/index.ts";
import { shop } from "./shop.ts";

const card = (name: string, description: string) => ({
  id: name,
  card: { name, description, triggers: [], notFor: [] },
});
const router = createRouter(shop);
const verdictOf = (query: string, skill: string) => predictedVerdict(router.route(query), skill);

describe("it says only what it is sure about", () => {
  test("a skill whose card says it all fires, and then the others stay silent", () => {
    const routing = router.route(
      "Where is my order right now and when will the parcel be delivered? The tracking number is 0034",
    );
    expect(predictedVerdict(routing, "order-status")).toBe("fires");
    expect(predictedVerdict(routing, "gift-cards")).toBe("silent");
    expect(routing.unsure).toBeUndefined();
  });

  test.each(["Tell me a joke about penguins", "it has been two weeks, still nothing in the mail??", ""])(
    "where nobody surely fires, nobody is surely silent: %j",
    (query) => {
      const routing = router.route(query);
      expect(routing.unsure).toBe("nobody");
      for (const { id } of shop) expect(predictedVerdict(routing, id)).toBe("uncertain");
    },
  );

  test.each([
    "Wo ist meine Bestellung und wann wird das Paket bei mir ankommen?",
    "Où est ma commande et quand est-ce que le colis sera livré chez moi ?",
    "我的订单在哪里",
    "注文した荷物はどこですか",
    "Где мой заказ и когда он придёт",
    "주문한 물건이 어디에 있나요",
    "order-status: заказ, пожалуйста, где он",
  ])("a prompt in another language than the cards: %s", (query) => {
    const routing = router.route(query);
    expect(routing.unsure).toBe("language");
    for (const { id } of shop) expect(predictedVerdict(routing, id)).toBe("uncertain");
  });

  test("cards in the prompt's own language are no obstacle, be they the only ones or some of many", () => {
    const german = card("lieferung", "Sagt, wo eine Bestellung ist und wann das Paket mit der Sendungsnummer ankommt.");
    const query = "Wo ist meine Bestellung, und wann kommt das Paket mit der Sendungsnummer 12 an?";
    expect(
      createRouter([german, card("andere", "Beantwortet Fragen zu der Rechnung und der Zahlung.")]).route(query).unsure,
    ).not.toBe("language");
    expect(createRouter([...shop, german]).route(query).unsure).not.toBe("language");
    expect(
      createRouter([german, card("andere", "Beantwortet Fragen zu der Rechnung und der Zahlung.")]).route(
        "Where is my order, and when will it arrive?",
      ).unsure,
    ).toBe("language");
  });

  test("a library of one skill: it may surely fire, but nothing else could win, so it is never surely silent", () => {
    const alone = createRouter([card("invoices", "Creates invoices for customers and sends invoices by mail.")]);
    expect(
      predictedVerdict(alone.route("Create invoices for two customers and send the invoices by mail"), "invoices"),
    ).toBe("fires");
    expect(alone.route("What is the weather like")).toMatchObject({ unsure: "alone" });
    expect(predictedVerdict(alone.route("What is the weather like"), "invoices")).toBe("uncertain");
  });

  test("one shared word is not enough, however rare", () => {
    const two = createRouter([card("prime", "Primes a session."), card("ledger", "Keeps the ledger of a shop.")]);
    expect(predictedVerdict(two.route("prime the pump of the espresso machine"), "prime")).not.toBe("fires");
  });

  test("a command goes to its skill in any language", () => {
    expect(
      predictedVerdict(
        router.route("/order-status où est mon colis, et quand est-ce que les autres arrivent"),
        "order-status",
      ),
    ).toBe("fires");
  });
});

describe("a prompt that declines a skill is not for it", () => {
  test.each([
    "Do not use order-status, just tell me where my order and parcel is delivered",
    "Where is my order? Why is that not order-status but something about the parcel delivery?",
  ])("%s", (query) => {
    const [plain, declined] = [query.replace(/order.status/, "anything"), query];
    const score = (text: string) => router.scores(text).find(({ skill }) => skill === "order-status")?.score ?? 0;
    expect(score(declined)).toBeLessThan(score(plain));
    expect(verdictOf(declined, "order-status")).not.toBe("fires");
  });

  test("a name of one word must follow at once", () => {
    const demo = createRouter([
      card("demo", "Builds a demo page for a product and opens the demo."),
      card("other", "Does the books."),
    ]);
    const score = (text: string) => demo.scores(text).find(({ skill }) => skill === "demo")?.score ?? 0;
    expect(score("Build a product page, do not use demo")).toBeLessThan(
      score("Build a product page, the page does not open in the demo"),
    );
  });
});
