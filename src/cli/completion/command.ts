import { Command } from "commander";
import { UsageError } from "../../base/index.ts";
import { examples, nameReporters } from "../flags/help.ts";
import { print } from "../printing/print.ts";
import { bash } from "./bash.ts";
import { completed, SHELLS } from "./completed.ts";
import { fish } from "./fish.ts";
import { zsh } from "./zsh.ts";

const scripts: Record<(typeof SHELLS)[number], typeof bash> = { bash, zsh, fish };

export function completionCommand(whole: () => Command): Command {
  return new Command("completion")
    .description("Print a script that completes commands, flags, targets and runs, for bash, zsh or fish.")
    .argument("<shell>", "bash, zsh or fish")
    .addHelpText(
      "after",
      examples(
        [
          ["source <(proctor completion bash)", "in ~/.bashrc"],
          ["source <(proctor completion zsh)", "in ~/.zshrc, after compinit"],
          ["proctor completion fish | source", "in ~/.config/fish/config.fish"],
        ],
        "run.md",
      ),
    )
    .action(async (given: string) => {
      const shell = SHELLS.find((one) => one === given);
      if (shell === undefined)
        throw new UsageError(`there is no completion for ${given}`, `Shells: ${SHELLS.join(", ")}.`);
      print(scripts[shell]((await nameReporters(whole())).commands.map(completed)));
    });
}
