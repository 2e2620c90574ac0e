import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, test as anyTest, beforeAll, describe, expect } from "vitest";
import { agreements } from "../../src/exam/score/index.ts";
import { pageOfRun } from "../../src/reporters/html/index.ts";
import { type Report, reportOf } from "../../src/verbs/afterwards/report.ts";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";
import { goTo, launch, open } from "./browser.ts";
import { type Demo, libraryDemo, shopDemo } from "./demo.ts";
import { sitDemo } from "./demo-agent.ts";

const test = anyTest.runIf(isHere("chromium"));

let browser: Browser;
let shop: Demo;
let forty: Demo;
let report: Report;
let urls: { shop: string; forty: string };

beforeAll(async () => {
  [browser, shop, forty] = await Promise.all([launch(), shopDemo(), libraryDemo(40)]);
  report = await reportOf(shop.runs.at(-1)!);
  urls = { shop: await written(shop, report), forty: await written(forty) };
});
afterAll(async () => {
  await browser?.close();
  shop?.remove();
  forty?.remove();
});

async function written({ dir, runs }: Pick<Demo, "dir" | "runs">, known?: Report): Promise<string> {
  const file = join(dir, "page.html");
  const place = runs.at(-1)!;
  writeFileSync(file, await pageOfRun(place, known ?? (await reportOf(place))));
  return pathToFileURL(file).href;
}

/** Names that are drawn over one another, or beyond what they are drawn in. */
function collisionsOf(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((of) => {
    const all = [...document.querySelectorAll(of)].map((text) => ({
      name: text.textContent,
      box: text.getBoundingClientRect(),
    }));
    return all.flatMap((one, at) =>
      all
        .slice(at + 1)
        .filter(({ box }) => {
          const across = Math.min(one.box.right, box.right) - Math.max(one.box.left, box.left);
          const down = Math.min(one.box.bottom, box.bottom) - Math.max(one.box.top, box.top);
          // Letters leave some air above and below themselves.
          return across > 1 && down > 4;
        })
        .map(({ name }) => `${one.name} × ${name}`),
    );
  }, selector);
}

describe("on a phone", () => {
  test("a rate keeps its name, number, interval and n on one line, and all rates of a target share one scale", async () => {
    const { page, close } = await open(browser, urls.shop, { width: 380 });
    for (const metric of await page.locator("article.target .metric").all()) {
      const tops = await metric.evaluate((element) =>
        [...element.querySelectorAll(".title, .numbers, .numbers > *")].map(
          (part) => part.getBoundingClientRect().bottom,
        ),
      );
      expect(Math.max(...tops) - Math.min(...tops), await metric.innerText()).toBeLessThan(12);
    }
    const plots = await page
      .locator("article[aria-label=demo-haiku] svg.interval")
      .evaluateAll((all) =>
        all.map((plot) => plot.getBoundingClientRect()).map(({ left, right }) => `${left} ${right}`),
      );
    expect(new Set(plots).size).toBe(1);
    await goTo(page, "#/skill/refund-policy");
    expect(await page.locator("table.rates td .numbers").first().isVisible()).toBe(true);
    expect(
      await page
        .locator("table.rates td")
        .first()
        .evaluate((cell) => getComputedStyle(cell, "::before").content),
    ).toBe('"passed"');
    await close();
  });

  test("the names of the targets above the list are whole", async () => {
    const { page, close } = await open(browser, urls.shop, { width: 380 });
    await goTo(page, "#/questions");
    const names = page.locator("table.list th.result .sort");
    expect(await names.count()).toBe(3);
    for (const name of await names.all()) {
      const beyond = await name.evaluate((one) => {
        const [text, cell] = [one.getBoundingClientRect(), one.closest("th")!.getBoundingClientRect()];
        return [
          cell.left - text.left,
          text.right - cell.right,
          cell.top - text.top,
          text.bottom - cell.bottom,
          one.scrollHeight - one.clientHeight,
        ];
      });
      expect(Math.max(...beyond), await name.innerText()).toBeLessThanOrEqual(0);
    }
    await close();
  });

  test("filters are folded until they are wanted; the verdicts are not", async () => {
    const { page, close } = await open(browser, urls.shop, { width: 380 });
    await goTo(page, "#/questions?flaky=yes");
    const [fold, skill] = [page.locator("button.fold"), page.locator("fieldset.filters select").first()];
    expect(await fold.innerText()).toBe("filters (1 set)");
    expect(await page.locator("nav[aria-label=Verdict] a").first().isVisible()).toBe(true);
    expect(await skill.isVisible()).toBe(false);
    await fold.click();
    await skill.waitFor();
    await close();
  });
});

test.each([380, 1280, 2560])(
  "drawings have letters of one size at %d pixels: none is stretched or shrunk",
  async (width) => {
    const { page, close } = await open(browser, urls.shop, { width });
    for (const [view, drawing] of [
      ["#/runs", "figure.trend > svg"],
      ["#/skill/product-faq", "figure.trend > svg"],
      ["#/matrix?target=demo-haiku", "svg.flows"],
    ] as const) {
      await goTo(page, view);
      const scale = await page
        .locator(drawing)
        .first()
        .evaluate(
          (svg) => (svg as SVGSVGElement).getBoundingClientRect().width / (svg as SVGSVGElement).viewBox.baseVal.width,
        );
      expect(scale, view).toBeGreaterThan(0.95);
      expect(scale, view).toBeLessThan(1.05);
    }
    await close();
  },
);

test("with 40 skills the graph of thefts and the map of collisions are legible: no name lies over another, and the map has room", async () => {
  const { page, close } = await open(browser, urls.forty);
  await goTo(page, "#/matrix");
  expect(await page.locator("svg.flows text").count()).toBeGreaterThan(20);
  expect(await collisionsOf(page, "svg.flows text")).toEqual([]);
  await goTo(page, "#/collisions");
  expect(await page.locator("svg.map text").count()).toBe(40);
  expect(await collisionsOf(page, "svg.map text")).toEqual([]);
  expect(
    await page.locator("section[aria-labelledby=map] .scroll").evaluate((box) => box.scrollWidth - box.clientWidth),
  ).toBe(0);
  await close();
});

test("the table of skills has a mark for every question, those that should activate a skill above the others, and says so", async () => {
  const { page, close } = await open(browser, urls.shop);
  await goTo(page, "#/skills?target=demo-haiku");
  const target = report.scores.targets.find(({ id }) => id === "demo-haiku")!;
  for (const skill of ["refund-policy", "gift-cards"]) {
    const drawing = page
      .locator("tr.row", { has: page.locator(".prompt", { hasText: skill }) })
      .locator("svg.multiples");
    const own = target.questions.filter((question) => question.skill === skill);
    expect(await drawing.locator(".dot").count()).toBe(own.length);
    expect(await drawing.locator(".dot.wrong").count()).toBe(own.filter(({ verdict }) => verdict === "fail").length);
  }
  expect(await page.locator(".dot-legend").innerText()).toContain("those that should activate it above");
  await close();
});

test("a card is shown as each host shows it: whole, cut, or by its name alone", async () => {
  const { page, close } = await open(browser, urls.shop);
  for (const [skill, shown] of [
    ["discount-codes", "whole"],
    ["refund-policy", "cut"],
    ["shipping-address", "name only"],
  ] as const) {
    await goTo(page, `#/skill/${skill}`);
    const card = page.locator("section[aria-labelledby=card]");
    expect(await card.locator("figcaption").innerText()).toBe(`demo-haiku shows it ${shown}`);
    // The whole of it can always be read.
    expect(await card.locator(".card-text").first().innerText()).toMatch(/Use when/);
    if (shown === "name only") expect(await card.locator(".card-text.bare").innerText()).toBe(skill);
    expect(await card.locator(".card-text.cut").count()).toBe(shown === "cut" ? 1 : 0);
  }
  await close();
});

test("the runs of a question are one click apart on the page of a trial, each with its outcome and time", async () => {
  const { page, close } = await open(browser, urls.shop);
  const flaky = report.scores.targets
    .find(({ id }) => id === "demo-haiku")!
    .questions.find((question) => question.flaky)!;
  await goTo(page, `#/question/${encodeURIComponent(flaky.id)}`);
  await page.locator('section[aria-label="On demo-haiku"] ol.trials a').first().click();
  const tabs = page.locator("nav[aria-label=Runs] a");
  await tabs.first().waitFor();
  expect(await tabs.count()).toBe(flaky.measured + flaky.errors);
  expect(await tabs.first().getAttribute("aria-current")).toBe("true");
  expect(await tabs.first().innerText()).toMatch(/run 1\s.*\d (ms|s)/s);
  await tabs.nth(1).click();
  await page.locator("h1", { hasText: "demo-haiku, run 2" }).waitFor();
  await close();
});

test("Esc goes up: from a trial to its question, and from there to the list as it was left", async () => {
  const { page, close } = await open(browser, urls.shop);
  const list = "#/questions?verdict=fail&target=demo-haiku";
  await goTo(page, list);
  await page.locator("table.list a.entry").first().click();
  await page.locator("blockquote.prompt-whole").waitFor();
  const question = await page.evaluate(() => location.hash);
  await page.locator('section[aria-label="On demo-haiku"] ol.trials a').first().click();
  await page.locator(".timeline").waitFor();
  await page.keyboard.press("Escape");
  await page.waitForFunction(
    (hash) => decodeURIComponent(location.hash).split("?")[0] === decodeURIComponent(hash).split("?")[0],
    question,
  );
  await page.keyboard.press("Escape");
  await page.waitForFunction((hash) => location.hash === hash, list);
  await page.keyboard.press("Escape");
  await page.locator("article.target").first().waitFor();
  await close();
});

test("what was measured stands before what was predicted, in every view", async () => {
  const { page, close } = await open(browser, urls.shop);
  const measuredFirst = ["demo-haiku", "demo-sonnet", "embedded"];
  const names = async (selector: string) =>
    (await page.locator(selector).allInnerTexts()).map((name) => name.trim().split(/[\s,]/)[0]);
  expect(await names("article.target h3")).toEqual(measuredFirst);
  await goTo(page, "#/skills");
  expect(await names("nav[aria-label=Target] a")).toEqual(measuredFirst);
  await goTo(page, "#/questions");
  expect(await names("table.list th.result")).toEqual(measuredFirst);
  await page.locator("table.list a.entry").first().click();
  expect(await names("section.answer h2")).toEqual(measuredFirst);
  await goTo(page, "#/skill/refund-policy");
  expect(await names("table.rates th[scope=row]")).toEqual(measuredFirst);
  await goTo(page, "#/runs");
  expect(await names("figure.trend figcaption .series")).toEqual(measuredFirst);
  await close();
});

test("how far the targets agree is told as the report in JSON has it, with what a prediction is worth", async () => {
  const { page, close } = await open(browser, urls.shop);
  const section = await page.locator("section[aria-labelledby=agreements]").innerText();
  const all = agreements(report.scores);
  for (const [first, second] of [
    ["demo-haiku", "demo-sonnet"],
    ["demo-haiku", "embedded"],
  ]) {
    const { n, agreed } = all.find((pair) => pair.first === first && pair.second === second)!;
    expect(section.replaceAll(/\s+/g, " ")).toContain(
      `${first} and ${second} The same verdict on ${agreed} of ${n} questions`,
    );
  }
  const { givenPass } = all.find((pair) => pair.first === "embedded" && pair.second === "demo-haiku")!.secondFails;
  expect(section).toContain(`${Math.round(givenPass.value! * givenPass.n)} of the ${givenPass.n} that embedded passes`);
  const agents = all.find((pair) => pair.first === "demo-haiku" && pair.second === "demo-sonnet")!.secondFails
    .givenPass;
  expect(section).toContain(`${Math.round(agents.value! * agents.n)} of the ${agents.n} that demo-haiku passes`);
  await close();
});

test.each([768, 1000, 1280])("at %d pixels no number of the table of skills runs into its neighbour", async (width) => {
  const { page, close } = await open(browser, urls.shop, { width });
  await goTo(page, "#/skills?target=demo-haiku");
  const beyond = await page.locator("table.skills td.plot:visible").evaluateAll((cells) =>
    cells.map((cell) => {
      const parts = [...cell.querySelectorAll("span, .point")].map((part) => part.getBoundingClientRect().right);
      return Math.max(...parts) - cell.getBoundingClientRect().right;
    }),
  );
  expect(beyond.length).toBeGreaterThanOrEqual(14);
  expect(Math.max(...beyond)).toBeLessThanOrEqual(0);
  await close();
});

test("n and p go through the questions of the list that one was opened from", async () => {
  const { page, close } = await open(browser, urls.shop);
  await goTo(page, "#/questions?verdict=fail&target=demo-haiku");
  const titles = await page.locator("table.list .prompt").allInnerTexts();
  await page.locator("table.list a.entry").first().click();
  const shown = page.locator("h1", { hasText: "Question:" });
  await shown.waitFor({ state: "attached" });
  expect(await page.locator("nav.neighbours").innerText()).toContain(`1 of ${titles.length}`);
  await page.keyboard.press("n");
  await page.locator("nav.neighbours", { hasText: "2 of" }).waitFor();
  expect(await shown.textContent()).toBe(`Question: ${titles[1]}`);
  await page.keyboard.press("p");
  await page.locator("nav.neighbours", { hasText: "1 of" }).waitFor();
  expect(await shown.textContent()).toBe(`Question: ${titles[0]}`);
  await close();
});

test("a prompt is copied as it was written, not as it is shown", async () => {
  const world = new World();
  const prompt = "Say\u200b <b>hello</b>\n  twice";
  world.skill("a", [{ query: prompt, should_trigger: true }]);
  world.script({ default: { skills: ["a"] } });
  const { place } = await world.sit({ runs: 1 });
  const file = join(world.dir, "page.html");
  writeFileSync(file, await pageOfRun(place));
  const { page, close } = await open(browser, pathToFileURL(file).href);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await goTo(page, "#/questions");
  await page.locator("table.list a.entry").first().click();
  await page.locator("button.copy").click();
  await page.locator("button.copy", { hasText: "copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(prompt);
  await close();
  world.remove();
});

test("the raw output of a trial that went wrong is in the file, and is saved as plain text", async () => {
  const { page, complaints, close } = await open(browser, urls.shop);
  const failed = report.scores.targets
    .find(({ id }) => id === "demo-haiku")!
    .questions.find(({ errors }) => errors > 0)!;
  await goTo(page, `#/question/${encodeURIComponent(failed.id)}`);
  await page.locator('section[aria-label="On demo-haiku"] ol.trials a', { hasText: "error" }).first().click();
  const raw = page.locator("details.raw");
  await raw.locator("summary").click();
  expect(await raw.locator("pre").innerText()).toContain('"how":"error"');
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    raw.locator("button", { hasText: "save it as a file" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^demo-haiku-[\w-]+-\d\.txt$/);
  expect(readFileSync(await download.path(), "utf8")).toContain('"how":"error"');
  expect(complaints).toEqual([]);
  await close();
});

test("only the marks that are there are explained, and a prediction alone has no measured one", async () => {
  const { page, close } = await open(browser, urls.shop);
  expect(await page.locator("ul.legend li").allInnerTexts()).toEqual([
    "measured, with its 95 % interval",
    "predicted, with its 95 % interval",
    `the run before, ${shop.runs.at(-2)!.run}`,
  ]);
  const alone = mkdtempSync(join(tmpdir(), "proctor-page-"));
  cpSync(fileURLToPath(new URL("../../examples/shop", import.meta.url)), alone, { recursive: true });
  const predicted = await open(
    browser,
    await written({ dir: alone, runs: [await sitDemo(alone, [], { targets: ["embedded"] })] }),
  );
  expect(await predicted.page.locator("ul.legend li").allInnerTexts()).toEqual(["predicted, with its 95 % interval"]);
  // What is said about a command is not copied with it.
  const commands = await predicted.page.locator("section[aria-labelledby=next] code").allInnerTexts();
  expect(commands.filter((command) => /\(/.test(command))).toEqual([]);
  await goTo(predicted.page, "#/matrix");
  expect(await predicted.page.locator(".key > span").allInnerTexts()).not.toContain("3 error, in no rate");
  await goTo(predicted.page, "#/questions?verdict=fail");
  await predicted.page.locator("table.list a.entry").first().click();
  await predicted.page.locator("ol.trials a").first().click();
  // Trials are read after the first view is drawn.
  await predicted.page.locator(".timeline").getByText("No agent ran").waitFor();
  const told = await predicted.page.locator(".timeline").innerText();
  expect(told).not.toMatch(/turn 1|Ended by itself/);
  await predicted.close();
  await close();
  rmSync(alone, { recursive: true, force: true });
});

test("a cell of which only some trials went wrong is not drawn as if all had", async () => {
  const world = new World();
  world.skill("a", [
    { query: "do a", should_trigger: true },
    { query: "do a as well", should_trigger: true },
  ]);
  world.skill("b", [{ query: "do a as well", should_trigger: false }]);
  world.script({ answers: [{ query: "do a as well", skills: ["a", "b"] }], default: { skills: ["a"] } });
  const { place, scores } = await world.sit({ runs: 1 });
  expect(scores.targets[0]!.confusion.cells).toEqual([{ expected: "a", fired: "a", trials: 2, wrong: 1 }]);
  const file = join(world.dir, "page.html");
  writeFileSync(file, await pageOfRun(place));
  const { page, close } = await open(browser, pathToFileURL(file).href);
  await goTo(page, "#/matrix");
  const cell = page.locator("table.matrix td .cell");
  expect(await cell.evaluate((one) => getComputedStyle(one).backgroundImage)).toContain("linear-gradient");
  expect(await cell.getAttribute("title")).toContain("2 trials, 1 wrong");
  expect(
    (await page.locator(".key > span").allInnerTexts()).map((words) => words.replaceAll(/\s+/g, " ").trim()),
  ).toEqual(["3 some wrong"]);
  await close();
  world.remove();
});

test("a list that is printed has its rows, not only those in sight, and says how many it leaves out", async () => {
  const { page, close } = await open(browser, urls.forty);
  await goTo(page, "#/questions");
  const rows = page.locator("table.list tr.row");
  const all = Number.parseInt(await page.locator("p[role=status]").innerText(), 10);
  expect(await rows.count()).toBeLessThan(all);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.waitForFunction((n) => document.querySelectorAll("table.list tr.row").length === n, all);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.waitForFunction((n) => document.querySelectorAll("table.list tr.row").length < n, all);
  await close();
});

test("what has the focus has a ring around it", async () => {
  const { page, close } = await open(browser, urls.shop);
  for (const view of ["#/", "#/matrix?target=demo-haiku", "#/skills", "#/questions", "#/runs"]) {
    await goTo(page, view);
    for (let tab = 0; tab < 12; tab++) {
      await page.keyboard.press("Tab");
      const ring = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!);
        return document.activeElement === document.body ? "nothing" : `${outlineStyle} ${outlineWidth}`;
      });
      expect(ring, `${view}, after ${tab + 1} tabs`).toMatch(/^(nothing|(solid|auto) [1-9])/);
    }
  }
  await close();
});
