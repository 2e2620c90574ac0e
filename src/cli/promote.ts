import { relative } from "node:path";
import { Command } from "commander";
import { print } from "./print.ts";

export function promoteCommand(): Command {
  return new Command("promote")
    .description(
      "Move an eva prompt's status in meta.yml: draft, tested, ready. Up only on the evidence of a full run, back only with a reason.",
    )
    .argument("<id>", "the prompt's id or folder")
    .requiredOption("--to <status>", "draft, tested or ready")
    .option("--reason <text>", "why it goes back")
    .action(async (id: string, { to, reason }: { to: string; reason?: string }) => {
      const { promote } = await import("../api/index.ts");
      const { from, file } = await promote({ id, to, reason });
      const because = reason === undefined ? "" : `\n  because: ${reason}`;
      print(`${id}: ${from} → ${to} (${relative(process.cwd(), file)})${because}\n`);
    });
}
