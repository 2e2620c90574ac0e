import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { isWithin } from "./paths.ts";

// The one way to read files that others may have made: skills, suites and what they name, scripts, configurations,
// records. Only regular files up to a size limit are read, and nothing blocks: a FIFO without a writer would hang the
// process, deaf to signals. With `within`, no link may lead out of that folder; links inside it are followed, since
// people share files that way.

/** No handwritten file is larger; larger ones are reported, not read. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Limit for files that are only copied or hashed. */
const MOST_FED = 1024 * 1024 * 1024;

export interface ReadLimits {
  /** The folder that the file must really be in, after resolving links. */
  within?: string | undefined;
  mostBytes?: number;
}

export interface Unreadable {
  status: "unreadable";
  reason: "missing" | "folder" | "special" | "large" | "denied" | "encoding" | "outside";
  message: string;
}

/** Never throws and never blocks. */
export function readBytes(
  file: string,
  { within, mostBytes = MOST_BYTES }: ReadLimits = {},
): { status: "bytes"; bytes: Buffer } | Unreadable {
  const opened = openFile(file, { within });
  if (opened.status === "unreadable") return opened;
  try {
    if (opened.size > mostBytes) return tooLarge(opened.size, mostBytes);
    return { status: "bytes", bytes: readAll(opened.fd, opened.size, mostBytes) };
  } catch (error) {
    return failure(error);
  } finally {
    closeSync(opened.fd);
  }
}

/** Passes a file's content on in pieces, each valid only until the next, so that its size costs no memory. */
export function feedFile(
  file: string,
  { within, mostBytes = MOST_FED }: ReadLimits,
  feed: (piece: Buffer) => void,
): { status: "fed"; executable: boolean } | Unreadable {
  const opened = openFile(file, { within });
  if (opened.status === "unreadable") return opened;
  try {
    if (opened.size > mostBytes) return tooLarge(opened.size, mostBytes);
    const piece = Buffer.allocUnsafe(Math.min(opened.size + 1, 1_048_576));
    for (let left = mostBytes; left > 0; ) {
      const read = readSync(opened.fd, piece, 0, piece.length, null);
      if (read === 0) break;
      feed(piece.subarray(0, read));
      left -= read;
    }
    return { status: "fed", executable: opened.executable };
  } catch (error) {
    return failure(error);
  } finally {
    closeSync(opened.fd);
  }
}

export function openFile(
  file: string,
  { within }: Pick<ReadLimits, "within"> = {},
): { status: "open"; fd: number; size: number; executable: boolean } | Unreadable {
  try {
    const path = within === undefined ? file : realpathSync.native(file);
    if (within !== undefined && !isWithin(realpathSync.native(within), path)) return outside();
    // Checked before opening, since opening alone triggers some devices.
    const wrong = notRegular(statSync(path));
    if (wrong !== undefined) return wrong;
    // A real path does not end in a link; one placed there at this very moment is not followed.
    const fd = openSync(path, constants.O_RDONLY | NEVER_WAIT | (within === undefined ? 0 : NO_LINK));
    const stat = fstatSync(fd);
    const swapped = notRegular(stat);
    if (swapped === undefined) return { status: "open", fd, size: stat.size, executable: (stat.mode & 0o111) !== 0 };
    closeSync(fd);
    return swapped;
  } catch (error) {
    return failure(error);
  }
}

/** A link counts as what it leads to. With `within`, anything outside is not looked at. */
export function kindAt(path: string, within?: string): "file" | "folder" | "special" | "missing" | "outside" {
  try {
    if (within !== undefined && !isWithin(realpathSync.native(within), realpathSync.native(path))) return "outside";
    const stat = statSync(path);
    return stat.isFile() ? "file" : stat.isDirectory() ? "folder" : "special";
  } catch {
    return "missing";
  }
}

export function isTaken(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

export function listFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export function isExecutable(file: string): boolean {
  try {
    return (statSync(file).mode & 0o100) !== 0;
  } catch {
    return false;
  }
}

// Windows has neither.
const NEVER_WAIT = constants.O_NONBLOCK ?? 0;
const NO_LINK = constants.O_NOFOLLOW ?? 0;

/**
 * The size is unreliable under /proc and while a file is being written: reads to the end, but not beyond `mostBytes`.
 */
function readAll(fd: number, size: number, mostBytes: number): Buffer {
  const whole = Buffer.allocUnsafe(size + 1);
  let done = 0;
  for (;;) {
    const read = readSync(fd, whole, done, whole.length - done, null);
    done += read;
    if (read === 0) return whole.subarray(0, done);
    if (done === whole.length) return readOn(fd, whole, mostBytes);
  }
}

function readOn(fd: number, start: Buffer, mostBytes: number): Buffer {
  const parts = [start];
  let total = start.length;
  while (total <= mostBytes) {
    const part = Buffer.allocUnsafe(65_536);
    const read = readSync(fd, part, 0, part.length, null);
    if (read === 0) return Buffer.concat(parts);
    parts.push(part.subarray(0, read));
    total += read;
  }
  throw Object.assign(new Error("it grows while it is read"), { code: "EFBIG" });
}

function notRegular(stat: Stats): Unreadable | undefined {
  if (stat.isFile()) return undefined;
  if (stat.isDirectory()) return unreadable("folder", "it is a folder, not a file");
  const what = stat.isFIFO() ? "a FIFO" : stat.isSocket() ? "a socket" : "a device";
  return unreadable("special", `it is ${what}, not a regular file`);
}

function outside(): Unreadable {
  return unreadable("outside", "it is outside the examined folder, or a link that leads out of it");
}

function tooLarge(size: number, most: number): Unreadable {
  return unreadable("large", `it has ${megabytes(size)}; at most ${megabytes(most)} are read`);
}

export function unreadable(reason: Unreadable["reason"], message: string): Unreadable {
  return { status: "unreadable", reason, message };
}

function failure(error: unknown): Unreadable {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") return unreadable("missing", "there is no such file");
  if (code === "ELOOP") return unreadable("special", "its symbolic links form a loop");
  if (code === "ENXIO") return unreadable("special", "it is a socket, not a regular file");
  return unreadable("denied", `it cannot be read (${code ?? "unknown error"})`);
}

function megabytes(bytes: number): string {
  const value = bytes / (1024 * 1024);
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} MB`;
}
