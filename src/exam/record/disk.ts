import { dirname } from "node:path";
import { toPosix, UsageError } from "../../base/index.ts";
import { files } from "./fs-calls.ts";

export function explainDisk(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const shown = toPosix(path);
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return new UsageError(
        `There is no space left to write ${shown}`,
        "Free some space, then continue with --resume: what was measured so far is kept.",
      );
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return new UsageError(
        `Cannot write ${shown}: the folder is read-only or belongs to someone else`,
        "Run from a folder you can write to.",
      );
    case "ENOTDIR":
    case "EISDIR":
    case "EEXIST":
    case "ELOOP":
      return new UsageError(`Cannot write ${shown}: something else is in the way`, "Move it and try again.");
    case "EIO":
    case "ENOENT":
      return new UsageError(
        `Cannot write ${shown}: ${code === "EIO" ? "the disk reports a fault" : "the folder is gone"}`,
      );
    default:
      return error;
  }
}

/** A nearly full disk accepts only part of the data at a time before it refuses. */
export function writeFully(fd: number, data: Uint8Array): void {
  let done = 0;
  while (done < data.length) done += files.writeSync(fd, data, done, data.length - done);
}

/** A file that has been closed meanwhile (EBADF) was synced before that. */
export function syncFile(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    files.fdatasync(fd, (error) => (error === null || error.code === "EBADF" ? resolve() : reject(error)));
  });
}

/** Makes new files in a folder survive a power cut. Windows cannot open folders, and does not need this. */
export function syncFolder(dir: string): void {
  if (process.platform === "win32") return;
  const fd = files.openSync(dir, "r");
  try {
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
}

export function makeFolder(dir: string): void {
  const first = files.mkdirSync(dir, { recursive: true });
  if (first === undefined) return;
  for (let made = dir; ; made = dirname(made)) {
    syncFolder(dirname(made));
    if (made === first || made === dirname(made)) return;
  }
}
