import { dirname, extname, join, relative, resolve } from "node:path";
import type { Document } from "yaml";
import { relativePosix } from "../files/paths.ts";
import { readText } from "../files/read-text.ts";
import { isTaken, kindAt } from "../files/untrusted.ts";
import { noteText, rejectionsOf } from "../problems/config-words.ts";
import { UsageError } from "../problems/usage-error.ts";
import { withoutStacks } from "../problems/without-stacks.ts";
import { yamlFault } from "../problems/yaml-fault.ts";
import { firstLine } from "../text/lines.ts";
import { nestedTooDeep } from "../text/nesting.ts";
import type { Config } from "./config.ts";
import { defineConfig } from "./define-config.ts";
import { readEnvironment } from "./environment.ts";
import { refuseRemovedKey } from "./removed.ts";
import type { Configured } from "./resolve.ts";

const CONFIG_FILES = ["ts", "js", "mjs", "yaml", "yml", "json"].map((extension) => `proctor.config.${extension}`);

const FIX = "Fix the file, or choose another one with --config.";

export interface LoadedConfig extends Configured {
  file?: string;
  /** The base of relative paths in it: the file's folder, else the working directory. */
  root: string;
}

/**
 * Loads the configuration of the working directory: `proctor.config.*` from here up to the root of the git repository,
 * or the named file, then PROCTOR_* variables. It may be code, so folders that are merely examined are never searched.
 */
export async function loadConfig(where: {
  cwd: string;
  file?: string;
  env?: NodeJS.ProcessEnv;
}): Promise<LoadedConfig> {
  const file = where.file === undefined ? findConfig(where.cwd) : namedConfig(where.cwd, where.file);
  const fromFile = file === undefined ? {} : await parseConfig(file, await readConfig(file), where.cwd);
  const { config, environment } = readEnvironment(where.env ?? process.env, where.cwd);
  return {
    config: { ...fromFile, ...config },
    environment,
    file,
    root: file === undefined ? where.cwd : dirname(file),
  };
}

export async function checkConfig(given: Config): Promise<Config> {
  const { configSchema } = await loadSchema();
  return configSchema.parse(given);
}

function findConfig(cwd: string): string | undefined {
  for (const folder of upToRepository(cwd)) {
    const found = CONFIG_FILES.map((name) => join(folder, name)).filter((file) => isTaken(file));
    if (found.length > 1) {
      throw new UsageError(
        `two configurations in ${folder}: ${found.map((file) => relative(folder, file)).join(" and ")}`,
        "Keep one of them.",
      );
    }
    if (found[0] !== undefined) return found[0];
  }
  return undefined;
}

/** Outside a repository only the working directory counts: its parents may belong to others. */
function upToRepository(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(folder);
    if (isTaken(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) return [resolve(cwd)];
  }
}

function namedConfig(cwd: string, name: string): string {
  const file = resolve(cwd, name);
  if (kindAt(file) === "missing")
    throw new UsageError(`there is no configuration ${name}`, `It was looked for from ${cwd}.`);
  return file;
}

interface Raw {
  value: unknown;
  lineOf?(path: readonly PropertyKey[]): number | undefined;
}

async function readConfig(file: string): Promise<Raw> {
  switch (extname(file)) {
    case ".yaml":
    case ".yml":
      return readYaml(file);
    case ".json":
      return readJson(file);
    default:
      return { value: await importConfig(file) };
  }
}

async function readYaml(file: string): Promise<Raw> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const text = shallow(file, textOf(file));
  const document = unlessTooDeep(file, () =>
    withoutStacks(() => parseDocument(text, { lineCounter: lines, logLevel: "silent", prettyErrors: false })),
  );
  const [error] = document.errors;
  if (error !== undefined) {
    const { message, at } = yamlFault(text, error, document.contents);
    throw new UsageError(`${shown(file)}:${lines.linePos(at).line} is not valid YAML: ${message}.`, FIX);
  }
  return {
    value: plainValue(document, file),
    lineOf: (path) => {
      const node = document.getIn(path as string[], true) as { range?: [number, number, number] } | undefined;
      return node?.range === undefined ? undefined : lines.linePos(node.range[0]).line;
    },
  };
}

/** Parsers recurse: a text nested thousands of levels deep would overflow the stack. */
function shallow(file: string, text: string): string {
  if (nestedTooDeep(text)) throw tooDeep(file);
  return text;
}

/** Catches what `shallow` cannot see: `a : : : :`. */
function unlessTooDeep<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(file) : error;
  }
}

function tooDeep(file: string): UsageError {
  return new UsageError(`${shown(file)} is nested too deeply to be a configuration.`, FIX);
}

/** Resolves aliases; the package throws if one is unknown or there are too many. */
function plainValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new UsageError(
      `${shown(file)} is not valid YAML: ${firstLine(error instanceof Error ? error.message : String(error))}.`,
      FIX,
    );
  }
}

async function readJson(file: string): Promise<Raw> {
  const { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } = await import("jsonc-parser");
  const text = shallow(file, textOf(file));
  const errors: { error: number; offset: number }[] = [];
  const tree = parseTree(text, errors as never, { allowTrailingComma: true });
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const [error] = errors;
  if (error !== undefined)
    throw new UsageError(
      `${shown(file)}:${lineAt(error.offset)} is not valid JSON: ${words(printParseErrorCode(error.error))}.`,
      FIX,
    );
  return {
    value: tree === undefined ? undefined : getNodeValue(tree),
    lineOf: (path) => {
      const node = tree === undefined ? undefined : findNodeAtLocation(tree, path as string[]);
      return node === undefined ? undefined : lineAt(node.offset);
    },
  };
}

function textOf(file: string): string {
  const read = readText(file);
  if (read.status === "text") return read.bom ? read.text.slice(1) : read.text;
  throw new UsageError(`${shown(file)} cannot be read as a configuration: ${read.message}.`, FIX);
}

async function importConfig(file: string): Promise<unknown> {
  // Importing anything but a regular file would hang.
  const text = textOf(file);
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url, { virtualModules: await ownModules(text) });
  try {
    return await jiti.import(file, { default: true });
  } catch (error) {
    throw new UsageError(
      `${shown(file)} could not be loaded: ${firstLine(error instanceof Error ? error.message : String(error))}`,
    );
  }
}

async function ownModules(text: string): Promise<Record<string, Record<string, unknown>>> {
  const same = (definition: unknown) => definition;
  const proctor = { defineConfig, defineGrader: same, defineReporter: same, defineTarget: same };
  return text.includes("zod") ? { proctor, zod: { ...(await import("zod")) } } : { proctor };
}

/** The schema loads zod, which help and version do without. */
const loadSchema = () => import("./config.ts");

async function parseConfig(file: string, raw: Raw, cwd: string): Promise<Config> {
  const { configSchema } = await loadSchema();
  const given = raw.value ?? {};
  const parsed = configSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  // `!`: a rejected value has at least one fault.
  const note = rejectionsOf(given, configSchema)[0]!;
  const path = note.key === undefined ? note.path : [...note.path, note.key];
  const line = raw.lineOf?.(path) ?? (path.length > 1 ? raw.lineOf?.(path.slice(0, -1)) : undefined);
  const place = `${relativePosix(cwd, file)}${line === undefined ? "" : `:${line}`}`;
  if (path.length === 1) refuseRemovedKey(String(note.key), place);
  throw new UsageError(
    `${place}: ${sentence(path.length === 0 ? `the configuration: ${note.message}` : noteText(note))}`,
  );
}

function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

function shown(file: string): string {
  return relativePosix(process.cwd(), file) || file;
}

function words(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}
