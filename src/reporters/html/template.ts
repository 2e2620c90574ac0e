import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../../base/index.ts";

/** The page without data: dist/page.html, built from viewer/. */
export function pageTemplate(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    return readFileSync(join(folder, "dist", "page.html"), "utf8");
  } catch {
    throw new UsageError(
      "The page's template is missing from this installation.",
      "In a checkout, npm run build makes it; otherwise install Proctor again.",
    );
  }
}
