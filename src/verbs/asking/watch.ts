import { dirname } from "node:path";
import { type Change, changesOf, examined, libraryRoot, scriptFiles } from "../../exam/plan/index.ts";
import { type RunOptions, requestOf } from "./run.ts";
import { watchFolders } from "./watch-folders.ts";

export interface Edits {
  /** Remembers the current state. `next` reports changes since then. */
  mark(): Promise<void>;
  /** Resolves with the skills, suites and scripts that changed since the mark, as soon as there are any. */
  next(): Promise<Change[]>;
  close(): void;
}

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
