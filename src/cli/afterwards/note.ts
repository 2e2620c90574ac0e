import { Command, Option } from "commander";
import { printable } from "../../base/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { print } from "../printing/print.ts";

interface NoteFlags {
  verdict?: "right" | "wrong";
  on?: string;
  run?: string;
  config?: string;
  json?: boolean;
}

export function noteCommand(): Command {
  const command = new Command("note")
    .description(
      "Note what you think of a question's verdict. Notes are kept beside the record; reports show them, and how often people agree with a judge.",
    )
    .argument("<question>", "its id, or a part of its id or prompt that no other question has")
    .argument("[text]", "what you think")
    .addOption(new Option("--verdict <verdict>", "is the verdict right or wrong?").choices(["right", "wrong"]))
    .option("--on <target>", "on this target (default: on all targets of the run)")
    .option("--run <run>", "a run's id, its folder or its record.jsonl (default: the newest)");
  return addOptions(command, "note")
    .addHelpText(
      "after",
      examples(
        [['proctor note "Where is my parcel?" "It did answer." --verdict wrong', "the verdict is wrong"]],
        "run.md",
      ),
    )
    .action(async (question: string, text: string | undefined, { verdict, on, run, config, json }: NoteFlags) => {
      const { note } = await import("../../verbs/index.ts");
      const kept = await note({ question, text, verdict, target: on, run, config });
      print(
        json
          ? `${JSON.stringify({ version: 1, ...kept }, null, 2)}\n`
          : `Noted on ${printable(kept.question)}. proctor report shows it.\n`,
      );
    });
}
