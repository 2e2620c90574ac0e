import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunSettings } from "../../src/base/options/index.ts";
import type { RecordPlace } from "../../src/exam/record/index.ts";
import { type Agent, sitDemo } from "./demo-agent.ts";
import { write, writeLibrary } from "./demo-library.ts";

export interface Demo {
  dir: string;
  /** Oldest first. */
  runs: RecordPlace[];
  remove(): void;
}

const shop = fileURLToPath(new URL("../../examples/shop", import.meta.url));

/** The example library, examined three times, with an edit in between: two agents and the embedded target. */
export async function shopDemo(): Promise<Demo> {
  const dir = join(mkdtempSync(join(tmpdir(), "proctor-page-")), "shop");
  cpSync(shop, dir, { recursive: true });
  write(dir, "evals/order-status/evals.json", CASES);
  const haiku: Agent = {
    id: "demo-haiku",
    model: "haiku",
    skill: 0.8,
    theft: 0.6,
    errors: 0.02,
    shown: { whole: 4, cut: 2 },
    thieves: { "shipping-address": "order-status" },
    slowly: ["How long do I have to ask for a refund?"],
  };
  const sonnet: Agent = { id: "demo-sonnet", model: "sonnet", skill: 0.93, theft: 0.5, errors: 0 };
  const runs = [await sitDemo(dir, [haiku, sonnet], { targets: ["embedded"] })];
  edit(dir, "skills/shipping-address/SKILL.md", (text) =>
    text.replace(
      /description: "?/,
      (head) => `${head}Changes where a parcel is delivered, before or after it was sent. `,
    ),
  );
  runs.push(
    await sitDemo(
      dir,
      [
        { ...haiku, thieves: {}, seed: 2 },
        { ...sonnet, seed: 2 },
      ],
      { targets: ["embedded"] },
    ),
  );
  edit(dir, "skills/product-faq/SKILL.md", (text) =>
    text.replace(/description: "?/, (head) => `${head}Answers anything about orders, parcels and products. `),
  );
  runs.push(
    await sitDemo(
      dir,
      [
        { ...haiku, thieves: { "refund-policy": "product-faq" }, seed: 3 },
        { ...sonnet, seed: 3 },
      ],
      { targets: ["embedded"] },
    ),
  );
  return { dir, runs, remove: () => rmSync(join(dir, ".."), { recursive: true, force: true }) };
}

/** A library that is made up, examined once. */
export async function libraryDemo(
  skills: number,
  { variants = 1, flags = {} }: { variants?: number; flags?: RunSettings } = {},
): Promise<Demo> {
  const dir = join(mkdtempSync(join(tmpdir(), "proctor-page-")), "office");
  const made = writeLibrary(dir, skills, variants);
  const thieves = Object.fromEntries(
    made.filter((_, at) => at % 11 === 3).map(({ name, thing }) => [name, `${thing}-review`]),
  );
  const agent: Agent = {
    id: "demo-haiku",
    model: "haiku",
    skill: 0.85,
    theft: 0.6,
    errors: 0.015,
    thieves,
    shown: { whole: Math.ceil(skills * 0.6), cut: 10 },
  };
  const run = await sitDemo(dir, [agent], flags);
  return { dir, runs: [run], remove: () => rmSync(join(dir, ".."), { recursive: true, force: true }) };
}

function edit(dir: string, path: string, change: (text: string) => string): void {
  const file = join(dir, path);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

const CASES = JSON.stringify({
  skill_name: "order-status",
  evals: [
    { id: "says-when", prompt: "Where is order SH-2290417?", assertions: [{ type: "contains", value: "Saturday" }] },
    {
      id: "names-the-entry",
      prompt: "Tell me about my parcel in one sentence",
      assertions: [{ type: "contains", value: "about" }],
    },
  ],
});
