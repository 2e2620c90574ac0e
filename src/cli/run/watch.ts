import { type RunOptions, watchEdits } from "../../api/index.ts";
import { UsageError } from "../../base/index.ts";
import { printError } from "../printing/print.ts";

/** Runs, then runs again whenever a skill or a suite has changed; the cache keeps what an edit cannot change. */
export async function watchAndRun(options: RunOptions, once: () => Promise<number>): Promise<number> {
  const edits = await watchEdits(options);
  // From the beginning, and until the end: between two runs there is no moment in which Ctrl-C would kill.
  const interrupt = listen();
  try {
    for (;;) {
      await edits.mark();
      interrupt.working = true;
      const code = await runAndExplain(once);
      interrupt.working = false;
      if (code === 130) return code;
      printError("Waiting for a skill or a suite to change. Press Ctrl-C to stop.\n");
      const changed = await Promise.race([edits.next(), interrupt.came]);
      if (changed === undefined) return code;
      printError(`\n${changed} changed\n`);
    }
  } finally {
    interrupt.off();
    edits.close();
  }
}

async function runAndExplain(once: () => Promise<number>): Promise<number> {
  try {
    return await once();
  } catch (error) {
    // A file that is half-edited is not the end: the next edit may fix it.
    if (!(error instanceof UsageError)) throw error;
    printError(`proctor: ${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`);
    return error.exitCode;
  }
}

interface Interrupt {
  came: Promise<undefined>;
  /** A run is in progress. It handles Ctrl-C itself while it asks; before that, there is nothing to finish. */
  working: boolean;
  off(): void;
}

function listen(): Interrupt {
  let end: (value: undefined) => void = () => {};
  const came = new Promise<undefined>((resolve) => {
    end = resolve;
  });
  const onInterrupt = () => (interrupt.working && process.listenerCount("SIGINT") === 1 ? process.exit(130) : end(undefined));
  const interrupt: Interrupt = { came, working: false, off: () => process.off("SIGINT", onInterrupt) };
  process.on("SIGINT", onInterrupt);
  return interrupt;
}
