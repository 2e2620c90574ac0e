import type { ChildProcess } from "node:child_process";
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { afterAll, test as anyTest, beforeAll, expect } from "vitest";
import { note } from "../../src/verbs/afterwards/note.ts";
import type { Viewing } from "../../src/verbs/view/server.ts";
import { view } from "../../src/verbs/view/view.ts";
import { buildCommand, startCommand } from "../cli/run-built.ts";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";
import { launch, open } from "./browser.ts";
import { type Agent, sitDemo } from "./demo-agent.ts";
import { writeLibrary } from "./demo-library.ts";

const test = anyTest.runIf(isHere("chromium"));

let browser: Browser;
let world: World;
let viewing: Viewing | undefined;

beforeAll(async () => {
  browser = await launch();
  world = new World();
  writeLibrary(world.dir, 20);
});
afterAll(async () => {
  await viewing?.close();
  await browser?.close();
  world?.remove();
});

const agent: Agent = { id: "demo-haiku", model: "haiku", skill: 0.8, theft: 0.6, errors: 0 };

test("a library without any run, and without any suite, is shown as a map of its collisions", async () => {
  viewing = await view({ cwd: world.dir });
  const { page, complaints, close } = await open(browser, viewing.url);
  expect(await page.locator("main").innerText()).toContain("This library has not been examined yet");
  expect(await page.locator("svg.map").count()).toBe(1);
  // What there is none of is not offered.
  expect(await page.locator("header nav a").allInnerTexts()).toEqual(["Skills", "Collisions"]);
  expect(await page.locator("header nav a[aria-current]").innerText()).toBe("Collisions");
  expect(complaints).toEqual([]);
  await close();
});

test("a run that starts is shown at once and grows before one's eyes, and its rates tighten", async () => {
  const { page, complaints, requests, close } = await open(browser, viewing!.url);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The second half of the trials waits until the first half was seen.
  let asked = 0;
  const running = sitDemo(world.dir, [agent], { jobs: 2 }, { on: () => {} }, async () => {
    if (++asked > 60) await held;
  });
  await page.locator(".live").waitFor();
  await page.waitForFunction(() => /live: (5\d|6\d) trials/.test(document.querySelector(".live")?.textContent ?? ""));
  await page.locator(".notes", { hasText: "This run is in progress" }).waitFor();
  const interval = () =>
    page.locator('article[aria-label="demo-haiku"] .metric').first().locator(".numbers").innerText();
  const early = widthOf(await interval());
  release();
  await running;
  await page.locator(".live").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.querySelector(".notes")?.textContent?.includes("going on") !== true);
  expect(widthOf(await interval())).toBeLessThan(early);
  expect(complaints).toEqual([]);
  // It asks nobody but the server it came from.
  expect(requests.filter((url) => !url.startsWith(viewing!.url))).toEqual([]);
  await close();
});

test("all kept runs can be gone through, and the address names the one that is looked at", async () => {
  await sitDemo(world.dir, [{ ...agent, seed: 2 }]);
  const { page, close } = await open(browser, viewing!.url);
  const ids = await page
    .locator("header select option")
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  expect(ids).toHaveLength(2);
  expect(await page.locator(".headline p").innerText()).toContain(`Run ${ids[0]}`);
  await page.locator("header select").selectOption(ids[1]!);
  await page.waitForFunction((id) => document.querySelector(".headline p")?.textContent?.includes(id), ids[1]!);
  expect(page.url()).toContain(`run=${ids[1]}`);
  await page.goBack();
  await page.waitForFunction((id) => document.querySelector(".headline p")?.textContent?.includes(id), ids[0]!);
  await close();
});

test("the transcript of every trial comes from the server, whole", async () => {
  const { page, close } = await open(browser, `${viewing!.url}#/questions?verdict=pass`);
  await page.locator("a.entry").first().click();
  await page.locator("ol.trials a").first().click();
  await page.locator("li.step.text").first().waitFor();
  expect(await page.locator("li.step").count()).toBeGreaterThan(2);
  await close();
});

test("a record that breaks while it is looked at is told, and the page goes on", async () => {
  const place = await sitDemo(world.dir, [{ ...agent, seed: 3 }]);
  const { page, close } = await open(browser, viewing!.url);
  await page.locator(".headline", { hasText: place.run }).waitFor();
  appendFileSync(place.file, '{"type":"trial","broken\n');
  await page.locator(".notes", { hasText: "The record is damaged" }).waitFor();
  await close();
});

test("a note that is taken while the page is open appears on it", async () => {
  const { page, close } = await open(browser, viewing!.url);
  const prompt = (await page.locator(".wrong .prompt").first().innerText()).trim();
  expect(await page.locator("section[aria-labelledby=people]").count()).toBe(0);
  await note({ cwd: world.dir, question: prompt, text: "The label is wrong.", verdict: "wrong" });
  await page.locator("section[aria-labelledby=people]", { hasText: "The label is wrong." }).waitFor();
  await close();
});

test("when the server ends, the page keeps what it has, and says that nobody tells it more", async () => {
  const { page, close } = await open(browser, viewing!.url);
  await viewing!.close();
  viewing = undefined;
  await page.locator("header .lost", { hasText: "not connected" }).waitFor();
  expect(await page.locator("ul.notes").innerText()).toContain("this is what it showed last");
  expect(await page.locator("main h1").innerText()).not.toContain("cannot be shown");
  await close();
});

test("proctor run --view shows the run while it goes on, keeps the page when it is over, and ends with Ctrl-C", async () => {
  const own = new World("office");
  const questions = Array.from({ length: 12 }, (_, at) => ({ query: `Do number ${at}`, should_trigger: true }));
  own.skill("numbers", questions);
  own.script({ default: { skills: ["numbers"] }, latency: 250 });
  const built = await buildCommand();
  const { process: child, ended } = startCommand(built, own.dir, [
    "run",
    "--view",
    "--no-open",
    "-t",
    "script:answers.yaml",
    "--jobs",
    "1",
    "--runs",
    "5",
  ]);
  const told = heard(child);
  const url = await told(/The page: (http:\S+)/);
  const { page, complaints, close } = await open(browser, url);
  await page.locator(".live").waitFor();
  await page.locator(".notes", { hasText: "This run is in progress" }).waitFor();
  expect(await told(/The page stays at (http:\S+) until Ctrl-C/)).toBe(url);
  await page.locator("h1", { hasText: "All 12 questions pass" }).waitFor();
  await page.locator(".live").waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await close();
  child.kill("SIGINT");
  expect((await ended).code).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
  built.remove();
  own.remove();
});

/** What a process has said on stderr, as soon as it has said it. */
function heard(child: ChildProcess): (pattern: RegExp) => Promise<string> {
  let said = "";
  child.stderr?.on("data", (data) => {
    said += data;
  });
  return async (pattern) => {
    for (;;) {
      const found = pattern.exec(said)?.[1];
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${said}`);
      await sleep(50);
    }
  };
}

function widthOf(text: string): number {
  const [, low = "0", high = "0"] = /\[([\d.]+)–([\d.]+)\]/.exec(text) ?? [];
  return Number(high) - Number(low);
}
