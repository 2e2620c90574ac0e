import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { isSafeSegment, sha256, UsageError } from "../../base/index.ts";

/** Files sent together, named by a hash of their content. */
export interface BundleRef {
  hash: string;
  /** Uncompressed size of all files and their list. */
  bytes: number;
}

export interface BundleFile {
  path: string;
  data: Uint8Array;
  executable: boolean;
}

/** A limit, because a bundle passes through Redis and to every worker. */
export const MOST_BYTES = 256 * 1024 * 1024;

/** Deterministic: the same files give the same bundle in any order. */
export async function packBundle(files: readonly BundleFile[]): Promise<{ ref: BundleRef; packed: Buffer }> {
  const whole = wholeOf(files);
  if (whole.length > MOST_BYTES)
    throw new UsageError(
      `The library and the files of its questions come to ${Math.round(whole.length / 1024 ** 2)} MB, and at most ${MOST_BYTES / 1024 ** 2} MB are sent to workers.`,
      "Move what does not belong to a skill out of the skills' folders, or split the run with --shard.",
    );
  return { ref: refOf(whole), packed: await promisify(gzip)(whole) };
}

export function bundleRef(files: readonly BundleFile[]): BundleRef {
  return refOf(wholeOf(files));
}

function wholeOf(files: readonly BundleFile[]): Buffer {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const list = sorted.map(({ path, data, executable }): ListedFile => [path, data.length, executable ? 1 : 0]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(list)}\n`), ...sorted.map(({ data }) => data)]);
}

function refOf(whole: Uint8Array): BundleRef {
  return { hash: sha256(whole), bytes: whole.length };
}

/** Throws unless the bundle matches its hash. */
export async function openBundle(packed: Uint8Array, { hash, bytes }: BundleRef): Promise<BundleFile[]> {
  const whole = await promisify(gunzip)(packed, { maxOutputLength: Math.min(bytes, MOST_BYTES) + 1 }).catch(() =>
    Buffer.alloc(0),
  );
  if (whole.length !== bytes || sha256(whole) !== hash) throw new Error("the bundle is not the one that was announced");
  return filesIn(whole);
}

function filesIn(whole: Buffer): BundleFile[] {
  const end = whole.indexOf(10);
  const files: BundleFile[] = [];
  const seen = new Set<string>();
  let at = end + 1;
  for (const [path, size, executable] of listIn(whole.subarray(0, Math.max(0, end)).toString())) {
    if (!isInside(path) || seen.has(path))
      throw new Error(`the bundle has a file with an invalid path: ${JSON.stringify(path)}`);
    if (!Number.isSafeInteger(size) || size < 0 || at + size > whole.length)
      throw new Error("the bundle is incomplete");
    seen.add(path);
    files.push({ path, data: whole.subarray(at, at + size), executable: executable === 1 });
    at += size;
  }
  if (at !== whole.length) throw new Error("the bundle is incomplete");
  return files;
}

function listIn(text: string): ListedFile[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every(Array.isArray)) return list as ListedFile[];
  } catch {
    // Reported below.
  }
  throw new Error("the bundle has no list of its files");
}

type ListedFile = [path: string, size: number, executable: 0 | 1];

/** True for a relative path that never leaves its folder. */
function isInside(path: unknown): path is string {
  if (typeof path !== "string" || path.includes("\\") || path.includes("\0")) return false;
  const isPart =
    process.platform === "win32" ? isSafeSegment : (name: string) => name !== "" && name !== "." && name !== "..";
  return path.split("/").every(isPart);
}
