import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";
import { globSync } from "tinyglobby";

/** Parses every source file below a folder of the checkout `root`; `file` is relative to `root`. */
export function readSources(root, folder) {
  const files = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).sort();
  return files.map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const { program, module, comments, errors } = parseSync(file, text);
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
    return { file, text, program, module, comments };
  });
}

/** Calls `see` with every node of the tree, parents first. */
export function visit(node, see, parent) {
  if (typeof node.type === "string") see(node, parent);
  for (const value of Object.values(node)) {
    if (typeof value !== "object" || value === null || value instanceof RegExp) continue;
    visit(value, see, Array.isArray(node) ? parent : node);
  }
}

/** The line, counted from 1, that an offset falls on. */
export function lineAt(text, offset) {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
