import { dirname } from "node:path";
import { type Change, changesOf, examined, libraryRoot, scriptFiles } from "../../exam/plan/index.ts";
import { type RunOptions, requestOf } from "./run.ts";
import { watchFolders } from "./watch-folders.ts";

/** Edits of what a run would examine. */
export interface Edits {
  /** Remembers what everything is now; `next` speaks of changes since then. */
  mark(): Promise<void>;
  /** The skills, suites and scripts that have changed since the mark, once there are some. */
  next(): Promise<Change[]>;
  close(): void;
}

/** `proctor run --watch` as a function: what it waits for between two runs. */
export async function watchEdits(options: RunOptions, { mostFolders }: { mostFolders?: number } = {}): Promise<Edits> {
  const { request } = await requestOf(options);
  const folders = watchFolders(await libraryRoot(request), scriptFiles(request).map(dirname), mostFolders);
  let marked = await examined(request);
  return {
    async mark() {
      marked = await examined(request);
    },
    async next() {
      for (;;) {
        await folders.next();
        const changes = changesOf(marked, await examined(request));
        if (changes.length > 0) return changes;
      }
    },
    close: folders.close,
  };
}
