import { relative } from "node:path";
import { Command } from "commander";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { print } from "../printing/print.ts";

export function promoteCommand(): Command {
  const command = new Command("promote")
    .description(
      "Move an eva prompt's status in meta.yml: draft, tested, ready. Up only on the evidence of a full run, back only with a reason.",
    )
    .argument("<id>", "the prompt's id or folder")
    .requiredOption("--to <status>", "draft, tested or ready")
    .option("--reason <text>", "why it goes back");
  return addOptions(command, "promote")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor promote apology-note --to tested", "after a full run"],
          ['proctor promote apology-note --to draft --reason "too long"', "back, and why"],
        ],
        "models.md",
      ),
    )
    .action(async (id: string, { to, reason, json }: { to: string; reason?: string; json?: boolean }) => {
      const { promote } = await import("../../verbs/index.ts");
      const { from, file } = await promote({ id, to, reason });
      const because = reason === undefined ? "" : `\n  because: ${reason}`;
      const told = json
        ? JSON.stringify({ version: 1, id, from, to, file, reason }, null, 2)
        : `${id}: ${from} → ${to} (${relative(process.cwd(), file)})${because}`;
      print(`${told}\n`);
    });
}
