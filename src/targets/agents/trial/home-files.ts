import { join } from "node:path";
import { removeFileIn, UsageError, writeFileIn } from "../../../base/index.ts";

/** A file of the CLI's own, relative to its HOME. */
interface HomeFile {
  path: string;
  content: string;
}

/**
 * Puts files into a trial's HOME, for its owner's eyes only. In a conversation the examinee has been there before, and may have left links:
 * what keeps a file from its place is returned.
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

/** What logs the user in is not for keeping, also where the folders are kept for a look. */
export function removeHomeFiles(home: string, files: readonly HomeFile[]): void {
  for (const { path } of files) removeFileIn(join(home, path), { within: home });
}
