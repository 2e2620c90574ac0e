import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "../problems/usage-error.ts";
import { isWithin } from "./paths.ts";
import { feedFile, isExecutable, isTaken, kindAt, type ReadLimits, realPath, type Unreadable } from "./untrusted.ts";

export interface Writing {
  fresh?: boolean;
  /** The folder that the file must really end up in, after resolving links. */
  within?: string;
  executable?: boolean;
  secret?: boolean;
}

/**
 * Creates folders as needed; an unwritable place is a UsageError with its path. Writes a temporary file and renames it,
 * so a link in its place is replaced, not followed, and nobody sees a partial file.
 */
export function writeFileIn(
  file: string,
  data: string | Uint8Array,
  { fresh = false, within, executable, secret }: Writing = {},
): void {
  try {
    makeFolder(dirname(file), within);
    const kind = kindAt(file);
    if (fresh) create(file, data, { mode: executable ? 0o755 : undefined });
    else if (kind === "special" || kind === "folder") throw fault("EISDIR", file);
    else replaceFile(file, data, secret ? 0o600 : undefined);
  } catch (error) {
    throw writeFault(file, error);
  }
}

/**
 * Copies an untrusted file to a place of ours, keeping only the executable bit of its mode. `into`: the folder that the
 * copy must really end up in.
 */
export function copyFileTo(
  from: string,
  to: string,
  { into, ...reading }: ReadLimits & { into?: string },
): { status: "copied"; bytes: number } | Unreadable {
  makeFolder(dirname(to), into);
  const fd = openSync(to, "wx", isExecutable(from) ? 0o755 : 0o644);
  try {
    let bytes = 0;
    const read = feedFile(from, reading, (piece) => {
      writeFileSync(fd, piece);
      bytes += piece.length;
    });
    return read.status === "fed" ? { status: "copied", bytes } : read;
  } finally {
    closeSync(fd);
  }
}

/** Never follows a link, and only appends to regular files. */
export function appendFileIn(file: string, text: string, { within }: Pick<Writing, "within"> = {}): void {
  try {
    makeFolder(dirname(file), within);
    const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_WRONLY } = constants;
    const fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666);
    try {
      if (!fstatSync(fd).isFile()) throw fault("ENXIO", file);
      writeFileSync(fd, text);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw writeFault(file, error);
  }
}

export function removeFileIn(file: string, { within }: { within: string }): void {
  const [root, folder] = [realPath(within), realPath(dirname(file))];
  if (root !== undefined && folder !== undefined && isWithin(root, folder))
    rmSync(join(folder, basename(file)), { force: true });
}

/** Atomic: a reader sees the old content or the new, never a part. Keeps the file's mode. */
export function replaceFile(file: string, data: string | Uint8Array, mode = modeOf(file)): void {
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    create(temporary, data, { mode, sync: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Exclusive: fails if anything is there already, even a broken link. */
function create(
  file: string,
  data: string | Uint8Array,
  { mode, sync = false }: { mode?: number | undefined; sync?: boolean } = {},
): void {
  const fd = openSync(file, "wx", mode);
  try {
    writeFileSync(fd, data);
    if (mode !== undefined) fchmodSync(fd, mode);
    if (sync) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function modeOf(file: string): number | undefined {
  return kindAt(file) === "file" ? statSync(file).mode : undefined;
}

/** Every existing folder on the way must really lie inside before anything is created in it. */
function makeFolder(folder: string, within: string | undefined): void {
  if (within !== undefined) {
    let present = resolve(folder);
    while (!isTaken(present) && dirname(present) !== present) present = dirname(present);
    const [root, real] = [realPath(within), realPath(present)];
    const isInside =
      root === undefined ? isWithin(resolve(within), resolve(folder)) : real !== undefined && isWithin(root, real);
    // A root that does not exist yet cannot contain links.
    if (!isInside || !isWithin(resolve(within), resolve(folder))) throw fault("EOUTSIDE", folder);
  }
  mkdirSync(folder, { recursive: true });
}

function fault(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code, path });
}

export function writeFault(file: string, error: unknown): unknown {
  const { code = "", path = file } = error as NodeJS.ErrnoException;
  const known = FAULTS[code];
  if (known === undefined) return error;
  return new UsageError(
    `${file} cannot be written: ${known.why(path)}${code === "EOUTSIDE" ? "" : ` (${code})`}`,
    known.hint,
  );
}

const denied = "Make it writable (chmod u+w on the file and its folder), or choose another folder.";
const blocked = "Choose another folder, or move that file away.";

const FAULTS: Record<string, { why(path: string): string; hint: string }> = {
  EACCES: { why: () => "you have no permission to write there", hint: denied },
  EPERM: { why: () => "you have no permission to write there", hint: denied },
  EROFS: {
    why: () => "its file system is read-only",
    hint: "Choose a folder on another file system, or mount this one for writing.",
  },
  ENOTDIR: { why: () => "there is a file where a folder is needed", hint: blocked },
  EEXIST: { why: (path) => `${path} already exists`, hint: blocked },
  EISDIR: { why: () => "it is not a regular file", hint: "Choose another place, or move away what is there." },
  ENXIO: { why: () => "it is not a regular file", hint: "Choose another place, or move away what is there." },
  ENOSPC: { why: () => "the disk is full", hint: "Free some space, then try again." },
  EDQUOT: { why: () => "your share of the disk is used up", hint: "Free some space, then try again." },
  EFBIG: { why: () => "it is larger than a file can be", hint: "Choose a folder on another file system." },
  EIO: { why: () => "the disk reports a fault", hint: "Choose a folder on another disk." },
  ELOOP: { why: () => "there is a symbolic link in its place", hint: "Remove the link, or choose another folder." },
  EOUTSIDE: {
    why: () => "a link on the way leads out of the folder",
    hint: "Remove the link, or choose another folder.",
  },
};
