import { join, resolve } from "node:path";
import { didYouMean, isWithin, kindAt, type Problem, relativePosix } from "../../../base/index.ts";
import { problem } from "../problem.ts";
import type { JsonFile, JsonValue } from "./json-file.ts";
import { type PluginFolder, type PluginScene, pluginName } from "./lint-plugins.ts";

/** One plugin.json, as Claude Code and Codex read it. */
export function lintManifest({ file, root }: JsonFile, { home }: PluginFolder, scene: PluginScene): Problem[] {
  const isClaude = /[\\/]\.claude-plugin[\\/]/.test(file);
  return [
    ...lintName(root.get("name"), root, "plugin"),
    ...TEXTS.flatMap((key) => wrongType(root.get(key), key, "a text", (value) => typeof value === "string")),
    ...wrongType(root.get("keywords"), "keywords", "a list of words", Array.isArray),
    ...lintAuthor(root.get("author")),
    ...lintVersion(root.get("version")),
    ...PATHS.flatMap((key) => lintPaths(key, root.get(key), home, scene)),
    ...(isClaude ? unknownFields(root) : []),
  ];
}

/** The same plugin for two hosts, and whether it ships anything. */
export function lintTogether(plugin: PluginFolder, scene: PluginScene): Problem[] {
  const { claude, codex } = plugin;
  const problems: Problem[] = [];
  const disagree = (key: string) => {
    const [a, b] = [claude?.root.get(key), codex?.root.get(key)];
    if (claude === undefined || b === undefined || a === undefined || a.value === b.value) return;
    problems.push(
      problem("plugin/manifests-differ", {
        message: `The ${key} is ${shown(b.value)} here and ${shown(a.value)} in ${relativePosix(scene.root, claude.file)}: users of the two hosts get different plugins, or the same under two names.`,
        fix: `Write the same ${key} into both.`,
        location: b.at,
      }),
    );
  };
  disagree("name");
  disagree("version");
  if (claude !== undefined && codex === undefined && isForCodex(plugin, scene))
    problems.push(
      problem("plugin/manifests-differ", {
        message: `${pluginName(plugin)} has no .codex-plugin/plugin.json, although this repository offers plugins to Codex, so it cannot be installed there.`,
        fix: "Add .codex-plugin/plugin.json with the same name and version, or take it out of .agents/plugins/marketplace.json.",
        location: claude.root.at,
      }),
    );
  const manifest = claude ?? codex;
  if (manifest !== undefined && shipsNothing(plugin, scene))
    problems.push(
      problem("plugin/ships-nothing", {
        message: `${pluginName(plugin)} ships no skill, command, agent, hook or server: whoever installs it gets nothing.`,
        fix: "Add skills/<name>/SKILL.md, or name the folder of its skills in `skills`.",
        location: manifest.root.at,
      }),
    );
  return problems;
}

/** Codex's marketplace lists it, or another plugin here is made for Codex. */
export function isForCodex({ home }: PluginFolder, { root, plugins, marketplaces }: PluginScene): boolean {
  const listed = marketplaces.codex?.root.get("plugins")?.items() ?? [];
  return plugins.some(({ codex }) => codex !== undefined) || listed.some((entry) => sourceOf(entry, root) === home);
}

/** The folder that a marketplace's entry names; undefined for what lies elsewhere. */
export function sourceOf(entry: JsonValue, root: string): string | undefined {
  const source = entry.get("source");
  const path = source?.get("path")?.value ?? source?.value;
  return typeof path === "string" ? resolve(root, path) : undefined;
}

function shipsNothing({ home, claude, codex }: PluginFolder, { files }: PluginScene): boolean {
  const declared = PATHS.some((key) => [claude, codex].some((file) => file?.root.get(key) !== undefined));
  const shipped =
    /^(?:skills[\\/].*SKILL\.md|SKILL\.md|(?:commands|agents)[\\/].*\.md|hooks[\\/].*|\.mcp\.json|\.lsp\.json|output-styles[\\/].*)$/i;
  const inside = [...files].filter((file) => isWithin(home, file)).map((file) => file.slice(home.length + 1));
  return !declared && !inside.some((path) => shipped.test(path));
}

const TEXTS = ["displayName", "description", "homepage", "repository", "license", "version"];
const PATHS = ["commands", "agents", "skills", "hooks", "mcpServers", "lspServers", "outputStyles"];
// biome-ignore format: a list of words
const KNOWN = new Set([
  ...TEXTS, ...PATHS, "name", "author", "keywords", "monitors", "settings", "userConfig", "experimental", "dependencies", "themes", "icon", "channels", "defaultEnabled", "workflows",
  "types", "privacyPolicy", "privacyPolicyUrl", "engines", "$schema",
]);
const OF_THE_MARKETPLACE = ["category", "tags", "strict", "source"];

/** Each part of `plugin@marketplace`. */
export function lintName(name: JsonValue | undefined, owner: JsonValue, what: "plugin" | "marketplace"): Problem[] {
  const fix = `Give the ${what} a name in lower case with dashes, such as my-${what}.`;
  if (name === undefined || typeof name.value !== "string" || name.value.trim() === "")
    return [problem("plugin/name", { message: `The ${what} has no name, so it cannot be installed.`, fix, location: (name ?? owner).at })];
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name.value))
    return [
      problem("plugin/name", {
        message: `"${name.value}" cannot be a ${what}'s name: letters, digits, ".", "_" and "-" are allowed, and a letter or digit comes first. Claude Code refuses it.`,
        fix,
        location: name.at,
      }),
    ];
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name.value)) return [];
  return [
    problem("plugin/name", {
      severity: "warning",
      message: `"${name.value}" is not in lower case with dashes, as plugin directories expect.`,
      fix,
      location: name.at,
    }),
  ];
}

function lintAuthor(author: JsonValue | undefined): Problem[] {
  if (author === undefined || (typeof author.value === "object" && typeof author.get("name")?.value === "string")) return [];
  return [
    problem("plugin/field-type", {
      message: "author is an object with a name. Claude Code refuses the manifest.",
      fix: `Write { "name": ${JSON.stringify(typeof author.value === "string" ? author.value : "…")} }.`,
      location: author.at,
    }),
  ];
}

function wrongType(value: JsonValue | undefined, key: string, wanted: string, fits: (value: unknown) => boolean): Problem[] {
  if (value === undefined || fits(value.value)) return [];
  return [
    problem("plugin/field-type", {
      message: `${key} is ${wanted}. Claude Code refuses the manifest.`,
      fix: `Write ${key} as ${wanted}.`,
      location: value.at,
    }),
  ];
}

function lintVersion(version: JsonValue | undefined): Problem[] {
  if (version === undefined || typeof version.value !== "string" || SEMVER.test(version.value)) return [];
  return [
    problem("plugin/version", {
      message: `"${version.value}" is not a version of the form 1.2.3, so hosts cannot tell which of two is newer.`,
      fix: "Write three numbers with dots between them.",
      location: version.at,
    }),
  ];
}

const SEMVER = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

function lintPaths(key: string, value: JsonValue | undefined, home: string, scene: PluginScene): Problem[] {
  if (value === undefined) return [];
  const named = [value, ...value.items()].filter((one) => typeof one.value === "string");
  return named.flatMap((one): Problem[] => {
    const path = String(one.value);
    if (/^https?:/.test(path)) return [];
    const file = join(home, path);
    if (!path.startsWith("./") && !/\.(?:mcpb|dxt)$/.test(path))
      return [
        problem("plugin/path", {
          message: `${key}: "${path}" does not start with "./". Claude Code refuses the manifest.`,
          fix: `Write "./${path.replace(/^[./\\]+/, "")}".`,
          location: one.at,
        }),
      ];
    if (!isWithin(home, file))
      return [
        problem("plugin/path", {
          message: `${key}: "${path}" leads out of the plugin, and only the plugin's folder is installed.`,
          fix: "Move it into the plugin.",
          location: one.at,
        }),
      ];
    if (scene.files.has(file) || kindAt(file, scene.root) !== "missing") return [];
    const silent =
      key === "mcpServers" || key === "lspServers"
        ? "its servers are skipped silently"
        : "the plugin is reported as broken when it is loaded";
    return [
      problem("plugin/path", {
        message: `${key}: there is no ${path} in the plugin, and ${silent}.`,
        fix: "Correct the path, or add what it names.",
        location: one.at,
      }),
    ];
  });
}

function unknownFields(root: JsonValue): Problem[] {
  return root
    .entries()
    .filter(({ key }) => !KNOWN.has(key))
    .map(({ key, at }) =>
      problem("plugin/ignored-field", {
        message: OF_THE_MARKETPLACE.includes(key)
          ? `"${key}" belongs in the marketplace's entry; here Claude Code ignores it.`
          : `Claude Code has no field "${key}" and ignores it.`,
        fix: OF_THE_MARKETPLACE.includes(key) ? "Move it to marketplace.json." : didYouMean(key, KNOWN, "Delete it.", { most: 1 }),
        location: at,
      }),
    );
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? "missing";
}
