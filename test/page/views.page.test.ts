import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, test as anyTest, beforeAll, describe, expect } from "vitest";
import { type RecordPlace, readRecord, readTranscript } from "../../src/exam/record/index.ts";
import type { Rate, Transcript, TrialLine } from "../../src/model/index.ts";
import { pairAdvice } from "../../src/reporters/collisions/json.ts";
import { pageOfRun } from "../../src/reporters/html/index.ts";
import { type Report, reportOf } from "../../src/verbs/afterwards/report.ts";
import { collisions } from "../../src/verbs/library/collisions.ts";
import { isHere } from "../tools.ts";
import { drawnIn, goTo, launch, loadAxe, open, overhang, seriousFindings, type Watched } from "./browser.ts";
import { type Demo, shopDemo } from "./demo.ts";

const test = anyTest.runIf(isHere("chromium"));

let browser: Browser;
let demo: Demo;
let report: Report;
let url: string;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  [browser, demo] = await Promise.all([launch(), shopDemo()]);
  const place = demo.runs.at(-1)!;
  report = await reportOf(place);
  const file = join(demo.dir, "page.html");
  writeFileSync(file, await pageOfRun(place, report));
  url = pathToFileURL(file).href;
  watched = await open(browser, url);
  page = watched.page;
});

afterAll(async () => {
  await browser?.close();
  demo?.remove();
});

const text = (selector: string) => page.locator(selector).first().innerText();
const rateText = ({ value, low, high }: Rate) => [
  value!.toFixed(2),
  `[${[low, high].map((bound) => bound!.toFixed(2).replace(/^0\./, ".")).join("–")}]`,
];

describe("the overview", () => {
  test("has a card for each target, with the very numbers of the scores", async () => {
    await goTo(page, "#/");
    for (const target of report.scores.targets) {
      const card = page.locator(`article[aria-label="${target.id}"]`);
      const shown = await card.innerText();
      for (const name of ["score", "recall", "fpr", "precision"] as const)
        for (const part of rateText(target.total[name])) expect(shown, `${target.id} ${name}`).toContain(part);
      expect(shown).toContain(`${target.total.coverage.verdicts} of ${target.total.coverage.planned}`);
      expect(await card.locator("svg.interval").count()).toBe(4);
    }
  });

  test("draws each rate where it lies between 0 and 1, and its interval from its lower to its upper bound", async () => {
    await goTo(page, "#/");
    for (const target of report.scores.targets) {
      const plots = page.locator(`article[aria-label="${target.id}"] svg.interval`);
      const rates = ["score", "recall", "fpr", "precision"] as const;
      expect(await drawnIn(plots)).toEqual(
        rates.map((name) => {
          const { low, value, high } = target.total[name];
          return { low: expect.closeTo(low!, 3), value: expect.closeTo(value!, 3), high: expect.closeTo(high!, 3) };
        }),
      );
    }
  });

  test("its headline counts what was measured, never a prediction beside it", async () => {
    const failing = report.scores.targets
      .filter(({ predicted }) => !predicted)
      .flatMap(({ questions }) => questions.filter(({ verdict }) => verdict === "fail").map(({ id }) => id));
    expect(await text("h1")).toBe(`${new Set(failing).size} questions fail on demo-haiku or demo-sonnet`);
    const predicted = report.scores.targets[0]!.questions.filter(
      ({ verdict, id }) => verdict === "fail" && !failing.includes(id),
    );
    expect(predicted.length).toBeGreaterThan(0);
  });

  test("says why questions fail, most frequent first, and a reason opens its questions", async () => {
    await goTo(page, "#/");
    const counts = (await page.locator(".chip b").allInnerTexts()).map(Number);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    await page.locator(".chip", { hasText: "a sibling won" }).click();
    expect(await page.locator("table.list tbody tr.row").count()).toBe(counts[0]);
    await goTo(page, "#/");
  });

  test("draws a prediction with another mark, and says that no agent ran", async () => {
    const [predicted, measured] = [
      page.locator('article[aria-label="embedded"]'),
      page.locator('article[aria-label="demo-sonnet"]'),
    ];
    expect(await predicted.innerText()).toContain("prediction, no agent ran");
    expect(await predicted.locator("svg.interval.predicted path.point").count()).toBe(4);
    expect(await measured.locator("svg.interval circle.point:not(.past)").count()).toBe(4);
    expect(await measured.locator("path.point").count()).toBe(0);
  });

  test("draws the run before on the same scale, and names what changed", async () => {
    expect(await page.locator('article[aria-label="demo-haiku"] .point.past').count()).toBe(4);
    const since = report.since.find(({ comparison }) => comparison.target === "demo-haiku")!;
    const changes = await text("section[aria-labelledby=changes]");
    for (const { prompt } of since.comparison.worsened.slice(0, 3)) expect(changes).toContain(prompt);
    const marks = page.locator("ul.changed .mark");
    expect(await marks.count()).toBeGreaterThan(0);
    for (const mark of await marks.all()) expect((await mark.boundingBox())?.width).toBeGreaterThanOrEqual(16);
  });

  test("lists what fails, with the terminal's reason, and what to do next", async () => {
    const failed = report.scores.targets.flatMap(({ questions }) =>
      questions.filter(({ verdict }) => verdict === "fail"),
    );
    const shown = await text("section.wrong");
    expect(failed.some(({ prompt, why }) => shown.includes(prompt) && shown.includes(why!))).toBe(true);
    expect(await text("section[aria-labelledby=next] code")).toMatch(/^proctor /);
  });
});

describe("the matrix", () => {
  test("has every cell of the confusion matrix, and a cell opens its questions", async () => {
    await goTo(page, "#/matrix?target=demo-haiku");
    const { confusion } = report.scores.targets.find(({ id }) => id === "demo-haiku")!;
    expect(await page.locator("table.matrix td a").count()).toBe(confusion.cells.length);
    const worst = confusion.cells.find(({ wrong, fired }) => wrong > 0 && fired !== "(none)")!;
    await page.locator(`table.matrix a[title^="expected ${worst.expected}, fired ${worst.fired}"]`).click();
    expect(await text("h1")).toBe("Questions");
    const rows = await page.locator("table.list tbody tr.row").count();
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(report.scores.plan.questions / 2);
    await page.goBack();
    expect(await text("h1")).toBe("Who is confused with whom");
  });

  test("a cell opens the questions of the very trials that it counts, on every target, errors and what cannot be told among them", async () => {
    const trials: TrialLine[] = [];
    for await (const line of readRecord(demo.runs.at(-1)!.file)) if (line.type === "trial") trials.push(line);
    for (const { id, confusion, questions } of report.scores.targets)
      for (const { expected, fired, trials: counted } of confusion.cells) {
        await goTo(page, `#/questions?${new URLSearchParams({ expected, fired, target: id })}`);
        await page.locator("table.list a.entry").first().waitFor();
        const links = await page
          .locator("table.list a.entry")
          .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
        const shown = links.map(
          (link) => questions.find((one) => link.startsWith(`#/question/${encodeURIComponent(one.id)}`))!,
        );
        expect(shown.filter(({ kind }) => kind === "case")).toEqual([]);
        const asks = new Set(shown.map(({ ask }) => ask));
        const among = trials.filter(({ target, ask, error, activations }) => {
          if (target !== id || !asks.has(ask) || (fired === "(error)") !== (error !== undefined)) return false;
          if (fired === "(error)") return true;
          return (activations[0]?.skill ?? (fired.startsWith("(") ? fired : "(none)")) === fired;
        });
        // Of an ask that went several ways only some trials are in the cell; none is in it that is not among them.
        expect(among.length, `${id}: ${expected} → ${fired}`).toBe(counted);
      }
  });

  test("every theft opens its questions", async () => {
    await goTo(page, "#/matrix?target=demo-haiku");
    const thefts = await page
      .locator("svg.flows a")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    await goTo(page, "#/skill/product-faq");
    thefts.push(
      ...(await page
        .locator("section[aria-labelledby=rivals] li a:last-of-type")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""))),
    );
    expect(thefts.length).toBeGreaterThan(1);
    for (const theft of thefts) {
      await goTo(page, theft);
      await page.locator("table.list a.entry").first().waitFor();
    }
  });

  test("puts rivals side by side and draws who takes from whom", async () => {
    await goTo(page, "#/matrix?target=demo-haiku");
    const columns = await page.locator("table.matrix thead th:not(.corner)").allInnerTexts();
    expect(Math.abs(columns.indexOf("refund-policy") - columns.indexOf("product-faq"))).toBe(1);
    expect(await page.locator("svg.flows path.flow").count()).toBeGreaterThan(0);
    expect(await page.locator("svg.flows").getAttribute("aria-label")).toContain("product-faq takes");
  });
});

describe("skills", () => {
  test("are a table that sorts, and one opens with its card, its questions by cause and what took them", async () => {
    await goTo(page, "#/skills?target=demo-haiku");
    const names = () => page.locator("table.skills tbody .prompt").allInnerTexts();
    expect(await names()).toHaveLength(7);
    await page.locator("table.skills th", { hasText: "skill" }).first().locator("a").click();
    expect(await names()).toEqual([...(await names())].sort());
    await page.locator("table.skills a.entry", { hasText: "refund-policy" }).click();
    expect(await text("h1")).toBe("refund-policy");
    const shown = await text("article.skill");
    expect(shown).toContain("Explains our refund policy");
    expect(shown).toContain("Fails: a sibling won");
    expect(shown).toMatch(/loses to\s+product-faq/);
    expect(shown).toMatch(/shows it\s+cut/);
  });

  test("show each of their questions once, by the worst that was measured of it", async () => {
    await goTo(page, "#/skill/refund-policy");
    const own = report.scores.targets[1]!.questions.filter(({ skill }) => skill === "refund-policy");
    const prompts = await page.locator("ul.questions .prompt").allInnerTexts();
    expect(prompts.toSorted()).toEqual(own.map(({ prompt }) => prompt).toSorted());
  });

  test("advise as proctor collisions does", async () => {
    await goTo(page, "#/skill/order-status");
    const [library] = (await collisions({ cwd: demo.dir })).libraries;
    const pair = library!.pairs.find(({ skills }) => skills.includes("order-status"))!;
    expect(await text("section[aria-labelledby=advice]")).toContain(pairAdvice(pair));
  });
});

describe("questions", () => {
  test("one shows its prompt, label, place, a mark for each run on every target, and how it went before", async () => {
    const question = report.scores.targets[1]!.questions.find(
      ({ verdict, kind }) => verdict === "fail" && kind === "trigger",
    )!;
    await goTo(page, `#/question/${encodeURIComponent(question.id)}`);
    expect(await text("blockquote")).toBe(question.prompt);
    const shown = await text("article.question");
    expect(shown).toContain(`${question.source.file}:${question.source.line}`);
    expect(shown).toContain(question.why!);
    expect(await page.locator("section.answer").count()).toBe(3);
    expect(await page.locator("ol.trials").nth(1).locator("li").count()).toBe(question.planned);
    expect(await page.locator("table.past thead th").count()).toBe(1 + demo.runs.length);
  });

  test("filters are in the address, so that a link opens them and the back button undoes them", async () => {
    await goTo(page, "#/questions");
    const all = await text("p[role=status]");
    await page.locator("nav[aria-label=Verdict] a", { hasText: "fails" }).click();
    await page.waitForFunction(() => location.hash.includes("verdict=fail"));
    const failing = await text("p[role=status]");
    expect(failing).not.toBe(all);
    await page.locator("button.toggle", { hasText: "flaky" }).click();
    await page.waitForFunction(() => location.hash.includes("flaky=yes"));
    const linked = await open(browser, page.url());
    expect(await linked.page.locator("p[role=status]").innerText()).toBe(await text("p[role=status]"));
    await linked.close();
    await page.goBack();
    await page.goBack();
    await page.waitForFunction(() => !location.hash.includes("verdict"));
    expect(await text("p[role=status]")).toBe(all);
  });

  test.each([
    ["verdict=fail&target=demo-haiku", (one: Answered) => one.verdict === "fail"],
    ["flaky=yes&target=demo-haiku", (one: Answered) => one.flaky],
    ["cause=sibling&target=demo-haiku", (one: Answered) => "sibling" in one.causes],
    ["skill=order-status", (one: Answered) => one.skill === "order-status"],
    ["tag=near-miss", (one: Answered) => one.tags.includes("near-miss")],
    ["q=coupon", (one: Answered) => /coupon/i.test(one.prompt)],
  ])("%s shows those questions and no others", async (filter, fits) => {
    await goTo(page, `#/questions?${filter}`);
    const target = report.scores.targets.find(({ id }) => id === "demo-haiku")!;
    const expected = target.questions.filter(fits);
    expect(await text("p[role=status]")).toMatch(new RegExp(`^${expected.length} of `));
    expect(await page.locator("table.list tbody tr.row").count()).toBe(expected.length);
  });

  test("changed ones can be filtered", async () => {
    const { improved, worsened } = report.since.find(
      ({ comparison }) => comparison.target === "demo-haiku",
    )!.comparison;
    await goTo(page, "#/questions?changed=yes&target=demo-haiku");
    expect(await page.locator("table.list tbody tr.row").count()).toBe(improved.length + worsened.length);
  });

  test("cases have a view with their checks", async () => {
    await goTo(page, "#/cases");
    expect(await text("h1")).toBe("Cases");
    const cases = report.scores.targets[0]!.questions.filter(({ kind }) => kind === "case");
    expect(await page.locator("table.list tbody tr.row").count()).toBe(cases.length);
    const checked = report.scores.targets[1]!.questions.find(
      ({ kind, status }) => kind === "case" && status === "asked",
    )!;
    await goTo(page, `#/question/${encodeURIComponent(checked.id)}`);
    expect(await page.locator("table.checks tbody tr").count()).toBeGreaterThan(0);
  });
});

type Answered = Report["scores"]["targets"][number]["questions"][number];

describe("a trial", () => {
  test("has a time for every step that the host told of, those of the record", async () => {
    const place = demo.runs.at(-1)!;
    const slow = report.scores.targets
      .find(({ id }) => id === "demo-haiku")!
      .questions.find(({ prompt }) => prompt === "How long do I have to ask for a refund?")!;
    const { calls, texts } = await transcriptOf(place, "demo-haiku", slow.ask, 1);
    expect(calls.every(({ ms, tookMs }) => ms !== undefined && tookMs !== undefined)).toBe(true);
    await goTo(page, `#/question/${encodeURIComponent(slow.id)}`);
    await page.locator('section[aria-label="On demo-haiku"] ol.trials a').first().click();
    await page.locator(".timeline .moment").first().waitFor();
    const shown = await page.locator(".timeline .moment").allInnerTexts();
    const told = [...texts, ...calls].map(({ ms }) => `${Math.round(ms!)} ms`);
    expect(shown.map((one) => one.replace(/^after\s*/, "")).sort()).toEqual(told.sort());
    const results = await page.locator(".timeline .result > .quiet").allInnerTexts();
    expect(results.sort()).toEqual(calls.map(({ tookMs }) => `result after ${Math.round(tookMs!)} ms`).sort());
  });

  test("is a timeline: turns, calls with results, the load of a skill, sub-agents, what the model was shown, cost", async () => {
    await goTo(page, "#/skill/refund-policy");
    await page.locator("a.entry", { hasText: "How long do I have" }).first().click();
    await page.locator('section[aria-label="On demo-haiku"] ol.trials a').first().click();
    await page.locator("li.step.activation").first().waitFor();
    expect(await text("li.step.activation")).toContain("product-faq was loaded");
    expect(await page.locator("li.step.call").count()).toBeGreaterThan(0);
    const facts = await text("aside.trial-facts");
    for (const word of ["tokens", "cost", "turns", "What the model was shown", "name only"])
      expect(facts).toContain(word);
  });

  test("long texts are folded, and unfold", async () => {
    await goTo(page, "#/questions?target=demo-sonnet&verdict=pass");
    const more = page.locator("button", { hasText: "show all" });
    for (const row of await page.locator("table.list a.entry").all()) {
      await row.click();
      await page.locator('section[aria-label="On demo-sonnet"] ol.trials a').first().click();
      await page.locator("li.step.end").waitFor();
      await page.waitForTimeout(50);
      if ((await more.count()) > 0) break;
      await page.goBack();
      await page.goBack();
    }
    expect(await page.locator("li.step.inner").count()).toBeGreaterThan(0);
    const before = (await text(".timeline")).length;
    await more.first().click();
    expect((await text(".timeline")).length).toBeGreaterThan(before);
    await page.locator("button", { hasText: "fold" }).click();
    expect((await text(".timeline")).length).toBe(before);
  });
});

describe("runs over time, and collisions", () => {
  test("every kept run is a point with its interval, edits are marks, and an edit shows what was changed", async () => {
    await goTo(page, "#/runs");
    expect(await page.locator(".trend .series .point").count()).toBeGreaterThanOrEqual(demo.runs.length * 3);
    expect(await page.locator(".trend g.edit").count()).toBe(2);
    const edits = await text("ol.edits");
    expect(edits).toContain("shipping-address");
    expect(await text(".edits ins")).toContain("Answers anything about orders, parcels and products.");
    await page.locator("label.choice", { hasText: "skill" }).locator("select").selectOption("product-faq");
    await page.waitForFunction(() => document.querySelectorAll(".trend g.edit").length === 1);
  });

  test("the map has the pairs that proctor collisions finds, with its advice", async () => {
    await goTo(page, "#/collisions");
    expect(await text("h1")).toMatch(/pairs? of cards compete/);
    expect(await text("ol.pairs-list")).toContain("order-status × shipping-address");
    expect(await page.locator("svg.map rect.risk").count()).toBeGreaterThan(0);
  });
});

describe("the keyboard", () => {
  test("/ searches, j and k move, Enter opens, Esc goes up, ? helps", async () => {
    await goTo(page, "#/");
    await page.keyboard.press("/");
    await page.keyboard.type("refund");
    await page.waitForFunction(() => location.hash.includes("q=refund"));
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !location.hash.includes("q=refund"));
    await goTo(page, "#/questions?q=refund");
    const prompts = await page.locator("table.list .prompt").allInnerTexts();
    await page.locator("body").click({ position: { x: 3, y: 3 } });
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.locator("blockquote").waitFor();
    expect(await text("blockquote")).toBe(prompts[1]);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => location.hash.startsWith("#/questions"));
    await page.keyboard.press("3");
    await page.waitForFunction(() => location.hash.startsWith("#/skills"));
    await page.keyboard.press("?");
    expect(await page.locator("dialog.help").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.locator("dialog.help").isVisible()).toBe(false);
    expect(page.url()).toContain("#/skills");
  });
});

const VIEWS = [
  "#/",
  "#/matrix",
  "#/skills",
  "#/skill/refund-policy",
  "#/questions",
  "#/cases",
  "#/runs",
  "#/collisions",
];

describe.each(["light", "dark"] as const)("in %s colours", (scheme) => {
  test("no view has a serious finding of axe, at a desk or on a phone", async () => {
    for (const width of [1280, 380]) {
      const one = await open(browser, url, { width, scheme });
      await loadAxe(one.page);
      for (const view of [...VIEWS, ...(await trialAndQuestion(one.page))]) {
        await goTo(one.page, view);
        expect(await seriousFindings(one.page), `${view} at ${width}`).toEqual([]);
      }
      await one.close();
    }
  });

  test("no view is wider than the window at 380, 768, 1280 and 2560 pixels", async () => {
    for (const width of [380, 768, 1280, 2560]) {
      const one = await open(browser, url, { width, scheme });
      for (const view of [...VIEWS, ...(await trialAndQuestion(one.page))]) {
        await goTo(one.page, view);
        expect(await overhang(one.page), `${view} at ${width}`).toBe(0);
      }
      await one.close();
    }
  });
});

async function trialAndQuestion(of: Page): Promise<string[]> {
  await goTo(of, "#/skill/refund-policy");
  const question = (await of.locator("a.entry").first().getAttribute("href"))!;
  await goTo(of, question);
  return [question, (await of.locator("ol.trials a").first().getAttribute("href"))!];
}

test("print has the whole page, without what cannot be pressed on paper", async () => {
  await goTo(page, "#/skill/refund-policy");
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("header.top .tools").isVisible()).toBe(false);
  expect(await page.locator("h1").isVisible()).toBe(true);
  await page.emulateMedia({ media: "screen" });
  expect((await page.pdf()).length).toBeGreaterThan(10_000);
});

test("an address that means nothing says so, and an unknown view is the overview", async () => {
  for (const what of ["skill", "question", "trial"]) {
    await goTo(page, `#/${what}/%E0%A4%A`);
    expect(await text("h1")).toBe(`There is no such ${what} in this run`);
  }
  await goTo(page, "#/nonsense?x=%");
  expect(await text("h1")).toMatch(/questions? fails?/);
});

test("nothing was complained about, and nothing was requested, in all of this", () => {
  expect(watched.complaints).toEqual([]);
  expect(watched.requests).toEqual([]);
});

/** As the record keeps it. */
async function transcriptOf({ file, dir }: RecordPlace, target: string, ask: string, run: number): Promise<Transcript> {
  for await (const line of readRecord(file))
    if (line.type === "trial" && line.target === target && line.ask === ask && line.run === run)
      return readTranscript(dir, line.transcript!);
  throw new Error("The record has no such trial");
}
