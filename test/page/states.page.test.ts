import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, test as anyTest, beforeAll, beforeEach, describe, expect } from "vitest";
import type { RecordPlace } from "../../src/exam/record/index.ts";
import { scoreStored } from "../../src/exam/score/index.ts";
import { pageOfRun } from "../../src/reporters/html/index.ts";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";
import { goTo, launch, open, type Watched } from "./browser.ts";
import { libraryDemo } from "./demo.ts";

const test = anyTest.runIf(isHere("chromium"));

let browser: Browser;
let world: World;
let watched: Watched | undefined;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());
beforeEach(() => {
  world = new World();
  world.skill("a", [
    { query: "do a", should_trigger: true },
    { query: "do nothing", should_trigger: false },
  ]);
  world.skill("b", [{ query: "do b", should_trigger: true }]);
  world.script({ answers: [{ query: "do a", skills: ["a"] }], default: { skills: [] } });
});
afterEach(async () => {
  await watched?.close();
  watched = undefined;
  world.remove();
});

async function shown(place: RecordPlace): Promise<string> {
  const file = join(world.dir, "page.html");
  writeFileSync(file, await pageOfRun(place));
  watched = await open(browser, pathToFileURL(file).href);
  const text = await watched.page.locator("main").innerText();
  expect(watched.complaints).toEqual([]);
  return text;
}

describe("a run that is no result says so", () => {
  test("all errors: nothing was measured, and an error counts neither as right nor as wrong", async () => {
    world.script({ default: { error: { reason: "auth", message: "Not logged in. Run /login." } } });
    const text = await shown((await world.sit({ retries: 0 })).place);
    expect(text).toContain("Nothing was measured: no question has a verdict");
    expect(text).toContain("script:answers.yaml is not measured: not logged in (Not logged in. Run /login.)");
    expect(text.match(/not measured/g)?.length).toBeGreaterThanOrEqual(5);
    expect(text).not.toMatch(/\b(0|100) ?%|\b1\.00\b/);
    await goTo(watched!.page, "#/matrix");
    expect(await watched!.page.locator("table.matrix a.error").count()).toBeGreaterThan(0);
  });

  test("interrupted", async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await shown((await world.sit({}, { finish: stop.signal })).place)).toContain("This run was interrupted");
  });

  test("killed: it has no end", async () => {
    const { place } = await world.sit();
    const lines = readFileSync(place.file, "utf8").trimEnd().split("\n");
    writeFileSync(place.file, `${lines.slice(0, -2).join("\n")}\n`);
    expect(await shown(place)).toContain("This run has no end");
  });

  test("damaged", async () => {
    const { place } = await world.sit();
    writeFileSync(place.file, readFileSync(place.file, "utf8").replace("do nothing", "do NOTHING"));
    expect(await shown(place)).toContain("The record is damaged");
  });

  test("a part of the questions", async () => {
    expect(await shown((await world.sit({ skills: ["a"] })).place)).toContain("A part of the questions");
  });

  test("nothing selected, and skills without a question", async () => {
    world.skill("c");
    expect(await shown((await world.sit()).place)).toContain(
      "1 skill without a question, so nothing is known about it: c.",
    );
  });
});

test("what a prediction cannot tell is a state of its own: a hollow mark, in words, in no rate", async () => {
  world.skill(
    "parcel",
    [{ query: "Kannst du mir bitte kurz helfen?", should_trigger: true }],
    "Finds where a parcel is. Use when somebody asks where their parcel is.",
  );
  const { place, scores } = await world.sit({ targets: ["embedded"] });
  const unsure = scores.targets[0]!.questions.filter(({ verdict }) => verdict === "unsure");
  expect(unsure.length).toBeGreaterThan(0);
  const text = await shown(place);
  expect(text).toMatch(new RegExp(`${unsure.length}\\s+cannot tell`));
  await goTo(watched!.page, "#/questions?verdict=unsure");
  const marks = watched!.page.locator("tr.row .mark.unsure");
  expect(await marks.count()).toBe(unsure.length);
  // A dashed ring, and no filled shape as a verdict has.
  expect(await marks.first().evaluate((mark) => getComputedStyle(mark, "::before").maskImage)).toContain(
    "stroke-dasharray",
  );
  expect(await watched!.page.locator("tr.row .dot.open").count()).toBe(unsure.length);
  // Nor is it shown in the matrix as what was expected.
  await goTo(watched!.page, "#/matrix");
  const cells = watched!.page.locator(".matrix td .cell", { hasText: "cannot tell" });
  expect(await cells.count()).toBeGreaterThan(0);
  for (const cell of await cells.all()) expect(await cell.getAttribute("class")).toBe("cell unsure");
  expect(await watched!.page.locator("main").innerText()).toContain("cannot tell, in no rate");
});

test("that a skill helps is not claimed where the interval leaves it open", async () => {
  world.write("skills/a/evals/evals.json", {
    skill_name: "a",
    evals: [{ id: "says-it", prompt: "say it", assertions: [{ type: "contains", value: "it" }] }],
  });
  world.script({ default: { skills: ["a"], text: "it", without_skill: { text: "no" } } });
  const { place, scores } = await world.sit({ only: "cases", runs: 2, baseline: "without" });
  expect(scores.targets[0]!.lift!.cases[0]).toMatchObject({ mark: "helps" });
  await shown(place);
  await goTo(watched!.page, "#/cases");
  const row = watched!.page.locator("table.lifts tbody tr").first();
  expect(await row.innerText()).toContain("passes only with it, in too few runs to be sure");
  await row.locator("a.entry").click();
  const answer = watched!.page.locator("section.answer").first();
  expect(await answer.innerText()).toContain("passes only with it, in too few runs to be sure");
});

test("cases show each grader's finding with its evidence, and the lift with its interval where a baseline ran", async () => {
  world.write("skills/a/evals/evals.json", {
    skill_name: "a",
    evals: [
      {
        id: "says-it",
        prompt: "say it",
        assertions: [
          { type: "contains", value: "it" },
          { type: "contains", value: "never" },
        ],
      },
    ],
  });
  world.script({ default: { skills: [], text: "it" } });
  const { place, scores } = await world.sit({ only: "cases", runs: 3, baseline: "without" });
  await shown(place);
  await goTo(watched!.page, "#/cases");
  const { lift } = scores.targets[0]!;
  const row = await watched!.page.locator("table.lifts tbody tr").first().innerText();
  expect(row).toContain(lift!.cases[0]!.mark);
  expect(row).toMatch(/0 of 3/);
  await watched!.page.locator("table.lifts a.entry").first().click();
  await watched!.page.locator("table.checks").waitFor();
  const parts = await watched!.page.locator("ul.parts").first().innerText();
  expect(parts).toContain("contains");
  expect(await watched!.page.locator("ul.parts").first().locator(".mark.pass").count()).toBe(1);
  expect(await watched!.page.locator("ul.parts").first().locator(".mark.fail").count()).toBe(1);
});

test("a library of 200 skills is legible: groups of rivals first, rows with mistakes and all of them on demand, a cell under the pointer is named", async () => {
  const demo = await libraryDemo(200);
  const { page, complaints, close } = await open(browser, pathToFileURL(await written(demo.dir, demo.runs[0]!)).href);
  const [target] = (await scoreStored(demo.runs[0]!)).targets;
  await goTo(page, "#/matrix");
  // Groups of rivals: every theft is a cell of one of them, and a cell opens its questions.
  const thefts = target!.steals.filter(({ trials }) => trials > 0);
  for (const { thief, victim } of thefts.slice(0, 5))
    expect(await page.locator(`table.matrix.group a[title^="expected ${victim}, fired ${thief}:"]`).count()).toBe(1);
  await page.locator("table.matrix.group a.wrong").first().click();
  await page.locator("table.list tbody tr.row").first().waitFor();
  await goTo(page, "#/matrix?rows=wrong");
  expect(await page.locator("svg.large-matrix rect.box").count()).toBeGreaterThan(100);
  await goTo(page, "#/matrix?rows=all&zoom=large");
  expect(await page.locator("svg.large-matrix text.end").count()).toBe(201);
  await page.locator("svg.large-matrix rect.box").first().hover();
  expect(await page.locator("p.over").innerText()).toMatch(/^expected .+, fired .+: \d+ trial/);
  await goTo(page, "#/skills");
  expect(await page.locator("p[role=status]").innerText()).toBe("200 skills");
  // Only what is in sight is there, and what is scrolled to comes.
  expect(await page.locator("table.skills tr.row").count()).toBeLessThan(60);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.locator('tr[aria-rowindex="201"]').waitFor();
  expect(complaints).toEqual([]);
  await close();
  demo.remove();
});

async function written(dir: string, place: RecordPlace): Promise<string> {
  const file = join(dir, "page.html");
  writeFileSync(file, await pageOfRun(place));
  return file;
}
