import { Command } from "commander";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { print } from "../printing/print.ts";

interface ViewFlags {
  open?: boolean;
  port?: number;
  json?: boolean;
  config?: string;
}

export function viewCommand(): Command {
  const command = new Command("view")
    .description(
      "Look at your runs in a browser: the whole exam at a glance, every trial behind it, live during a run.",
    )
    .argument("[run]", "a run's id, its folder or its record.jsonl (default: the newest)");
  return addOptions(command, "view")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor view", "the newest run, and all others kept here"],
          ["proctor view 2026-11-15-a", "another one"],
          ["proctor report --reporter html=page.html", "the same page as a file"],
        ],
        "page.md",
      ),
    )
    .action(async (run: string | undefined, { open, port, json, config }: ViewFlags) => {
      const [{ view }, { showPage, untilInterrupted }] = await Promise.all([
        import("../../verbs/index.ts"),
        import("../printing/show-page.ts"),
      ]);
      const viewing = await view({ run, port, config });
      const interrupted = untilInterrupted();
      print(
        json
          ? `${JSON.stringify({ version: 1, url: viewing.url })}\n`
          : `${viewing.url}\nServed to this machine only; press Ctrl-C to stop.\n`,
      );
      if (open !== false) showPage(viewing.url);
      await interrupted;
      await viewing.close();
    });
}
