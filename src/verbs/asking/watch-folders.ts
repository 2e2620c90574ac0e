import { type FSWatcher, lstatSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { isWithin, kindAt, listFolder } from "../../base/index.ts";
import { isNeverOfInterest } from "../../exam/find/index.ts";

/** Editors write a file in several steps. An edit counts when nothing has changed for this long. */
const QUIET_MS = 150;
/** Limits that wait, because a log beside the skills may never be quiet. */
const LONGEST_MS = 2_000;
/** How often to look at the files if not every folder can be watched. */
const LOOK_EVERY_MS = 2_000;
/** Operating systems limit the folders that one user may watch. */
const MOST_FOLDERS = 20_000;

export interface WatchedFolders {
  /** Resolves when a file has, or may have, changed since the last call. Callers check whether the change matters. */
  next(): Promise<void>;
  close(): void;
}
export function watchFolders(root: string, others: readonly string[] = [], mostFolders = MOST_FOLDERS): WatchedFolders {
  let changed = false;
  let quiet: NodeJS.Timeout | undefined;
  let touchedAt: number | undefined;
  let looking: NodeJS.Timeout | undefined;
  let isBlind = false;
  let waiting: (() => void) | undefined;
  const settle = () => {
    if (!changed || waiting === undefined) return;
    waiting();
    changed = false;
    waiting = undefined;
  };
  const mayHaveChanged = () => {
    changed = true;
    touchedAt = undefined;
    settle();
  };
  // The interval starts when `next` is called, because looking takes time as well.
  const lookSoon = () => {
    clearTimeout(looking);
    looking = setTimeout(mayHaveChanged, LOOK_EVERY_MS);
  };
  const folders = new Folders(mostFolders, {
    touched() {
      touchedAt ??= performance.now();
      if (performance.now() - touchedAt > LONGEST_MS) return;
      clearTimeout(quiet);
      quiet = setTimeout(mayHaveChanged, QUIET_MS);
    },
    blind() {
      isBlind = true;
      lookSoon();
    },
  });
  folders.addTree(root);
  for (const folder of others) if (!folders.has(folder)) folders.add(folder);
  return {
    next: () =>
      new Promise((resolve) => {
        waiting = resolve;
        if (isBlind) lookSoon();
        settle();
      }),
    close() {
      clearTimeout(quiet);
      clearTimeout(looking);
      folders.close();
    },
  };
}

interface Told {
  touched(): void;
  blind(): void;
}

/**
 * Uses one watcher per folder, which also reports files that replace others. Node 20's recursive watching on Linux has
 * one watcher per file and misses replaced files. macOS and Windows watch whole trees natively, and on Windows a
 * watched folder could not be moved.
 */
class Folders {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #most: number;
  readonly #told: Told;
  readonly #isRecursive = process.platform === "darwin" || process.platform === "win32";

  constructor(most: number, told: Told) {
    this.#most = most;
    this.#told = told;
  }

  has(folder: string): boolean {
    return this.#watchers.has(folder);
  }

  /** Goes breadth first, so that the deepest folders are left out if there are too many. */
  addTree(root: string): void {
    if (this.#isRecursive) {
      this.add(root, { recursive: true });
      return;
    }
    for (const open = [root]; open.length > 0; ) {
      const folder = open.shift() as string;
      // The folder is watched before it is listed, so that files created in between are seen twice rather than missed.
      if (!this.add(folder, { isTree: true })) return;
      for (const entry of listFolder(folder)) {
        if (entry.isDirectory() && !isNeverOfInterest(entry.name)) open.push(join(folder, entry.name));
      }
    }
  }
  add(folder: string, { recursive = false, isTree = false } = {}): boolean {
    this.#forget(folder);
    try {
      if (this.#watchers.size >= this.#most) throw new Error("too many");
      const watcher = watch(folder, { recursive }, (event, name) => {
        if (name === null || !matters(name)) return;
        if (isTree && event === "rename") this.#replaced(join(folder, name));
        this.#told.touched();
      });
      watcher.on("error", () => {
        this.#forget(folder);
        if (kindAt(folder) === "folder") this.#told.blind();
      });
      this.#watchers.set(folder, watcher);
      return true;
    } catch (error) {
      // A folder that is gone or unreadable needs no watcher.
      if (/^(?:ENOENT|ENOTDIR|EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? "")) return true;
      this.#told.blind();
      return false;
    }
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #replaced(path: string): void {
    if (this.has(path))
      for (const folder of [...this.#watchers.keys()]) if (isWithin(path, folder)) this.#forget(folder);
    if (isFolder(path)) this.addTree(path);
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}

/** Links do not count: their targets are watched where they are. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Ignores our own records, which are written below the same root. */
function matters(file: string): boolean {
  return !file.split(/[\\/]/).some(isNeverOfInterest) && !/~$|\.sw[a-z]$/.test(basename(file));
}
