import { join } from "node:path";
import { removeFileIn, UsageError, writeFileIn } from "../../../base/index.ts";

interface HomeFile {
  path: string;
  content: string;
}

/**
 * Writes files into a trial's HOME, readable by the owner only. Returns what is in the way: in a conversation the
 * examinee may have left links there.
 */
export function putHomeFiles(home: string, files: readonly HomeFile[]): string | undefined {
  try {
    for (const { path, content } of files) writeFileIn(join(home, path), content, { within: home, secret: true });
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

export function removeHomeFiles(home: string, files: readonly HomeFile[]): void {
  for (const { path } of files) removeFileIn(join(home, path), { within: home });
}
