import { printable, UsageError } from "../../base/index.ts";
import { type Edits, type RunOptions, watchEdits } from "../../verbs/index.ts";
import { isPiped, print, printError, readerGone } from "../printing/print.ts";

/**
 * Only a write reveals that a reader has left, so a report is followed by a blank line after `| head` had time to exit.
 */
const BLANK_LINE_MS = 2_000;
const MOST_NAMED = 4;

type WatchedEdit = Awaited<ReturnType<Edits["next"]>>[number];

/**
 * Runs again whenever a skill or suite changes; the cache keeps what an edit cannot change. Exits with 130 on Ctrl-C
 * and with 0 if its output is no longer read, whatever the last run's result.
 */
export async function watchAndRun(
  options: RunOptions,
  once: () => Promise<number>,
  { isText = false } = {},
): Promise<number> {
  const edits = await watchEdits(options);
  // Listens throughout, so that Ctrl-C between two runs does not kill the process.
  const interrupt = listen();
  const end = AbortSignal.any([interrupt.came, readerGone]);
  const ended = whenAborted(end);
  try {
    while (!end.aborted) {
      await edits.mark();
      if (end.aborted) break;
      interrupt.working = true;
      const code = await runAndExplain(once);
      interrupt.working = false;
      if (code === 130) return stopped();
      if (end.aborted) break;
      printError("Waiting for a skill or a suite to change. Press Ctrl-C to stop.\n");
      const blankLine = isText && isPiped() ? setTimeout(() => print("\n"), BLANK_LINE_MS) : undefined;
      const changes = await Promise.race([edits.next(), ended]);
      clearTimeout(blankLine);
      if (changes !== undefined) printError(`\n${changesText(changes)}\n`);
    }
    return interrupt.came.aborted ? stopped() : 0;
  } finally {
    interrupt.off();
    edits.close();
  }
}

function stopped(): 130 {
  printError("\nStopped watching.\n");
  return 130;
}

function changesText(changes: readonly WatchedEdit[]): string {
  const named = changes.slice(0, MOST_NAMED).map(({ name, how }) => `${printable(name)} ${how}`);
  const more = changes.length - named.length;
  return `${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

async function runAndExplain(once: () => Promise<number>): Promise<number> {
  try {
    return await once();
  } catch (error) {
    // The file may be half-edited; the next edit may fix it.
    if (!(error instanceof UsageError)) throw error;
    printError(`proctor: ${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`);
    return error.exitCode;
  }
}

interface Interrupt {
  came: AbortSignal;
  /** A run is in progress. It handles Ctrl-C itself while it asks; before that there is nothing to finish. */
  working: boolean;
  off(): void;
}

function listen(): Interrupt {
  const came = new AbortController();
  const onInterrupt = () => {
    if (interrupt.working && process.listenerCount("SIGINT") === 1) process.exit(stopped());
    came.abort();
  };
  const interrupt: Interrupt = { came: came.signal, working: false, off: () => process.off("SIGINT", onInterrupt) };
  process.on("SIGINT", onInterrupt);
  return interrupt;
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
