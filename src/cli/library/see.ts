import { Command } from "commander";
import { UsageError } from "../../base/index.ts";
import { agentHosts, listed } from "../../hosts/index.ts";
import type { SeenLibrary } from "../../verbs/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { print, printError } from "../printing/print.ts";
import { terminalWidth } from "../printing/terminal.ts";

interface SeeFlags {
  model?: string;
  hermetic: boolean;
  text: boolean;
  json?: boolean;
  config?: string;
}

const HOSTS = agentHosts.map(({ agent }) => agent.id);

export function seeCommand(): Command {
  const command = new Command("see")
    .description(
      "Show what a host tells its model about your skills, as seen in its first request: no key, no network, nothing spent.",
    )
    .argument("[host]", listed(HOSTS, "or"))
    .argument("[paths...]", "where the skills are (default: everything from here)")
    .option("--model <model>", "the host's model: listing budgets differ between models")
    .option("--hermetic", "without the host's bundled skills, as in trials", false)
    .option("--text", "the listing itself, letter for letter", false);
  return addOptions(command, "see")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor see claude", "which descriptions its model gets whole, cut or not at all"],
          ["proctor see codex --text", "the listing itself, letter for letter"],
          ["proctor see claude --model claude-sonnet-4-5", "on a model with a smaller window"],
        ],
        "agents.md",
      ),
    )
    .action(async (host: string | undefined, paths: string[], flags: SeeFlags) => {
      if (host === undefined) throw new UsageError("for which agent?", `proctor see HOST: ${listed(HOSTS, "or")}.`);
      const { see } = await import("../../verbs/index.ts");
      const onStart = (cli: string) => printError(`Starting ${cli} against a scripted model, to see what it asks …\n`);
      const seen = await see({ ...flags, host, paths, onStart });
      print(
        flags.json
          ? json(seen)
          : flags.text
            ? seen.map(listing).join("\n")
            : await screen(seen, { host, paths, ...flags }),
      );
    });
}

function json(all: SeenLibrary[]): string {
  const libraries = all.map(({ library, seen }) => ({
    library: library.name,
    fingerprint: library.fingerprint,
    ...seen,
  }));
  return `${JSON.stringify({ version: 1, libraries }, null, 2)}\n`;
}

function listing({ seen }: SeenLibrary): string {
  if (seen.text !== undefined) return `${seen.text}\n`;
  throw new UsageError(
    seen.computed === undefined
      ? `${seen.title} tells its model about no skills.`
      : `${seen.title} is ${seen.computed}: there is no text to show.`,
    `proctor see ${seen.host} shows what its rules would let through.`,
  );
}

async function screen(
  all: SeenLibrary[],
  { host, paths, hermetic, config }: SeeFlags & { host: string; paths: string[] },
): Promise<string> {
  const { scopeWords, seeText } = await import("../../reporters/index.ts");
  const command = `proctor see ${host}${scopeWords(paths, config)}${hermetic ? " --hermetic" : ""}`;
  return all
    .map(({ library, seen }) => seeText({ library: library.name, seen, command }, terminalWidth(120)))
    .join("\n");
}
