import { Command } from "commander";
import { UsageError } from "../../base/index.ts";
import type { RenderOptions, Routed } from "../../reporters/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions, wholeNumber } from "../flags/options.ts";
import { betterFor } from "../printing/better-target.ts";
import { print, printError } from "../printing/print.ts";
import { hasColor, terminalWidth } from "../printing/terminal.ts";

interface RouteFlags {
  target: string;
  top: number;
  json?: boolean;
  config?: string;
  useLogin?: boolean;
}

export function routeCommand(): Command {
  const command = new Command("route")
    .description(
      "Show which skill would get this query, and why: predicted from the skills' cards, offline; with -t, by asking a model or an agent.",
    )
    .argument("[query]", "what a user would type; - reads it from standard input")
    .argument("[paths...]", "where the skills are (default: everything from here)")
    .option(
      "-t, --target <target>",
      "embedded, embedded:keywords, embedded:minilm, or any other target of proctor run",
      "embedded",
    )
    .option("--top <n>", "how many skills to show", wholeNumber(1), 5);
  return addOptions(command, "route")
    .addHelpText(
      "after",
      examples(
        [
          ['proctor route "send this back"', "which skill would get this prompt, and why"],
          ['proctor route "review this" plugins/security --top 10', "in one part of the repository"],
          ['proctor route "send this back" -t claude:haiku', "put it to the real Claude Code, once"],
          ["pbpaste | proctor route -", "a long prompt from standard input"],
        ],
        "route.md",
      ),
    )
    .action(async (query: string | undefined, paths: string[], flags: RouteFlags) => {
      if (query === undefined)
        throw new UsageError("for which query?", 'Say what a user would type: proctor route "Where is my order?"');
      const text = query === "-" ? await standardInput() : query;
      const { route } = await import("../../verbs/index.ts");
      const interrupted = new AbortController();
      const stop = () => interrupted.abort();
      process.once("SIGINT", stop);
      try {
        const starting = (target: string) => printError(`Asking ${target} …\n`);
        const routed = await route({ ...flags, query: text, paths, signal: interrupted.signal, starting });
        const better =
          flags.json || routed.asked !== undefined ? undefined : await betterFor({ questions: 1, runs: 1 });
        print(await render(routed, flags, better));
        if (routed.asked?.libraries.some(({ error }) => error !== undefined))
          process.exitCode = interrupted.signal.aborted ? 130 : 3;
      } finally {
        process.off("SIGINT", stop);
      }
    });
}

async function render(routed: Routed, { json }: RouteFlags, better: RenderOptions["better"]): Promise<string> {
  const { routeJson, routeText } = await import("../../reporters/index.ts");
  if (json) return routeJson(routed);
  const { createColors } = await import("picocolors");
  return routeText(routed, { colors: createColors(hasColor(process.stdout)), width: terminalWidth(120), better });
}

const MOST_BYTES = 8_000_000;

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    // `!`: it has just been added.
    size += chunks.at(-1)!.length;
    if (size > MOST_BYTES)
      throw new UsageError("the query on standard input is over 8 MB", "Give the prompt itself, not a file of data.");
  }
  return Buffer.concat(chunks).toString("utf8");
}
