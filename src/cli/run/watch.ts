import { type RunOptions, watchEdits } from "../../api/index.ts";
import { UsageError } from "../../base/index.ts";
import { printError } from "../printing/print.ts";

/** Runs, then runs again whenever a skill or a suite has changed; the cache keeps what an edit cannot change. */
export async function watchAndRun(options: RunOptions, once: () => Promise<number>): Promise<number> {
  const edits = await watchEdits(options);
  try {
    for (;;) {
      await edits.mark();
      const code = await runAndExplain(once);
      if (code === 130) return code;
      printError("Waiting for an edit of a skill or a suite. Ctrl-C ends.\n");
      const changed = await orInterrupt(edits.next());
      if (changed === undefined) return code;
      printError(`\n${changed} changed\n`);
    }
  } finally {
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

/** undefined: Ctrl-C came first. */
async function orInterrupt<T>(edit: Promise<T>): Promise<T | undefined> {
  let onInterrupt = () => {};
  const interrupt = new Promise<undefined>((resolve) => {
    onInterrupt = () => resolve(undefined);
    process.on("SIGINT", onInterrupt);
  });
  try {
    return await Promise.race([edit, interrupt]);
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}
