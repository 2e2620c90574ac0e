import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, test as anyTest, beforeAll, expect } from "vitest";
import { createRecord, openRecord, type RecordPlace, readRecord } from "../../src/exam/record/index.ts";
import type { RecordLine, TrialLine } from "../../src/model/index.ts";
import { pageOfRun } from "../../src/reporters/html/index.ts";
import { view } from "../../src/verbs/view/view.ts";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";
import { goTo, launch, open } from "./browser.ts";

const test = anyTest.runIf(isHere("chromium"));

/** Each sets a mark on the window, or asks somebody, if it is ever taken for more than text. */
const HOSTILE = [
  "<script>window.pwned=1</script>",
  "</script><script>window.pwned=2</script>",
  "</pre></bdi><img src=x onerror=window.pwned=3>",
  "<svg onload=window.pwned=4><animate onbegin=window.pwned=4 attributeName=x dur=1s>",
  "<a href=javascript:window.pwned=5>click</a>",
  "javascript:window.pwned=6",
  "{{constructor.constructor('window.pwned=7')()}}",
  "<style>*{background:url(http://127.0.0.1:9/style)}</style>",
  "<link rel=stylesheet href=http://127.0.0.1:9/link><base href=http://127.0.0.1:9/>",
  "<iframe srcdoc='<script>parent.pwned=8</script>'></iframe>",
  "<!--<script>window.pwned=9",
  "%DATA% %SCRIPT% %CONNECT% $& $' $`",
];
const HIDDEN = "pay \u202eEVIL\u202c me\u200b now \u2066x\u2069 \u0007\u001b[31mred";

let browser: Browser;
let world: World;
let place: RecordPlace;
let url: string;

beforeAll(async () => {
  browser = await launch();
  world = new World();
  const rows = HOSTILE.map((text, at) => ({
    query: `${text} ${at}`,
    should_trigger: at % 2 === 0,
    tags: [text.slice(0, 40)],
  }));
  world.skill(
    "plain",
    [
      ...rows,
      { query: HIDDEN, should_trigger: true },
      { query: `${"long ".repeat(200_000)}end`, should_trigger: true },
    ],
    '"A <b onclick=window.pwned=10>card</b> </script><script>window.pwned=11</script>"',
  );
  world.skill("other");
  world.script({
    model: "<img src=x onerror=window.pwned=12>",
    default: { skills: ["other"], text: `${HOSTILE.join("\n")}\n${"x".repeat(250_000)}` },
  });
  ({ place } = await world.sit({ runs: 1, timeoutSeconds: 60 }));
  const file = join(world.dir, "page.html");
  writeFileSync(file, await pageOfRun(place));
  url = pathToFileURL(file).href;
});

afterAll(async () => {
  await browser?.close();
  world?.remove();
});

test("markup in prompts, tags, cards, names, replies and errors is shown as text: no script runs, and nothing is asked for", async () => {
  const { page, complaints, requests } = await open(browser, url);
  const scripts = await page.locator("script").count();
  for (const view of ["#/", "#/matrix", "#/skills", "#/skill/plain", "#/questions", "#/runs", "#/collisions"]) {
    await goTo(page, view);
    expect(
      await page
        .locator("main img, main iframe, main script, main style, main link, main base, main b[onclick]")
        .count(),
      view,
    ).toBe(0);
  }
  await goTo(page, "#/questions?sort=prompt");
  const links = await page.locator("a.entry").evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
  expect(links.length).toBeGreaterThanOrEqual(HOSTILE.length);
  for (const link of links) {
    await goTo(page, link);
    await page.locator("ol.trials a").first().click();
    await page.locator("li.step.text").first().waitFor();
    await page.locator("button", { hasText: "show all" }).first().click();
  }
  // The reply is there, letter for letter.
  expect(await page.locator("li.step.text pre").first().innerText()).toContain(HOSTILE[0]);
  const every = await page
    .locator("a[href]")
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol));
  expect(every.filter((protocol) => protocol !== "file:")).toEqual([]);
  expect(await page.evaluate(() => (globalThis as { pwned?: number }).pwned)).toBeUndefined();
  expect(await page.locator("script").count()).toBeLessThanOrEqual(scripts);
  expect(complaints).toEqual([]);
  expect(requests).toEqual([]);
});

test("marks that hide or turn a text around are made visible", async () => {
  const { page, close } = await open(browser, url);
  await goTo(page, "#/questions?q=pay");
  const shown = await page.locator("table.list .prompt").first().innerText();
  expect(shown).toContain("<U+202E>EVIL<U+202C> me<U+200B> now <U+2066>x<U+2069> ␇␛[31mred");
  await close();
});

test("a prompt of a megabyte does not hold the page up, and a reply with a line of 250,000 characters is folded", async () => {
  const { page, close } = await open(browser, url);
  // Lists show as much of it as they have room for.
  for (const view of ["#/", "#/skill/plain"]) {
    await goTo(page, view);
    expect(await page.evaluate(() => document.documentElement.scrollHeight), view).toBeLessThan(4_000);
  }
  await goTo(page, "#/questions?q=long");
  await page.locator("a.entry").first().click();
  await page.locator("blockquote").waitFor();
  await page.locator("ol.trials a").first().click();
  await page.locator("li.step.text").first().waitFor();
  expect((await page.locator("li.step.text").first().innerText()).length).toBeLessThan(5_000);
  await close();
});

test("a line of 10 MB, in a file and served, is folded, and as much of it is shown as a browser bears", async () => {
  const own = new World();
  own.skill("loud", [{ query: "be loud", should_trigger: true }]);
  own.script({ default: { skills: [], text: `${"z".repeat(10_000_000)}<img src=x onerror=window.pwned=40>` } });
  const { place: loud } = await own.sit({ runs: 1, timeoutSeconds: 60 });
  const file = join(own.dir, "page.html");
  const html = await pageOfRun(loud);
  expect(html.length).toBeLessThan(1_000_000);
  writeFileSync(file, html);
  const viewing = await view({ cwd: own.dir });
  for (const where of [pathToFileURL(file).href, viewing.url]) {
    const { page, complaints, close } = await open(browser, `${where}#/questions`);
    await page.locator("a.entry").first().click();
    await page.locator("ol.trials a").first().click();
    const step = page.locator("li.step.text");
    await step.waitFor();
    expect((await step.innerText()).length).toBeLessThan(1_500);
    await step.locator("button", { hasText: "show all" }).click();
    const shown = await step.innerText();
    expect(shown.length).toBeLessThan(201_000);
    expect(shown).toMatch(/[\d,]+ more characters? in the record/);
    expect(await page.evaluate(() => (globalThis as { pwned?: number }).pwned)).toBeUndefined();
    expect(complaints).toEqual([]);
    await close();
  }
  await viewing.close();
  own.remove();
});

test("even a script that got into the page could neither run nor ask anybody: the policy holds", async () => {
  const { page, complaints, close } = await open(browser, url);
  const seen = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.pwned = 20";
    document.body.append(script);
    document.body.insertAdjacentHTML(
      "beforeend",
      '<img src="http://127.0.0.1:9/x.png"><p onclick="window.pwned=21" id="inline">x</p>',
    );
    document.getElementById("inline")!.click();
    const blocked = await fetch("http://127.0.0.1:9/").then(
      () => "fetched",
      () => "blocked",
    );
    return { pwned: (globalThis as { pwned?: number }).pwned, blocked };
  });
  expect(seen).toEqual({ pwned: undefined, blocked: "blocked" });
  expect(complaints.join("\n")).toMatch(/Content Security Policy/);
  await close();
});

test("a record with hostile names in places that only a forged one has them is shown as text, too", async () => {
  const lines: RecordLine[] = [];
  for await (const line of readRecord(place.file)) lines.push(line);
  const dir = mkdtempSync(join(tmpdir(), "proctor-forged-"));
  const name = "<img src=x onerror=window.pwned=30>";
  const forge = (text: string) =>
    text.replaceAll('"other"', JSON.stringify(name)).replaceAll('"script:answers.yaml"', JSON.stringify(`t ${name}`));
  const forged = lines.map((line) => JSON.parse(forge(JSON.stringify(line))) as RecordLine);
  const header = forged[0]!;
  if (header.type !== "header") throw new Error("A record starts with its header");
  const writer = await createRecord(
    dir,
    { ...header, library: { ...header.library, name, root: dir } },
    { mask: (text) => text },
  );
  for (const line of forged) if (line.type === "question") await writer.question(line);
  for (const line of forged)
    if (line.type === "trial") await writer.trial({ ...line, transcript: undefined, raw: undefined } as TrialLine);
  await writer.close({
    type: "footer",
    endedAt: header.startedAt,
    how: "complete",
    notAsked: { [name]: 3 },
    saved: { trials: 0 },
  });
  const file = join(dir, "page.html");
  writeFileSync(file, await pageOfRun(await openRecord(dir)));
  const { page, complaints, requests, close } = await open(browser, pathToFileURL(file).href);
  for (const view of ["#/", "#/matrix", "#/skills", `#/skill/${encodeURIComponent(name)}`, "#/questions", "#/runs"])
    await goTo(page, view);
  expect(await page.locator("header .brand").innerText()).toBe(name);
  expect(await page.evaluate(() => (globalThis as { pwned?: number }).pwned)).toBeUndefined();
  expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
  await close();
  rmSync(dir, { recursive: true, force: true });
});
