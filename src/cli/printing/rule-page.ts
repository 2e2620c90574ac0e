import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export function pageText(page: string): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, page);
    if (existsSync(join(folder, "package.json"))) return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }
  return undefined;
}
