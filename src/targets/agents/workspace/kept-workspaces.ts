import { dirname, join } from "node:path";

const folders: string[] = [];

export function keepFolder(folder: string): void {
  folders.push(folder);
}

export function keptWorkspaces(): { count: number; path: string } | undefined {
  const kept = folders.splice(0);
  const [first] = kept;
  if (first === undefined) return undefined;
  // Their names end with six letters of their own.
  return {
    count: kept.length,
    path: kept.length === 1 ? first : join(dirname(first), `${first.slice(dirname(first).length + 1, -6)}*`),
  };
}
