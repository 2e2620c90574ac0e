import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The caller removes the folder; if the process exits before that, it is removed on exit. */
export function temporaryFolder(prefix: string): { path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  if (open.size === 0) process.on("exit", removeAll);
  open.add(path);
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true });
      open.delete(path);
      if (open.size === 0) process.off("exit", removeAll);
    },
  };
}

const open = new Set<string>();

function removeAll(): void {
  for (const path of open) rmSync(path, { recursive: true, force: true });
}
