import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { extname } from "node:path";

/**
 * Fingerprint of a command's file, if its version does not identify it: a script (a wrapper, say), or whatever a
 * defined agent starts. Files from a package manager change only with their version.
 */
export async function commandPrint(path: string, defined: boolean): Promise<string | undefined> {
  const file = await realpath(path);
  if (file.split(/[\\/]/).includes("node_modules")) return undefined;
  try {
    return defined || (await isScript(file)) ? await hashOf(file) : undefined;
  } catch {
    // What may be run may still not be read.
    return undefined;
  }
}

async function isScript(file: string): Promise<boolean> {
  if ([".cmd", ".bat", ".ps1"].includes(extname(file).toLowerCase())) return true;
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString("latin1") === "#!";
  } finally {
    await handle.close();
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex").slice(0, 16);
}
