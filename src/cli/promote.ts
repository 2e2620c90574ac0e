import { relative } from "node:path";
import { Command } from "commander";
import { nearest, UsageError } from "../base/index.ts";

export function promoteCommand(): Command {
  return new Command("promote")
    .description(
      "Move an eva prompt's status in meta.yml: draft, tested, ready. Up only on the evidence of a full run, back only with a reason.",
    )
    .argument("<id>", "the prompt's id or folder")
    .requiredOption("--to <status>", "draft, tested or ready")
    .option("--reason <text>", "why it goes back")
    .action(async (id: string, { to, reason }: { to: string; reason?: string }) => {
      const [{ discover, findSkill }, { promote }] = await Promise.all([import("../skills/index.ts"), import("../runs/index.ts")]);
      const { libraries } = await discover({ cwd: process.cwd() });
      const prompts = libraries.flatMap((library) => library.skills.filter(({ source }) => source.kind === "eva"));
      const found = libraries.flatMap((library) => findSkill(library, id)).filter(({ source }) => source.kind === "eva");
      if (found.length !== 1)
        throw unknown(
          id,
          found.length,
          prompts.map((prompt) => prompt.id),
        );
      const { from, file } = await promote(found[0]!.dir, to, reason);
      process.stdout.write(
        `${id}: ${from} → ${to} (${relative(process.cwd(), file)})${reason === undefined ? "" : `\n  because: ${reason}`}\n`,
      );
    });
}

function unknown(id: string, count: number, ids: string[]): UsageError {
  if (count > 1) return new UsageError(`Several prompts are called "${id}".`, "Give the folder of the one you mean.");
  const near = nearest(id, ids);
  return new UsageError(
    `There is no eva prompt "${id}" here.`,
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "Promotion is for folders with meta.yml and prompt.xml.",
  );
}
