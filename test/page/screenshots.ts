/** The pictures of the page in docs/: node --import jiti/register test/page/screenshots.ts. Look at them before you commit them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { pageOfRun } from "../../src/reporters/html/index.ts";
import { reportOf } from "../../src/verbs/afterwards/report.ts";
import { goTo, launch, open } from "./browser.ts";
import { casesDemo } from "./cases-demo.ts";
import { type Demo, libraryDemo, shopDemo } from "./demo.ts";

const folder = fileURLToPath(new URL("../../docs/page/", import.meta.url));
mkdirSync(folder, { recursive: true });

const [shop, large, cases] = [await shopDemo(), await libraryDemo(200), await casesDemo({ judged: false })];
const browser = await launch();
try {
  const urls = { shop: await written(shop), large: await written(large), cases: await written(cases) };
  const missed = "a.entry:has-text('How long do I have')";
  await shoot("overview", urls.shop, "#/", { width: 1280, height: 1000 });
  await shoot("overview-dark", urls.shop, "#/", { width: 1280, height: 1000, scheme: "dark" });
  await shoot("matrix", urls.shop, "#/matrix?target=demo-haiku", { width: 1280, height: 860 });
  await shoot("matrix-200", urls.large, "#/matrix", { width: 1280, height: 1000 });
  await shoot("skill", urls.shop, "#/skill/refund-policy", { width: 1280, height: 900 });
  await shoot("question", urls.shop, "#/skill/refund-policy", { width: 1280, height: 900 }, [missed]);
  await shoot("trial", urls.shop, "#/skill/refund-policy", { width: 1280, height: 1000 }, [
    missed,
    'section[aria-label="On demo-haiku"] ol.trials li:nth-child(2) a',
  ]);
  await shoot("cases", urls.cases, "#/cases", { width: 1280, height: 820 });
  await shoot("case", urls.cases, "#/cases", { width: 1280, height: 960 }, [
    "table.list a.entry:has-text('finishes-the-draft')",
    "ol.trials a",
  ]);
  await shoot("over-time", urls.shop, "#/runs", { width: 1280, height: 900 });
  await shoot("phone", urls.shop, "#/", { width: 380, height: 820 });
  await shoot("phone-dark", urls.shop, "#/questions?verdict=fail", { width: 380, height: 820, scheme: "dark" });
  await shoot("wide", urls.large, "#/", { width: 2560, height: 1300 });
} finally {
  await browser.close();
  shop.remove();
  large.remove();
  cases.remove();
}

async function written({ dir, runs }: Demo): Promise<string> {
  const place = runs.at(-1)!;
  const file = join(dir, "page.html");
  writeFileSync(file, await pageOfRun(place, await reportOf(place)));
  return pathToFileURL(file).href;
}

async function shoot(
  name: string,
  url: string,
  hash: string,
  options: Parameters<typeof open>[2],
  clicks: string[] = [],
): Promise<void> {
  const { page, close } = await open(browser, url, options);
  await goTo(page, hash);
  for (const click of clicks) await page.locator(click).first().click();
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await close();
}
