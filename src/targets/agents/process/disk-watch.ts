import { statfsSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const EVERY_MS = 500;

/**
 * Watches that a trial does not fill the disk. One look at the free space is cheap; only when much of that has gone is the trial's folder
 * added up, since it may have been somebody else. Returns what ends the watch.
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

/** Of all files below a folder, as they lie on the disk; what is above the most is not counted. Links are not followed. */
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
