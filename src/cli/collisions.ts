import { Command } from "commander";
import type { FoundCollisions } from "../reports/index.ts";
import { wholeNumber } from "./arguments.ts";
import { hasColor } from "./has-color.ts";
import { examples } from "./help.ts";
import { print } from "./print.ts";
import { terminalWidth } from "./terminal-width.ts";

interface CollisionsFlags {
  skill?: string;
  top: number;
  json: boolean;
  config?: string;
}

export function collisionsCommand(): Command {
  return new Command("collisions")
    .description("Which sibling skills compete for the same prompts: predicted from their cards and suites, offline.")
    .argument("[paths...]", "where the skills are (default: everything from here)")
    .option("--skill <name>", "only what concerns this skill")
    .option("--top <n>", "show so many pairs", wholeNumber(1), 10)
    .option("--json", "for programs; holds everything", false)
    .option("--config <file>", "configuration to use instead of the nearest proctor.config.*")
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
      const { collisions } = await import("../api/index.ts");
      print(await render(await collisions({ ...flags, paths }), flags));
    });
}

async function render(found: FoundCollisions, { json }: CollisionsFlags): Promise<string> {
  const { collisionsJson, collisionsText } = await import("../reports/index.ts");
  if (json) return collisionsJson(found);
  const { createColors } = await import("picocolors");
  return collisionsText(found, { colors: createColors(hasColor(process.stdout)), width: terminalWidth(120) });
}
