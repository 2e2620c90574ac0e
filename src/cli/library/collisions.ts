import { Command } from "commander";
import type { FoundCollisions } from "../../reporters/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions, wholeNumber } from "../flags/options.ts";
import { print } from "../printing/print.ts";
import { hasColor, terminalWidth } from "../printing/terminal.ts";

interface CollisionsFlags {
  skill?: string;
  top: number;
  json?: boolean;
  config?: string;
}

export function collisionsCommand(): Command {
  const command = new Command("collisions")
    .description(
      "Show which sibling skills compete for the same prompts: predicted from their cards and suites, offline.",
    )
    .argument("[paths...]", "where the skills are (default: everything from here)")
    .option("--skill <name>", "only what concerns this skill")
    .option("--top <n>", "how many pairs to show", wholeNumber(1), 10);
  return addOptions(command, "collisions")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor collisions", "every pair that competes"],
          ["proctor collisions --skill order-status", "what concerns one skill"],
        ],
        "route.md",
      ),
    )
    .action(async (paths: string[], flags: CollisionsFlags) => {
      const { collisions } = await import("../../verbs/index.ts");
      print(await render(await collisions({ ...flags, paths }), flags));
    });
}

async function render(found: FoundCollisions, { json }: CollisionsFlags): Promise<string> {
  const { collisionsJson, collisionsText } = await import("../../reporters/index.ts");
  if (json) return collisionsJson(found);
  const { createColors } = await import("picocolors");
  return collisionsText(found, { colors: createColors(hasColor(process.stdout)), width: terminalWidth(120) });
}
