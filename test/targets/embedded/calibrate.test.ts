import { describe, expect, test } from "vitest";
import { type AgentDecision, calibrate, createRouter } from "../../../src/cards/index.ts";
import { predictedVerdict, type TrialEvent } from "../../../src/model/index.ts";
import { embeddedTarget, routedQuery } from "../../../src/targets/embedded/index.ts";
import { libraryOf, shop } from "./shop.ts";

const openings = [
  "please",
  "hello,",
  "quick question:",
  "hi there,",
  "one thing:",
  "so,",
  "again:",
  "today",
  "sorry,",
  "well,",
];
const topics = [
  "where is my order",
  "change the delivery address of my order",
  "gift card balance",
  "money back for returned goods",
  "tracking number of my parcel",
  "redeem a gift card",
];
const queries = openings.flatMap((opening) => topics.map((topic) => `${opening} ${topic}`));

/** An agent that activates whatever scores at least `line`, and nothing else. */
function agentAt(line: number): AgentDecision[] {
  const router = createRouter(shop);
  return queries.flatMap((query) => {
    const scores = new Map(router.scores(query).map(({ skill, score }) => [skill, score]));
    return shop.map(({ id }) => ({ query, skill: id, fired: (scores.get(id) ?? 0) >= line }));
  });
}

describe("calibration to what an agent did", () => {
  test("with fewer than 30 activations and 30 silences the shipped limits stay, and the summary says why", () => {
    const calibration = calibrate(
      shop,
      [{ query: "where is my order", skill: "order-status", fired: true }],
      "claude:haiku",
    );
    expect(calibration).toMatchObject({ status: "too_few", decisions: { fired: 1, silent: 0 } });
    expect(calibration.limits.needs).toBe(createRouter(shop).needs);
    expect(calibration.summary).toBe(
      "not calibrated: that takes 30 activations and 30 silences of one agent on these exact cards, and the records here hold 1 and 0 of claude:haiku",
    );
  });

  test("an agent that fires at lower scores draws the limit down, and most of what it does is told", () => {
    const decisions = agentAt(0.35);
    const calibration = calibrate(shop, decisions, "claude:haiku");
    expect(calibration.status).toBe("refitted");
    expect(calibration.limits.needs).toBeLessThan(createRouter(shop).needs);
    const { measured } = calibration;
    expect(measured!.right / measured!.sure).toBeGreaterThanOrEqual(0.9);
    expect(calibration.summary).toMatch(
      /^calibrated to claude:haiku: fires from 0\.\d+, silent below 0\.\d+ \(as shipped: /,
    );
    expect(calibration.summary).toContain(
      `sure about ${measured!.sure} of ${measured!.asked} decisions of claude:haiku`,
    );
  });

  test.each([
    "where is my order and when will it be delivered",
    "zzz",
    "when is my order delivered? I have the tracking number",
  ])("it is sure of a decision exactly where the router is: %s", (prompt) => {
    const decisions = [...openings, ""].flatMap((_, at) =>
      shop.map(({ id }) => ({ query: `${prompt}${" ".repeat(at)}`, skill: id, fired: id === "order-status" })),
    );
    const { measured, limitsFor } = calibrate(shop, [...decisions, ...agentAt(0.5)], "claude:haiku");
    const rest = calibrate(shop, agentAt(0.5), "claude:haiku").measured!;
    const said = decisions.filter(({ query, skill }) => {
      const limited = createRouter(shop, { limitsFor: () => limitsFor(query) });
      return predictedVerdict(limited.route(query), skill) !== "uncertain";
    });
    expect(measured!.sure - rest.sure).toBe(said.length);
  });

  test("limits that help with nothing are not taken: decisions that scores say nothing about leave the shipped ones", () => {
    const noise = agentAt(0.5).map((decision, at) => ({ ...decision, fired: at % 2 === 0 }));
    expect(calibrate(shop, noise, "claude:haiku").status).toBe("shipped");
  });

  test("the limits that decide a question were chosen without it", () => {
    const decisions = agentAt(0.35);
    const [query] = queries;
    const turned = decisions.map((decision) =>
      decision.query === query ? { ...decision, fired: !decision.fired } : decision,
    );
    expect(calibrate(shop, turned, "a").limitsFor(query!)).toEqual(calibrate(shop, decisions, "a").limitsFor(query!));
  });

  test("the target answers by the limits of its query, and its identity says which there are", async () => {
    const calibration = calibrate(shop, agentAt(0.35), "claude:haiku");
    const [query] = queries;
    const target = embeddedTarget("embedded", { calibration });
    const sitting = await target.open(libraryOf(shop));
    const ask = {
      key: "k",
      kind: "trigger" as const,
      prompt: query!,
      files: [],
      messages: [],
      library: "test",
      limits: {},
    };
    const { events } = await sitting.ask(ask, { run: 0, signal: new AbortController().signal, decided: () => false });
    const [prediction] = events as TrialEvent[];
    const { needs } = calibration.limitsFor(routedQuery({ prompt: query!, messages: [] }));
    expect(prediction).toMatchObject({ type: "prediction", prediction: { needs } });
    expect((await target.identify()).options).toMatchObject({ calibrated: calibration.used });
  });
});
