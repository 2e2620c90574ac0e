import { createRequire } from "node:module";
import type { Browser, Locator, Page } from "playwright-core";
import { chromiumPath } from "../tools.ts";

// As node itself loads it: what runs TypeScript here cannot load a bundle of its kind.
const { chromium } = createRequire(import.meta.url)("playwright-core") as typeof import("playwright-core");

export async function launch(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined)
    throw new Error("There is no Chromium here: apt-get install chromium, or set PROCTOR_CHROMIUM to one.");
  // As root, Chromium refuses to start with its own sandbox.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
}

/** A page that is watched: whatever it complains about, and whatever leaves it. */
export interface Watched {
  page: Page;
  /** Errors of scripts and of the policy. */
  complaints: string[];
  /** Every request but the one for the page itself. */
  requests: string[];
  close(): Promise<void>;
}

export interface OpenOptions {
  width?: number;
  height?: number;
  scheme?: "light" | "dark";
}

export async function open(
  browser: Browser,
  url: string,
  { width = 1280, height = 900, scheme = "light" }: OpenOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  // For a page that never comes, not for a slow machine.
  page.setDefaultTimeout(110_000);
  const [complaints, requests]: [string[], string[]] = [[], []];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.isNavigationRequest() && !request.url().startsWith("data:")) requests.push(request.url());
  });
  await page.goto(url);
  await ready(page);
  return { page, complaints, requests, close: () => context.close() };
}

/** A view is there when its heading is. */
async function ready(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor({ state: "attached" });
}

/** Puts the scan for accessibility into a page: past its policy, which keeps scripts out. */
export async function loadAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setBypassCSP", { enabled: true });
  await page.reload();
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") });
}

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; html: string }[];
}

/** What is seriously wrong with a view for those who cannot see, or see it otherwise. */
export async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run(),
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id} ${nodes
          .slice(0, 3)
          .map(({ target, html }) => `${target} ${html.slice(0, 120)}`)
          .join(" | ")}`,
    );
}

/** Where each plot has its point and the ends of its interval, as shares of its width. */
export function drawnIn(plots: Locator): Promise<{ low: number; value: number; high: number }[]> {
  return plots.evaluateAll((all) =>
    all.map((plot) => {
      const range = plot.querySelector<SVGLineElement>("line.range:not(.past)")!.getBBox();
      const point = plot.querySelector<SVGSVGElement>(":scope > svg:has(.point:not(.past))")!.x.baseVal.value;
      const { width } = plot.getBoundingClientRect();
      return { low: range.x / width, value: point / width, high: (range.x + range.width) / width };
    }),
  );
}

/** By how many pixels a view is wider than the window. */
export function overhang(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Goes to another view by the address alone, as a link in a message would. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.waitForFunction((to) => location.hash === to, hash);
  await ready(page);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
