import { describe, expect, test } from "vitest";
import { calibrate, createRouter, embeddedTarget, type LabelledQuery, routedQuery } from "../../../src/targets/embedded/index.ts";
import type { TrialEvent } from "../../../src/transcripts/index.ts";
import { libraryOf, shop } from "./shop.ts";

const openings = ["please", "hello,", "quick question:", "hi there,", "one thing:", "so,", "again:", "today", "sorry,", "well,"];
const topics = [
  "where is my order",
  "change the delivery address",
  "gift card balance",
  "money back for returned goods",
  "tracking number of my order",
  "redeem codes",
];
const queries = openings.flatMap((opening) => topics.map((topic) => `${opening} ${topic}`));

/** Labels a suite of its own: whatever scores at least `line` for a skill is meant for it. */
function labelled(line: number): LabelledQuery[] {
  const router = createRouter(shop);
  return queries.flatMap((query) => {
    const scores = new Map(router.scores(query).map(({ skill, score }) => [skill, score]));
    return shop.map(({ id }) => ({ query, skill: id, positive: (scores.get(id) ?? 0) >= line }));
  });
}

describe("calibration", () => {
  test("with fewer than 50 labels of a class the shipped threshold stays, and the summary says why", () => {
    const calibration = calibrate(shop, [{ query: "where is my order", skill: "order-status", positive: true }]);
    expect(calibration).toMatchObject({ status: "too_few", labels: { positive: 1, negative: 0 } });
    expect(calibration.needs).toBe(createRouter(shop).needs);
    expect(calibration.summary).toContain("needs 50 labels of each class");
  });

  test("where the shipped threshold is as good as any, it stays", () => {
    const { needs } = createRouter(shop);
    const calibration = calibrate(shop, labelled(needs));
    expect(calibration).toMatchObject({ status: "shipped", needs, thresholds: [needs] });
  });

  test("where the labels ask for another threshold, it is refitted and gets the labels right", () => {
    const labels = labelled(0.2);
    const calibration = calibrate(shop, labels);
    expect(calibration.status).toBe("refitted");
    expect(calibration.needs).toBeLessThan(createRouter(shop).needs);
    const router = createRouter(shop, { needsFor: calibration.needsFor });
    const right = labels.filter(({ query, skill, positive }) => {
      const { ranking } = router.route(query);
      return ranking.some((one) => one.skill === skill && one.verdict === "fires") === positive;
    });
    expect(right.length / labels.length).toBeGreaterThan(0.9);
  });

  test("the target decides a question on the threshold of its labels", async () => {
    const labels = labelled(0.2);
    const calibration = calibrate(shop, labels);
    const [query] = queries;
    const text = routedQuery({ prompt: query!, messages: [] });
    const sitting = await embeddedTarget("embedded", { calibration }).open(libraryOf(shop));
    const ask = { key: "k", kind: "trigger" as const, prompt: query!, files: [], messages: [], library: "test", limits: {} };
    const { events } = await sitting.ask(ask, { run: 0, signal: new AbortController().signal, decided: () => false });
    const [first] = events as TrialEvent[];
    expect(first).toMatchObject({ prediction: { needs: calibration.needsFor(text) } });
    expect((await embeddedTarget("embedded", { calibration }).identify()).options).toMatchObject({ thresholds: calibration.thresholds });
  });

  test("a question's own labels have no part in the threshold it is decided on", () => {
    const labels = labelled(0.2);
    const before = calibrate(shop, labels);
    for (const query of queries.slice(0, 12)) {
      const flipped = labels.map((label) => (label.query === query ? { ...label, positive: !label.positive } : label));
      expect(calibrate(shop, flipped).needsFor(query)).toBe(before.needsFor(query));
    }
  });
});
