import { view } from "../../verbs/index.ts";
import { printError } from "../printing/print.ts";
import { showPage, untilInterrupted } from "../printing/show-page.ts";
import type { RunFlags } from "./command.ts";

/** Serves the page during the work and until Ctrl-C. Stopping the run also stops serving. */
export async function runAndView({ config, open, watch }: RunFlags, work: () => Promise<number>): Promise<number> {
  const viewing = await view({ config });
  try {
    printError(`The page: ${viewing.url}\n`);
    if (open !== false) showPage(viewing.url);
    const code = await work();
    if (code === 130 || watch) return code;
    printError(`The page stays at ${viewing.url} until Ctrl-C.\n`);
    await untilInterrupted();
    return code;
  } finally {
    await viewing.close();
  }
}
