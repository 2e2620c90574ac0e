import { readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { glob } from "tinyglobby";
import { relativePosix, sha256, toPosix, UsageError } from "../../../base/index.ts";

type Resolve = (name: string, from: string) => string | undefined;

/**
 * A file and all local files it imports, transitively. A package in node_modules counts as its package.json, which has
 * the version. Imports in comments are included, which does no harm.
 */
export async function importedFiles(file: string, resolve: Resolve): Promise<string[]> {
  const found = new Set([file]);
  for (const path of found) {
    if (inPackage(path) || !/\.[cm]?[jt]sx?$/.test(path)) continue;
    const text = await readFile(path, "utf8").catch(() => "");
    for (const [, name = ""] of text.matchAll(IMPORT)) {
      const imported = resolvedFile(name, path, resolve);
      if (imported !== undefined) found.add(imported);
    }
  }
  return [...found];
}

export async function filePrints(
  dir: string,
  files: readonly string[],
  globs: readonly string[],
): Promise<Record<string, string>> {
  const sources = await Promise.all(globs.map((pattern) => sourcesOf(dir, pattern)));
  const paths = [...new Set([...files, ...sources.flat()])].sort();
  const prints = await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(path).catch(() => undefined);
      return content === undefined ? [] : [[relativePosix(dir, path), sha256(content).slice(0, 16)] as const];
    }),
  );
  return Object.fromEntries(prints.flat());
}

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`]([^"'`\n]+)["'`]/g;

function resolvedFile(name: string, importer: string, resolve: Resolve): string | undefined {
  if (name === "proctor" || name.startsWith("node:") || builtinModules.includes(name)) return undefined;
  try {
    const url = resolve(name, pathToFileURL(importer).href);
    const path = url?.startsWith("file:") ? fileURLToPath(url) : undefined;
    return path !== undefined && inPackage(path) ? manifestOf(path) : path;
  } catch {
    return undefined;
  }
}

function inPackage(path: string): boolean {
  return path.split(/[\\/]/).includes("node_modules");
}

function manifestOf(path: string): string {
  const parts = path.split(sep);
  const at = parts.lastIndexOf("node_modules");
  const depth = parts[at + 1]?.startsWith("@") ? 3 : 2;
  return join(parts.slice(0, at + depth).join(sep), "package.json");
}

async function sourcesOf(dir: string, pattern: string): Promise<string[]> {
  const found = await glob(pattern, { cwd: dir, absolute: true, dot: true });
  if (found.length === 0)
    throw new UsageError(
      `sources: there is no file ${pattern} in ${toPosix(dir)}.`,
      "Name the files that make the agent what it is, or leave it out.",
    );
  return found.map((path) => join(path));
}
