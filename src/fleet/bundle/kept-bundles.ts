import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, readBytes, writeFileIn } from "../../base/index.ts";
import { type BundleFile, type BundleRef, bundleRef, openBundle } from "./bundle.ts";

/** Bundles unused for this long are removed. */
const OLD_MS = 14 * 24 * 3_600_000;

/** Where a machine keeps bundles, each in a folder named by its hash. */
export function bundleFolder(env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), "bundles");
}

/**
 * Returns the folder of a bundle. A kept bundle is verified file by file; a missing one is fetched, verified and
 * unpacked.
 */
export async function keptBundle(folder: string, ref: BundleRef, fetch: () => Promise<Uint8Array>): Promise<string> {
  // The hash names a folder that is removed if damaged.
  if (!/^[0-9a-f]{64}$/.test(ref.hash)) throw new Error("the bundle's name is not valid");
  const dir = join(folder, ref.hash);
  if (isWhole(dir, ref)) {
    utimesSync(dir, new Date(), new Date());
    return dir;
  }
  const files = await openBundle(await fetch(), ref);
  const beside = `${dir}.${randomUUID()}`;
  writeFileIn(join(beside, LIST), JSON.stringify(files.map(({ path, executable }) => [path, executable])), {
    fresh: true,
  });
  for (const { path, data, executable } of files)
    writeFileIn(join(beside, "content", ...path.split("/")), data, {
      fresh: true,
      executable,
      within: join(beside, "content"),
    });
  try {
    renameSync(beside, dir);
  } catch {
    // The folder is damaged, or another worker on this machine was faster and may be using it.
    if (!isWhole(dir, ref)) {
      rmSync(dir, { recursive: true, force: true });
      renameSync(beside, dir);
    } else rmSync(beside, { recursive: true, force: true });
  }
  return dir;
}

export function contentOf(dir: string): string {
  return join(dir, "content");
}

export function removeOldBundles(folder: string, now = Date.now()): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const dir = join(folder, name);
    // Another worker may have removed or renamed it since.
    const found = statSync(dir, { throwIfNoEntry: false });
    if (found !== undefined && now - found.mtimeMs > OLD_MS) rmSync(dir, { recursive: true, force: true });
  }
}

const LIST = "list.json";

function isWhole(dir: string, { hash }: BundleRef): boolean {
  const list = readBytes(join(dir, LIST), { mostBytes: 64 * 1024 * 1024 });
  if (list.status !== "bytes") return false;
  const listed = listOf(list.bytes);
  if (listed === undefined) return false;
  const files: BundleFile[] = [];
  for (const [path, executable] of listed) {
    const read = readBytes(join(contentOf(dir), path), { within: dir, mostBytes: 512 * 1024 * 1024 });
    if (read.status !== "bytes") return false;
    files.push({ path, data: read.bytes, executable });
  }
  return bundleRef(files).hash === hash;
}

/** Undefined if damaged; the bundle is then fetched again. */
function listOf(bytes: Buffer): [path: string, executable: boolean][] | undefined {
  try {
    const list: unknown = JSON.parse(bytes.toString());
    const isEntry = (entry: unknown) =>
      Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "boolean";
    return Array.isArray(list) && list.every(isEntry) ? list : undefined;
  } catch {
    return undefined;
  }
}
