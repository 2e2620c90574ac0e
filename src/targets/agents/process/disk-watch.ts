import { statfsSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const EVERY_MS = 500;

/**
 * Calls `full` when a trial fills the disk. Checking free space is cheap; the trial's folder is only added up if much
 * of it has gone, since somebody else may have used it. Returns a function that ends the watch.
 */
export function watchDisk(folder: string, mostBytes: number, full: () => void): () => void {
  let mostFree = freeBytes(folder);
  let looking = false;
  const timer = setInterval(() => {
    const free = freeBytes(folder);
    mostFree = Math.max(mostFree, free);
    if (looking || mostFree - free < mostBytes / 2) return;
    looking = true;
    void usedBytes(folder, mostBytes).then((used) => {
      looking = false;
      if (used > mostBytes) full();
    });
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Bytes on disk below a folder, counted until `mostBytes` is exceeded. Links are not followed. */
async function usedBytes(folder: string, mostBytes: number): Promise<number> {
  let used = 0;
  const open = [folder];
  for (let next = open.pop(); next !== undefined && used <= mostBytes; next = open.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else
        used += await lstat(path).then(
          ({ blocks }) => blocks * 512,
          () => 0,
        );
    }
  }
  return used;
}
