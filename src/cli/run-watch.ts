import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import { UsageError } from "../base/index.ts";
import { type ExamRequest, libraryRoot } from "../exam/index.ts";

/** Editors write a file in several steps; a run starts when they have been quiet for this long. */
const QUIET_MS = 150;

/** Runs, then runs again whenever a file under the library's root changes; the cache keeps what an edit cannot change. */
export async function watchAndRun(request: ExamRequest, once: () => Promise<number>): Promise<number> {
  const root = await libraryRoot(request);
  const edits = watchFolder(root);
  let code = 0;
  try {
    for (;;) {
      code = await runAndExplain(once);
      if (code === 130) return code;
      process.stderr.write("Waiting for an edit of a skill or a suite. Ctrl-C ends.\n");
      const changed = await Promise.race([edits.next(), interrupted()]);
      if (changed === undefined) return code;
      process.stderr.write(`\n${changed} changed\n`);
    }
  } finally {
    edits.close();
  }
}

async function runAndExplain(once: () => Promise<number>): Promise<number> {
  try {
    return await once();
  } catch (error) {
    // A file that is half-edited is not the end: the next edit may mend it.
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`proctor: ${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`);
    return 2;
  }
}

interface Edits {
  /** The name of a file that has changed since the last call. */
  next(): Promise<string>;
  close(): void;
}

function watchFolder(root: string): Edits {
  let changed: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let waiting: ((file: string) => void) | undefined;
  const settle = () => {
    if (changed === undefined || waiting === undefined) return;
    waiting(changed);
    changed = undefined;
    waiting = undefined;
  };
  const watcher: FSWatcher = watch(root, { recursive: true }, (_event, file) => {
    if (file === null || !matters(file)) return;
    changed = file.replaceAll("\\", "/");
    clearTimeout(timer);
    timer = setTimeout(settle, QUIET_MS);
  });
  return {
    next: () =>
      new Promise((resolve) => {
        waiting = resolve;
        settle();
      }),
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}

/** Our own records are written below the same root. */
function matters(file: string): boolean {
  return !/(^|[\\/])(\.proctor|\.git|node_modules)([\\/]|$)/.test(file) && !/~$|\.sw[a-z]$/.test(basename(file));
}

function interrupted(): Promise<undefined> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve(undefined));
  });
}
