import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { MEASURED } from "../../src/cards/firing/parameters.generated.ts";
import { PARAMETERS } from "../../src/cards/firing/parameters.ts";
import type { Ask, Message } from "../../src/model/index.ts";
import { predictedVerdict, type TrialEvent } from "../../src/model/index.ts";
import { embeddedTarget, openPredictor } from "../../src/targets/embedded/index.ts";
import { resolveTarget } from "../../src/targets/index.ts";
import { card, libraryOf, shop } from "./shop.ts";

async function asked(
  spec: string,
  prompt: string,
  {
    messages = [],
    library = libraryOf(shop),
    options = {},
  }: {
    messages?: Message[];
    library?: ReturnType<typeof libraryOf>;
    options?: Parameters<typeof embeddedTarget>[1];
  } = {},
) {
  const sitting = await embeddedTarget(spec, options).open(library);
  const ask: Ask = {
    key: prompt,
    kind: "trigger",
    prompt,
    files: [],
    messages,
    library: library.fingerprint,
    limits: {},
  };
  const answer = await sitting.ask(ask, { run: 0, signal: new AbortController().signal, decided: () => false });
  const events: TrialEvent[] = [];
  for await (const event of answer.events) events.push(event);
  return events;
}

const activated = (events: readonly TrialEvent[]) =>
  events.flatMap((event) => (event.type === "activation" ? [event.skill] : []));

describe("embedded", () => {
  test("a trial is a prediction, the activations it predicts, and an end that costs nothing", async () => {
    const events = await asked("embedded", "Where is my order? I lost the tracking number");
    expect(events.map(({ type }) => type)).toEqual(["prediction", "activation", "end"]);
    expect(events[0]).toMatchObject({
      prediction: {
        ranking: expect.arrayContaining([expect.objectContaining({ skill: "order-status", verdict: "fires" })]),
      },
    });
    expect(events[1]).toMatchObject({ skill: "order-status", evidence: "predicted", turn: 1 });
    expect(events[2]).toEqual({ type: "end", how: "completed", costUsd: 0 });
  });

  test("a query for nobody ends without an activation", async () => {
    expect(activated(await asked("embedded", "Tell me a joke about penguins"))).toEqual([]);
  });

  test("the record keeps the best five of the ranking, and whoever fires or cannot be told below them", async () => {
    const cards = Array.from({ length: 9 }, (_, at) => card(`invoice-${at}`, `Creates invoices, kind ${at}.`));
    const [all] = await asked("embedded", "create invoices", { library: libraryOf(cards) });
    expect(all?.type === "prediction" && all.prediction.ranking).toHaveLength(9);
    const [few] = await asked("embedded", "what is an invoice", { library: libraryOf(cards) });
    expect(
      few?.type === "prediction" && few.prediction.ranking.filter(({ verdict }) => verdict === "silent").length,
    ).toBeLessThanOrEqual(5);
  });

  test("of the many skills that a large library may have near a query, the record keeps twenty with their words and the others by name", async () => {
    const cards = Array.from({ length: 60 }, (_, at) => card(`invoice-${at}`, `Creates invoices, kind ${at}.`));
    const library = libraryOf(cards);
    const query = "invoices";
    const all = await (await openPredictor("embedded", library))(query);
    const [event] = await asked("embedded", query, { library });
    if (event?.type !== "prediction") throw new Error("no prediction");
    const { ranking, uncertain = [] } = event.prediction;
    expect(ranking.length).toBeLessThanOrEqual(20);
    const open = all.ranking.filter(({ verdict }) => verdict === "uncertain").map(({ skill }) => skill);
    expect(open.length).toBeGreaterThan(20);
    expect([
      ...ranking.filter(({ verdict }) => verdict === "uncertain").map(({ skill }) => skill),
      ...uncertain,
    ]).toEqual(open);
    for (const skill of open) expect(predictedVerdict(event.prediction, skill)).toBe("uncertain");
  });

  test("what the user said before tells what a short prompt is about", async () => {
    const messages: Message[] = [
      { role: "user", content: "How much balance is left on my gift card?" },
      { role: "assistant", content: "Which order do you mean? I track orders and deliveries." },
    ];
    expect(activated(await asked("embedded", "and on this other one?", { messages }))).toEqual(["gift-cards"]);
  });

  test("it says what it is, how far to trust it, and what decides its answers", async () => {
    const target = embeddedTarget("embedded");
    expect(target).toMatchObject({ id: "embedded", predicted: true, expectedCostUsd: 0, answers: { trigger: true } });
    expect(target.answers.case).toBe("it only reads cards and runs nothing");
    expect(target.note).toMatch(
      /^predicted from the cards, no agent ran; says when it cannot tell, and was right for 9 of 10 of its other answers on \d+ collections it had never seen$/,
    );
    const identity = await target.identify();
    expect(identity).toMatchObject({ host: "embedded", deterministic: true });
    expect(identity.options).toHaveProperty("needs");
    expect(identity.options).toHaveProperty("weights.bm25");
  });

  test("the documents claim what was measured on collections it had never seen, and no more", () => {
    const page = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8").replace(/\s+/g, " ");
    const claim = `${Math.floor(MEASURED.accuracyWhenSure * 10)} of 10`;
    const collections = `${MEASURED.collections} collections it had never seen`;
    for (const path of ["README.md", "docs/route.md"])
      expect(page(path), path).toMatch(new RegExp(`${claim} [^.]*${collections}`));
    const figure = (share: number) => share.toFixed(3).replace(/^0/, "").replace(".", "\\.");
    const table = page("docs/benchmarks/router.md");
    expect(table).toMatch(new RegExp(`it is sure about \\| ${figure(MEASURED.coverage)} \\[`));
    expect(table).toMatch(new RegExp(`right when sure \\| \\*\\*${figure(MEASURED.accuracyWhenSure)} \\[`));
    expect(table).toMatch(new RegExp(`\\*\\*embedded\\*\\* \\| \\*\\*${figure(MEASURED.accuracyBoth)} \\[`));
    expect(table).toContain(`fires from ${PARAMETERS.needs.toFixed(2)} up`);
    expect(table).toContain(
      `silent below ${PARAMETERS.silentBelow.toFixed(2)} where another skill has ${PARAMETERS.wins.toFixed(2)} or more`,
    );
    expect(MEASURED.accuracyWhenSure).toBeGreaterThanOrEqual(0.9);
    expect(MEASURED.coverage).toBeGreaterThanOrEqual(0.7);
  });

  test("it is found by name, with its variants", async () => {
    expect((await resolveTarget("embedded", { cwd: ".", env: {} })).id).toBe("embedded");
    expect((await resolveTarget("embedded:keywords", { cwd: ".", env: {} })).id).toBe("embedded:keywords");
    await expect(resolveTarget("embedded:nope", { cwd: ".", env: {} })).rejects.toThrow(UsageError);
  });
});

describe("embedded:keywords is waza's heuristic", () => {
  const explainer = card(
    "code-explainer",
    "Explains code. USE FOR: explain code, walk through this algorithm. DO NOT USE FOR: writing new code.",
  );
  const library = libraryOf([explainer], { "code-explainer": "Do not use it to fix a bug." });
  test.each([
    ["Fix the bug in my code", true, "the body is among the keywords, even where it says not to"],
    ["explain code", true, "a phrase of USE FOR is in the prompt"],
    ["walk me through an algorithm", true, "two of three words of a phrase"],
    ["Writing poems", false, "what follows DO NOT USE FOR is cut"],
    ["", false, "no words"],
  ])("%s: %s (%s)", async (query, fires) => {
    expect(activated(await asked("embedded:keywords", query, { library }))).toEqual(fires ? ["code-explainer"] : []);
  });
});

describe("embedded:minilm", () => {
  test("without its packages, one line says what to install", async () => {
    const root = mkdtempSync(join(tmpdir(), "embedded-"));
    try {
      const opening = embeddedTarget("embedded:minilm", { root }).open(libraryOf(shop));
      await expect(opening).rejects.toMatchObject({
        name: "UsageError",
        hint: expect.stringMatching(
          /^Install them for yourself, not into the project: npm install --prefix "[^"]+" @lat\.md\/\S+ @lat\.md\/\S+$/,
        ),
      });
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
