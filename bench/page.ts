/**
 * How large and how fast the page is: a run of 20,000 trials with transcripts, as one file, in a real Chromium.
 *
 *   npm run bench -- page [--skills 200] [--variants 11] [--json]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { pageOfRun } from "../src/reporters/html/index.ts";
import { launch } from "../test/page/browser.ts";
import { libraryDemo } from "../test/page/demo.ts";

const { values } = parseArgs({
  options: {
    skills: { type: "string", default: "200" },
    variants: { type: "string", default: "11" },
    json: { type: "boolean", default: false },
  },
});

const FRAMES = 60;
const template = readFileSync(fileURLToPath(new URL("../dist/page.html", import.meta.url)));
const demo = await libraryDemo(Number(values.skills), {
  variants: Number(values.variants),
  flags: { earlyStop: false, jobs: 64 },
});
const browser = await launch();
try {
  const [place] = demo.runs;
  const started = performance.now();
  const html = await pageOfRun(place!);
  const madeMs = performance.now() - started;
  const again = await pageOfRun(place!);
  const file = join(demo.dir, "page.html");
  writeFileSync(file, html);

  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  const clock = await startClock(page);
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (document.querySelector("main h1") === null) return;
      seen.disconnect();
      // Drawn, and free for the next click.
      requestAnimationFrame(() => setTimeout(() => Object.assign(globalThis, { interactiveMs: performance.now() })));
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  const interactive = await clock(async () => {
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction(() => "interactiveMs" in globalThis);
    return page.evaluate(() => (globalThis as unknown as { interactiveMs: number }).interactiveMs);
  });
  const counts = await page.evaluate(() => document.querySelector(".facts")?.textContent ?? "");
  const all = async (hashes: Record<string, string>) => {
    const found: Record<string, Measured> = {};
    for (const [name, hash] of Object.entries(hashes)) found[name] = await clock(() => changed(page, hash));
    return found;
  };
  const first = await all({ questions: "#/questions" });
  const filters = await all({
    verdict: "#/questions?verdict=fail",
    search: "#/questions?q=lena",
    cell: "#/questions?expected=invoice-search&fired=invoice-review",
    sort: "#/questions?sort=prompt",
  });
  const scroll = {
    pages: await clock(() => scrolled(page, "pages")),
    lines: await clock(() => scrolled(page, "lines")),
  };
  const views = {
    ...first,
    ...(await all({
      groups: "#/matrix",
      matrix: "#/matrix?rows=all",
      skills: "#/skills",
      collisions: "#/collisions",
      overview: "#/",
    })),
  };
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");

  const result = {
    trials: Number(/([\d,]+) trials, /.exec(counts)?.[1]?.replaceAll(",", "")),
    templateKb: kb(gzipSync(template, { level: 9 }).length),
    templateRawKb: kb(template.length),
    fileMb: Math.round(html.length / 1e4) / 100,
    madeSeconds: Math.round(madeMs / 100) / 10,
    sameBytes: html === again,
    // Of each: by the clock, and what the page's own thread worked for it. The second hardly depends on what else the machine does.
    interactive,
    filters,
    // The longest frame by the clock; the work of one frame in the mean.
    scrollFrame: Object.fromEntries(
      Object.entries(scroll).map(([by, { ms, cpuMs }]) => [by, { ms, cpuMs: Math.round(cpuMs / FRAMES) }]),
    ),
    views,
    // What else the machine had to do: runnable processes per core.
    loadPerCore: Math.round((10 * (loadavg()[0] ?? 0)) / availableParallelism()) / 10,
    heapMb: Math.round(usedSize / 1e5) / 10,
  };
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : `${JSON.stringify(result, null, 2)}\n`);
} finally {
  await browser.close();
  demo.remove();
}

/** From the change of the address to the next frame that shows it. */
function changed(page: Page, hash: string): Promise<number> {
  return page.evaluate(async (to) => {
    const start = performance.now();
    location.hash = to;
    // The event of the new address, the drawing, and the frame after it.
    await new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return Math.round(performance.now() - start);
  }, hash);
}

/** The longest frame while the list goes by: the whole of it in 60 steps, or a few lines at a time. */
function scrolled(page: Page, by: "pages" | "lines"): Promise<number> {
  return page.evaluate(
    async ([how, frames]) => {
      const height = document.documentElement.scrollHeight;
      let longest = 0;
      scrollTo(0, 0);
      for (let at = 0; at <= frames; at++) {
        const start = performance.now();
        scrollTo(0, how === "pages" ? (height * at) / frames : at * 120);
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        longest = Math.max(longest, performance.now() - start);
      }
      return Math.round(longest);
    },
    [by, FRAMES] as const,
  );
}

interface Measured {
  ms: number;
  cpuMs: number;
}

/** Measures what is done: by the clock, as it says itself, and by the work of the page's main thread. */
async function startClock(page: Page): Promise<(work: () => Promise<number>) => Promise<Measured>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async () =>
    (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  return async (work) => {
    const before = await worked();
    const ms = Math.round(await work());
    return { ms, cpuMs: Math.round(1000 * ((await worked()) - before)) };
  };
}

function kb(bytes: number): number {
  return Math.round(bytes / 100) / 10;
}
