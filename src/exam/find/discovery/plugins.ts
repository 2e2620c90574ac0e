import { basename, dirname, relative, resolve, sep } from "node:path";
import { lineIndex, nestedTooDeep, type Problem, readText, relativePosix } from "../../../base/index.ts";
import { jsonFault } from "../reading/json-fault.ts";
import { problem } from "../rules.ts";
import { isTestData } from "./test-data.ts";

export interface Plugins {
  of(dir: string): string | undefined;
  problems: Problem[];
}

/**
 * Finds the plugin a skill belongs to: the one a marketplace lists it for, otherwise the nearest manifest above it,
 * otherwise its path (`plugins/<plugin>/skills/…`).
 */
export function findPlugins(root: string, files: readonly string[]): Plugins {
  const problems: Problem[] = [];
  const bySkill = new Map<string, string>();
  const byFolder = new Map<string, string>();

  for (const file of files) {
    const kind = manifestKind(file);
    if (kind === undefined) continue;
    const manifest = readJson(file, isTestData(relativePosix(root, file)) ? [] : problems);
    if (manifest === undefined) continue;
    const home = homeOf(file);
    if (kind === "plugin") setOnce(byFolder, home, text(manifest["name"]) ?? basename(home));
    else addMarketplace(manifest, home, { bySkill, byFolder });
  }

  const above = (dir: string) => (byFolder.size === 0 ? undefined : fromFolders(dir, root, byFolder));
  const of = (dir: string) => bySkill.get(dir) ?? above(dir) ?? fromLayout(dir, root);
  return { of, problems };
}

/** A plain `plugin.json` beside a `skills` folder does not count: the name is too common. */
function manifestKind(file: string): "plugin" | "marketplace" | undefined {
  const match =
    /[\\/]\.(?:claude-plugin|codex-plugin|cursor-plugin|plugin|github[\\/]plugin)[\\/](plugin|marketplace)\.json$/.exec(
      file,
    );
  return match ? (match[1] as "plugin" | "marketplace") : undefined;
}

function homeOf(file: string): string {
  const folder = dirname(dirname(file));
  return basename(folder) === ".github" ? dirname(folder) : folder;
}

function addMarketplace(
  manifest: Record<string, unknown>,
  home: string,
  { bySkill, byFolder }: Record<"bySkill" | "byFolder", Map<string, string>>,
) {
  const metadata = manifest["metadata"];
  const base = isObject(metadata) ? (text(metadata["pluginRoot"]) ?? ".") : ".";
  for (const entry of array(manifest["plugins"])) {
    if (!isObject(entry)) continue;
    const name = text(entry["name"]);
    if (name === undefined) continue;
    const source = text(entry["source"]);
    const folder = source === undefined ? undefined : resolve(home, source.startsWith(".") ? "." : base, source);
    for (const skill of array(entry["skills"])) {
      if (typeof skill === "string") setOnce(bySkill, resolve(folder ?? home, skill), name);
    }
    if (folder !== undefined && folder !== home) setOnce(byFolder, folder, name);
  }
}

function fromFolders(dir: string, root: string, byFolder: ReadonlyMap<string, string>): string | undefined {
  for (let folder = dir; ; folder = dirname(folder)) {
    const name = byFolder.get(folder);
    if (name !== undefined) return name;
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

function fromLayout(dir: string, root: string): string | undefined {
  const parts = relative(root, dir).split(sep);
  const at = parts.findIndex((part) => /(^|[_-])plugins$/.test(part));
  return at !== -1 && at + 2 < parts.length ? parts[at + 1] : undefined;
}

function readJson(file: string, problems: Problem[]): Record<string, unknown> | undefined {
  const read = readText(file);
  const failed = (message: string, offset?: number) => {
    problems.push(
      problem("skill/plugin-manifest", {
        message: `The manifest cannot be read: ${message}. Hosts refuse it; here, its skills are assigned to plugins by their folders.`,
        fix: "Correct the JSON: an object in { }, names and texts in double quotes, no comments, no comma before a closing bracket.",
        location: { file, ...(offset !== undefined && read.status === "text" && lineIndex(read.text)(offset)) },
      }),
    );
    return undefined;
  };
  if (read.status === "unreadable") return failed(read.message);
  // A space replaces the byte order mark to keep offsets unchanged.
  const text = read.bom ? ` ${read.text.slice(1)}` : read.text;
  if (nestedTooDeep(text)) return failed("it is nested too deeply");
  const fault = jsonFault(text);
  if (fault !== undefined) return failed(fault.message, fault.offset);
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : failed("it is not an object", 0);
}

function setOnce(map: Map<string, string>, key: string, value: string): void {
  if (!map.has(key)) map.set(key, value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function array(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
