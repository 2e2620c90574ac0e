import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { proctor } from "./run-main.ts";

/** A folder of its own for every test, and the command line in it. */
export interface World {
  folder: string;
  files(contents: Record<string, string>): Promise<void>;
  proctor(...words: string[]): Promise<{ code: number; out: string; err: string }>;
}

export function useWorld(): World {
  const start = process.cwd();
  const world: World = { folder: "", files, proctor };
  beforeEach(async () => {
    world.folder = await realpath(await mkdtemp(join(tmpdir(), "proctor-cli-")));
    process.chdir(world.folder);
  });
  afterEach(async () => {
    process.chdir(start);
    process.exitCode = undefined;
    await rm(world.folder, { recursive: true, force: true });
  });

  async function files(contents: Record<string, string>): Promise<void> {
    for (const [path, text] of Object.entries({ "proctor.config.yaml": "{}\n", ...contents })) {
      await mkdir(dirname(join(world.folder, path)), { recursive: true });
      await writeFile(join(world.folder, path), text);
    }
  }
  return world;
}

export function skill(name: string, description: string, more = ""): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${more}---\n\n# ${name}\n\nDo it.\n`;
}

/** Two neighbours, one skill far from them, and one that says nothing. */
export const library = {
  "skills/order-status/SKILL.md": skill(
    "order-status",
    "Finds where an order or parcel is and when it will be delivered. Use when a customer asks where their order, parcel or delivery is, or why it is late. Not for changing the delivery address of an order.",
  ),
  "skills/shipping-address/SKILL.md": skill(
    "shipping-address",
    "Changes where an order or parcel is delivered: a new street address, another recipient, a neighbour. Use when a customer moved house or wants the delivery of an order or parcel sent to another address.",
  ),
  "skills/gift-cards/SKILL.md": skill(
    "gift-cards",
    "Handles gift cards: buying one, checking the balance, redeeming a voucher at checkout. Use when a customer mentions a gift card, a voucher or its balance.",
  ),
  "skills/faq/SKILL.md": skill("faq", "Helps customers with questions."),
};
