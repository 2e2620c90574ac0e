import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { count, printable, relativePosix, UsageError, writeFileIn } from "../base/index.ts";
import type { Skill } from "../skills/index.ts";
import type { SuiteDraft } from "../suites/index.ts";
import { examples } from "./help.ts";

interface InitFlags {
  dryRun: boolean;
  config?: string;
}

export function initCommand(): Command {
  return new Command("init")
    .description("Draft a first suite for a skill: positives from its card, negatives from its siblings, for you to correct.")
    .argument("<skill>", "the skill's name, or the path of its folder")
    .argument("[paths...]", "where the library is (default: everything from here)")
    .option("--dry-run", "print the suite instead of writing it", false)
    .option("--config <file>", "configuration to use instead of the nearest proctor.config.*")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor init order-status", "drafts a suite for the skill"],
          ["proctor init skills/order-status --dry-run", "prints it instead"],
        ],
        "route.md",
      ),
    )
    .action(async (skill: string, paths: string[], flags: InitFlags) => {
      process.stdout.write(await init(skill, paths, flags));
    });
}

async function init(name: string, paths: string[], { dryRun, config }: InitFlags): Promise<string> {
  const cwd = process.cwd();
  const [{ draftFor }, { where }] = await Promise.all([import("../api/draft.ts"), import("./where.ts")]);
  const { skill, draft } = await draftFor({ cwd, name, paths, ...(config === undefined ? {} : { config }) });
  if (dryRun) return draft.text;
  const present = ["yaml", "yml", "json", "jsonc"]
    .map((end) => join(dirname(draft.file), `triggers.${end}`))
    .find((file) => existsSync(file));
  if (present !== undefined)
    throw new UsageError(
      `${shown(cwd, present)} is there already; nothing was written`,
      `proctor init${where([name, ...paths], config)} --dry-run prints the draft, without what is asked already, to copy from.`,
    );
  writeFileIn(draft.file, draft.text, { fresh: true });
  return summary(skill, draft, cwd, where([shown(cwd, draft.file)], config));
}

function summary(skill: Skill, { file, positives, negatives, slots }: SuiteDraft, cwd: string, itself: string): string {
  const winners = new Map<string, number>();
  for (const { expect } of negatives) winners.set(expect, (winners.get(expect) ?? 0) + 1);
  const siblings = [...winners].map(([id, count]) => (count === 1 ? id : `${id} ×${count}`)).join(", ");
  const fromSuites = negatives.filter(({ source }) => source === "suite").length;
  const lines = [
    `wrote ${shown(cwd, file)}`,
    `  ${count(positives.length, "positive")}: ${positives.length === 0 ? "the card says too little to draft from" : `from the card of ${skill.id}`}`,
    `  ${count(negatives.length, "negative")}${negatives.length === 0 ? ": there is no sibling" : `: ${siblings} (${fromSuites} from their suites, ${negatives.length - fromSuites} from their cards)`}`,
    ...(slots.length > 0
      ? [
          `  ${count(slots.length, "slot")}: the same task, wrong domain; not asked before you fill ${slots.length === 1 ? "it" : "them"} in`,
        ]
      : []),
    "",
    "All of it is a draft. Correct each question, say it as people say it, and delete its `draft`; proctor check counts what is left.",
    `next: proctor check${itself}`,
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

function shown(cwd: string, file: string): string {
  return relativePosix(cwd, file);
}
