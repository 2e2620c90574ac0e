import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import { UsageError } from "../base/index.ts";
import { type ExamRequest, examined, firstChange, libraryRoot } from "../plan/index.ts";

/** Editors write a file in several steps; a run starts when they have been quiet for this long. */
const QUIET_MS = 150;

/** Runs, then runs again whenever a skill or a suite has changed; the cache keeps what an edit cannot change. */
export async function watchAndRun(request: ExamRequest, once: () => Promise<number>): Promise<number> {
  const root = await libraryRoot(request);
  const edits = watchFolder(root);
  let code = 0;
  try {
    for (;;) {
      const before = await examined(request);
      code = await runAndExplain(once);
      if (code === 130) return code;
      process.stderr.write("Waiting for an edit of a skill or a suite. Ctrl-C ends.\n");
      let changed: string | undefined;
      while (changed === undefined) {
        if ((await orInterrupt(edits.next())) === "interrupted") return code;
        changed = firstChange(before, await examined(request));
      }
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
    return error.exitCode;
  }
}

interface Edits {
  /** Resolves when some file has changed since the last call; whether it matters is for others to say. */
  next(): Promise<void>;
  close(): void;
}

function watchFolder(root: string): Edits {
  let changed = false;
  let timer: NodeJS.Timeout | undefined;
  let waiting: (() => void) | undefined;
  const settle = () => {
    if (!changed || waiting === undefined) return;
    waiting();
    changed = false;
    waiting = undefined;
  };
  const watcher: FSWatcher = watch(root, { recursive: true }, (_event, file) => {
    if (file === null || !matters(file)) return;
    changed = true;
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

async function orInterrupt(edit: Promise<void>): Promise<"interrupted" | undefined> {
  let onInterrupt = () => {};
  const interrupt = new Promise<"interrupted">((resolve) => {
    onInterrupt = () => resolve("interrupted");
    process.on("SIGINT", onInterrupt);
  });
  try {
    return (await Promise.race([edit, interrupt])) ?? undefined;
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}
