import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import { examined, firstChange, libraryRoot } from "../../plan/index.ts";
import { type RunOptions, requestOf } from "./run.ts";

/** Editors write a file in several steps; an edit counts when they have been quiet for this long. */
const QUIET_MS = 150;

/** Edits of what a run would examine. */
export interface Edits {
  /** Remembers what everything is now; `next` speaks of changes since then. */
  mark(): Promise<void>;
  /** The first skill, suite or script that has changed since the mark. */
  next(): Promise<string>;
  close(): void;
}

/** `proctor run --watch` as a function: what it waits for between two runs. */
export async function watchEdits(options: RunOptions): Promise<Edits> {
  const { request } = await requestOf(options);
  const folder = watchFolder(await libraryRoot(request));
  let marked = await examined(request);
  return {
    async mark() {
      marked = await examined(request);
    },
    async next() {
      for (;;) {
        await folder.next();
        const changed = firstChange(marked, await examined(request));
        if (changed !== undefined) return changed;
      }
    },
    close: folder.close,
  };
}

/** `next` resolves when some file has changed since the last call; whether it matters is for others to say. */
function watchFolder(root: string): { next(): Promise<void>; close(): void } {
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
