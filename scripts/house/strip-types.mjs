// A module loader for TypeScript. Coverage of a bundle would not tell which file a function came from.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";

export async function load(url, context, next) {
  if (!url.startsWith("file:") || !url.endsWith(".ts") || url.includes("/node_modules/")) return next(url, context);
  const file = fileURLToPath(url);
  return { format: "module", source: transformSync(file, readFileSync(file, "utf8")).code, shortCircuit: true };
}
