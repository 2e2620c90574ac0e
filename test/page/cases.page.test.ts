import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, test as anyTest, beforeAll, expect } from "vitest";
import { scoreStored } from "../../src/exam/score/index.ts";
import type { Scores } from "../../src/model/index.ts";
import { pageOfRun } from "../../src/reporters/html/index.ts";
import { environmentOf, replyOf, startRawModel } from "../targets/models/raw-model.ts";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";
import { drawnIn, goTo, launch, loadAxe, open, overhang, seriousFindings } from "./browser.ts";
import { casesDemo } from "./cases-demo.ts";
import type { Demo } from "./demo.ts";

const test = anyTest.runIf(isHere("chromium"));

let browser: Browser;
let demo: Demo;
let scores: Scores;
let url: string;
let page: Page;

beforeAll(async () => {
  [browser, demo] = await Promise.all([launch(), casesDemo({ judged: true })]);
  const place = demo.runs[0]!;
  scores = await scoreStored(place);
  const file = join(demo.dir, "page.html");
  writeFileSync(file, await pageOfRun(place));
  url = pathToFileURL(file).href;
  ({ page } = await open(browser, url));
});
afterAll(async () => {
  await browser?.close();
  demo?.remove();
});

const signed = (value: number) => `${value < 0 ? "−" : value > 0 ? "+" : ""}${Math.abs(value).toFixed(2)}`;

test("the lift of the skills stands with its interval on the overview, among the cases and on each of them", async () => {
  const lift = scores.targets[0]!.lift!;
  const span = [signed(lift.difference!), `[${signed(lift.low!)} to ${signed(lift.high!)}]`];
  const card = await page.locator("article.target").innerText();
  for (const part of span) expect(card).toContain(part);
  // From −1 on the left to +1 on the right.
  const place = (difference: number | null) => expect.closeTo((difference! + 1) / 2, 3);
  const plot = page.locator("article.target svg.interval[aria-label^=difference]");
  expect(await drawnIn(plot)).toEqual([
    { low: place(lift.low), value: place(lift.difference), high: place(lift.high) },
  ]);
  await goTo(page, "#/cases");
  expect(await page.locator("div.lift > p").innerText()).toContain(`lift ${span.join(" ")} over ${lift.n} cases`);
  const rows = await page.locator("table.lifts tbody tr").allInnerTexts();
  for (const [at, { question, low, high, mark }] of lift.cases.entries()) {
    // What the interval does not exclude is not claimed.
    const claimed = mark === "helps" && low! <= 0 ? "passes only with it, in too few runs to be sure" : mark;
    expect(rows[at]).toContain(claimed);
    await goTo(page, `#/question/${encodeURIComponent(question)}`);
    const shown = await page.locator("section.answer").innerText();
    expect(shown).toContain(claimed);
    expect(shown).toContain(`[${signed(low!)} to ${signed(high!)}]`);
  }
});

test("a case shows what each grader found, in the judge's own words; runs that came out alike are told together", async () => {
  await openCase("thanks-a-customer");
  const checks = await page.locator("table.checks").innerText();
  expect(checks).toContain("rubric");
  expect(checks).toContain("says nothing about the refund");
  expect(await page.locator("table.checks tbody tr").count()).toBe(1);
  expect(await page.locator("table.checks tbody tr").first().locator("td").first().innerText()).toBe("1, 2, 3, 4, 5");
  await openCase("keeps-it-short");
  expect(await page.locator("table.checks tbody tr").count()).toBe(2);
});

test("files that a case created, changed and deleted are shown as a diff", async () => {
  await openCase("finishes-the-draft");
  await page.locator("ol.trials a").first().click();
  await page.locator("section.files").waitFor();
  const shown = await page.locator("section.files li").allInnerTexts();
  expect(shown).toHaveLength(3);
  expect(shown.map((text) => text.split(/\s+/).slice(0, 2).join(" "))).toEqual([
    "changed ada.md",
    "created sent/ada.md",
    "deleted old.md",
  ]);
  const lines = (kind: string) => page.locator(`section.files li.changed tr.${kind} .line`).allInnerTexts();
  expect(await lines("out")).toEqual(["Dear customer,", "Your refund is late."]);
  expect(await lines("in")).toEqual([
    "Dear Ada,",
    "Your refund of $48 for order SH-2290417 was sent today.",
    "It reaches you within 3 days.",
  ]);
  expect(await page.locator("section.files li.removed tr.out .line").allInnerTexts()).toEqual([
    "An older draft.",
    "Nobody needs it.",
  ]);
});

test("what people noted stands on the overview with how often they agree with the judge, on the question, and can be filtered", async () => {
  await goTo(page, "#/");
  const people = await page.locator("section[aria-labelledby=people]").innerText();
  expect(people).toContain("They agree with the judge on 1 of 2 questions");
  expect(people).toMatch(/\[\.\d\d–\.\d\d\]/);
  await goTo(page, "#/questions?noted=yes");
  expect(await page.locator("table.list tbody tr.row").count()).toBe(2);
  await openCase("thanks-a-customer");
  const said = await page.locator("section[aria-labelledby=said]").innerText();
  expect(said).toContain("the verdict is wrong");
  expect(said).toContain("the rubric asks too much");
});

test("the reason of a judge that reads one card alone is on its trial, as text", async () => {
  const world = new World();
  const model = await startRawModel(() => ({
    body: replyOf("anthropic", "DECISION=YES\nREASON=The card speaks of <b>parcels</b>."),
  }));
  world.env = environmentOf("anthropic", model.url) as Record<string, string>;
  world.skill("parcels", [{ query: "Where is my parcel?", should_trigger: true }]);
  const { place } = await world.sit({ targets: ["judge:anthropic/claude-haiku-4-5"], runs: 1 });
  const file = join(world.dir, "page.html");
  writeFileSync(file, await pageOfRun(place));
  const one = await open(browser, `${pathToFileURL(file).href}#/questions`);
  await one.page.locator("a.entry").first().click();
  await one.page.locator("ol.trials a").first().click();
  expect(await one.page.getByLabel("The judge's reason").innerText()).toBe("The card speaks of <b>parcels</b>.");
  await one.close();
  await model.close();
  world.remove();
});

test.each([
  [380, "light"],
  [768, "light"],
  [1280, "dark"],
] as const)(
  "at %i pixels, %s: nothing is wider than the window, and axe finds nothing serious",
  async (width, scheme) => {
    const one = await open(browser, url, { width, scheme });
    await loadAxe(one.page);
    await goTo(one.page, "#/cases");
    const question = (await one.page
      .locator("a.entry", { hasText: "finishes-the-draft" })
      .first()
      .getAttribute("href"))!;
    await goTo(one.page, question);
    // A case belongs to the cases, as does its trial.
    expect(await one.page.locator("header.top nav a[aria-current]").innerText()).toBe("Cases");
    const trial = (await one.page.locator("ol.trials a").first().getAttribute("href"))!;
    for (const view of ["#/", "#/cases", question, trial]) {
      await goTo(one.page, view);
      if (view === trial) await one.page.locator("section.files").waitFor();
      expect(await overhang(one.page), view).toBe(0);
      expect(await seriousFindings(one.page), view).toEqual([]);
    }
    await one.close();
  },
);

async function openCase(name: string): Promise<void> {
  await goTo(page, "#/cases");
  await page.locator("table.list a.entry", { hasText: name }).first().click();
  await page.locator("section.answer").waitFor();
}
