import { Command } from "commander";
import { count, printable, relativePosix, UsageError } from "../../base/index.ts";
import type { SuiteDraft } from "../../cards/index.ts";
import type { Skill } from "../../model/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { print } from "../printing/print.ts";

interface InitFlags {
  all: boolean;
  dryRun: boolean;
  json?: boolean;
  config?: string;
}

export function initCommand(): Command {
  const command = new Command("init")
    .description(
      "Draft a first suite for a skill: positives from its card, negatives from its siblings, for you to correct.",
    )
    .argument("[skill]", "the skill's name, or the path of its folder")
    .argument("[paths...]", "where the library is (default: everything from here)")
    .option("--all", "for every skill that no suite asks about yet", false)
    .option("--dry-run", "print the suite instead of writing it", false);
  return addOptions(command, "init")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor init order-status", "drafts a suite for the skill"],
          ["proctor init skills/order-status --dry-run", "prints it instead"],
          ["proctor init --all", "drafts one for every skill that has none"],
        ],
        "route.md",
      ),
    )
    .action(async (skill: string | undefined, paths: string[], flags: InitFlags) => {
      if (flags.all) print(await initAll([...(skill === undefined ? [] : [skill]), ...paths], flags));
      else if (skill !== undefined) print(await init(skill, paths, flags));
      else
        throw new UsageError(
          "for which skill?",
          "proctor init NAME drafts a suite for one, proctor init --all for every skill that has none.",
        );
    });
}

async function init(name: string, paths: string[], { dryRun, config, json }: InitFlags): Promise<string> {
  const [{ draft: draftFor }, { scopeWords }] = await Promise.all([
    import("../../verbs/index.ts"),
    import("../../reporters/index.ts"),
  ]);
  const { skill, draft } = await draftFor({ skill: name, paths, config, write: !dryRun });
  if (json) return `${JSON.stringify({ version: 1, skill: skill.id, written: !dryRun, ...draft }, null, 2)}\n`;
  return dryRun ? draft.text : summary(skill, draft, scopeWords([relativePosix(process.cwd(), draft.file)], config));
}

async function initAll(paths: string[], { dryRun, config, json }: InitFlags): Promise<string> {
  const { draftAll } = await import("../../verbs/index.ts");
  const drafts = await draftAll({ paths, config, write: !dryRun });
  if (json)
    return `${JSON.stringify({ version: 1, written: !dryRun, drafts: drafts.map(({ skill, draft }) => ({ skill: skill.id, ...draft })) }, null, 2)}\n`;
  if (drafts.length === 0) return "Every skill has a suite; nothing was drafted.\n";
  if (dryRun)
    return drafts.map(({ draft }) => `# ${relativePosix(process.cwd(), draft.file)}\n${draft.text}`).join("\n");
  const lines = drafts.map(
    ({ draft }) =>
      `wrote ${relativePosix(process.cwd(), draft.file)}  ${count(draft.positives.length, "positive")}, ${count(draft.negatives.length, "negative")}`,
  );
  return `${[...lines, "", ...DRAFTS, "next: proctor check"].map(printable).join("\n")}\n`;
}

const DRAFTS = [
  "These are drafts, and drafts alone never make a green run. Fill in the slots, put each question the",
  "way people would, and delete its `draft`; proctor check counts what is left.",
];

function summary(skill: Skill, { file, positives, negatives, slots }: SuiteDraft, itself: string): string {
  const winners = new Map<string, number>();
  for (const { expect } of negatives) winners.set(expect, (winners.get(expect) ?? 0) + 1);
  const siblings = [...winners].map(([id, count]) => (count === 1 ? id : `${id} ×${count}`)).join(", ");
  const fromSuites = negatives.filter(({ source }) => source === "suite").length;
  const lines = [
    `wrote ${relativePosix(process.cwd(), file)}`,
    `  ${count(positives.length, "positive")}: ${positives.length === 0 ? "no phrase on the card makes a sentence that users would type; write two or three" : `from the card of ${skill.id}`}`,
    `  ${count(negatives.length, "negative")}${negatives.length === 0 ? ": no sibling has a prompt or a card to draft one from" : `: ${siblings} (${fromSuites} from their suites, ${negatives.length - fromSuites} from their cards)`}`,
    `  2 slots: ${positives.length === 0 ? "for them, in words other than the card's" : "what people say in words other than the card's"}; not asked until you fill them in`,
    ...(slots.length > 0
      ? [
          `  ${count(slots.length, "slot")}: the same task, wrong domain; not asked until you fill ${slots.length === 1 ? "it" : "them"} in`,
        ]
      : []),
    "",
    ...DRAFTS,
    `next: proctor check${itself}`,
  ];
  return `${lines.map(printable).join("\n")}\n`;
}
