import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes a folder even if folders in it are read-only (as Go leaves its modules). Never throws; returns false if
 * something is left.
 */
export async function removeTree(path: string): Promise<boolean> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
    return true;
  } catch {
    return removeTreeSync(path);
  }
}

export function removeTreeSync(path: string): boolean {
  try {
    openFolders(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 2 });
    return true;
  } catch {
    return false;
  }
}

function openFolders(path: string): void {
  const open = [path];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    try {
      if (!lstatSync(folder).isDirectory()) continue;
      chmodSync(folder, 0o700);
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) open.push(join(folder, entry.name));
    } catch {
      // Another user's, or gone meanwhile.
    }
  }
}
