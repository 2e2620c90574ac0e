import { resolve } from "node:path";
import { isWithin, type Problem, problemsBy, type Rule, relativePosix } from "../../base/index.ts";
import { lintPluginFields } from "./field-types.ts";
import { ignoredInPlugin } from "./ignored-fields.ts";
import type { JsonFile, JsonValue } from "./json-file.ts";
import { lintName, lintReserved } from "./names.ts";
import { lintPaths, PATHS, type PathOwner } from "./paths.ts";
import { isAnthropics, type PluginFolder, type PluginScene, pluginName } from "./plugin-scene.ts";
import { lintOwnServers } from "./servers.ts";

export const manifestRules = {
  "plugin/version": { severity: "warning", title: "A plugin's version is not a version" },
  "plugin/manifests-differ": { severity: "warning", title: "The manifests of two hosts disagree" },
  "plugin/metadata": { severity: "info", title: "A plugin or marketplace does not describe itself" },
  "plugin/ships-nothing": { severity: "warning", title: "A plugin ships nothing" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(manifestRules);

export function lintManifest({ file, root }: JsonFile, { home }: PluginFolder, scene: PluginScene): Problem[] {
  const isClaude = /[\\/]\.claude-plugin[\\/]/.test(file);
  const owner: PathOwner = { home, host: isClaude ? "Claude Code" : "Codex", scene };
  return [
    ...lintName(root.get("name"), root, "plugin"),
    ...(isClaude
      ? [...lintPluginFields(root), ...lintOwnServers(root), ...ignoredInPlugin(root), ...lintMetadata(root)]
      : []),
    ...(isClaude && !isAnthropics(scene) ? lintReserved(root.get("name")) : []),
    ...lintVersion(root.get("version")),
    ...PATHS.flatMap((key) => lintPaths(key, root.get(key), owner)),
    ...["themes", "monitors"].flatMap((key) =>
      lintPaths(`experimental.${key}`, root.get("experimental")?.get(key), owner),
    ),
  ];
}

function lintMetadata(root: JsonValue): Problem[] {
  return ["version", "description", "author"]
    .filter((key) => root.get(key) === undefined || root.get(key)?.value === "")
    .map((key) =>
      problem("plugin/metadata", {
        message: `The manifest has no ${key}, so users are not told ${TOLD[key]}.`,
        fix: `Add \`${key}\`.`,
        location: (root.get(key) ?? root).at,
      }),
    );
}

const TOLD: Record<string, string> = {
  version: "whether there is a newer one",
  description: "what the plugin is for",
  author: "who made it",
};

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

export function isForCodex({ home }: PluginFolder, { root, plugins, marketplaces }: PluginScene): boolean {
  const listed = marketplaces.codex?.root.get("plugins")?.items() ?? [];
  return plugins.some(({ codex }) => codex !== undefined) || listed.some((entry) => sourceOf(entry, root) === home);
}

/** Undefined if the entry names no path, such as for a GitHub source. */
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

function lintVersion(version: JsonValue | undefined): Problem[] {
  if (version === undefined || typeof version.value !== "string" || version.value === "" || SEMVER.test(version.value))
    return [];
  return [
    problem("plugin/version", {
      message: `"${version.value}" is not a version of the form 1.2.3, so hosts cannot tell which of two is newer.`,
      fix: "Write three numbers with dots between them.",
      location: version.at,
    }),
  ];
}

const SEMVER = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

function shown(value: unknown): string {
  return JSON.stringify(value) ?? "missing";
}
