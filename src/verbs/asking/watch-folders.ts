import { type FSWatcher, lstatSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { isWithin, kindAt, listFolder } from "../../base/index.ts";
import { isNeverOfInterest } from "../../exam/find/index.ts";

/** Editors write a file in several steps; an edit counts when they have been quiet for this long. */
const QUIET_MS = 150;
/** A log beside the skills may never be quiet. */
const LONGEST_MS = 2_000;
/** Where not every folder can be watched, whoever waits looks this often. */
const LOOK_EVERY_MS = 2_000;
/** Systems limit how many folders one user may watch. */
const MOST_FOLDERS = 20_000;

export interface WatchedFolders {
  /** Resolves when some file has changed since the last call, or may have; whether it matters is for others to say. */
  next(): Promise<void>;
  close(): void;
}

/** Watches a folder with all that is below it, and others without what is below them. */
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
  // Counted from when somebody waits: to look takes its time, too.
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
  /** Something happened to a file that may matter. */
  touched(): void;
  /** Not everything can be watched. */
  blind(): void;
}

/**
 * One watcher per folder: that of a folder tells of a file whatever takes its place. Node 20's own recursive watching
 * on Linux has one per file, and is deaf to a file that was replaced. macOS and Windows watch whole trees themselves,
 * and on Windows a watched folder could not be moved.
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

  /** Breadth first: where they are too many, it is the deepest that are left out. */
  addTree(root: string): void {
    if (this.#isRecursive) {
      this.add(root, { recursive: true });
      return;
    }
    for (const open = [root]; open.length > 0; ) {
      const folder = open.shift() as string;
      // Watched before it is listed: what is made in between is seen twice, not missed.
      if (!this.add(folder, { isTree: true })) return;
      for (const entry of listFolder(folder)) {
        if (entry.isDirectory() && !isNeverOfInterest(entry.name)) open.push(join(folder, entry.name));
      }
    }
  }

  /** False where no more can be watched. */
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
      // One that is gone by now, or that nobody can read, is not missed.
      if (/^(?:ENOENT|ENOTDIR|EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? "")) return true;
      this.#told.blind();
      return false;
    }
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Something new has this name, or nothing any more. */
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

/** A link is none: what it leads to is watched where it lies. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Our own records are written below the same root. */
function matters(file: string): boolean {
  return !file.split(/[\\/]/).some(isNeverOfInterest) && !/~$|\.sw[a-z]$/.test(basename(file));
}
