import { resolve } from "node:path";
import { didYouMean, kindAt, type Problem, problemsBy, type Rule, relativePosix } from "../../base/index.ts";
import { fieldTypeRules, lintMarketplaceFields } from "./field-types.ts";
import { lintEntryHooks } from "./hooks.ts";
import { ignoredInMarketplace } from "./ignored-fields.ts";
import type { JsonFile, JsonValue } from "./json-file.ts";
import { lintName, lintReserved } from "./names.ts";
import { lintForms, PATHS } from "./paths.ts";
import { manifestRules, sourceOf } from "./plugin-manifest.ts";
import { isAnthropics, type PluginScene } from "./plugin-scene.ts";
import { lintOwnServers } from "./servers.ts";

export const marketplaceRules = {
  "plugin/source": { severity: "error", title: "A marketplace entry leads nowhere" },
  "plugin/stray": { severity: "warning", title: "A marketplace does not list the plugin at its root" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy({ ...manifestRules, ...fieldTypeRules, ...marketplaceRules });

export function lintMarketplaces(scene: PluginScene): Problem[] {
  const { claude, codex } = scene.marketplaces;
  return [
    ...(claude === undefined
      ? []
      : [...lintOne(claude, scene), ...lintClaude(claude, scene), ...lintStray(claude, scene)]),
    ...(codex === undefined ? [] : lintOne(codex, scene)),
    ...(claude === undefined || codex === undefined ? [] : lintBoth(claude, codex, scene)),
  ];
}

function lintOne({ root: market }: JsonFile, scene: PluginScene): Problem[] {
  const plugins = market.get("plugins");
  const entries = (plugins?.items() ?? []).filter(({ isObject }) => isObject);
  const problems = lintName(market.get("name"), market, "marketplace");
  if (plugins !== undefined && Array.isArray(plugins.value) && plugins.value.length === 0)
    problems.push(
      problem("plugin/marketplace", {
        severity: "warning",
        message: "The marketplace lists no plugins.",
        fix: 'Add `plugins: [{ "name": …, "source": "./plugins/…" }]`.',
        location: plugins.at,
      }),
    );
  const seen = new Set<unknown>();
  for (const entry of entries) {
    const name = entry.get("name");
    problems.push(...lintName(name, entry, "plugin"), ...lintFolder(entry, market, scene), ...lintEntry(entry, scene));
    if (name !== undefined && seen.has(name.value))
      problems.push(
        problem("plugin/marketplace", {
          message: `The marketplace lists "${String(name.value)}" twice; only one can be installed.`,
          fix: "Delete one of the two, or rename it.",
          location: name.at,
        }),
      );
    seen.add(name?.value);
  }
  return problems;
}

function lintClaude({ root: market }: JsonFile, scene: PluginScene): Problem[] {
  const entries = (market.get("plugins")?.items() ?? []).filter(({ isObject }) => isObject);
  const described = market.get("description") ?? market.get("metadata")?.get("description");
  const silent = problem("plugin/metadata", {
    message: "The marketplace has no description, so users are not told what it offers.",
    fix: "Add `description`.",
    location: market.at,
  });
  return [
    ...lintMarketplaceFields(market),
    ...ignoredInMarketplace(market),
    ...(described === undefined ? [silent] : []),
    ...entries.flatMap((entry) => [
      ...lintKind(entry.get("source")),
      ...lintOwnServers(entry, "marketplace"),
      ...lintEntryHooks(entry),
      ...PATHS.flatMap((key) => lintForms(key, entry.get(key))),
      // A plugin with a manifest of this name in the repository is reported there.
      ...(isAnthropics(scene) || manifestOf(entry, scene)?.root.get("name")?.value === entry.get("name")?.value
        ? []
        : lintReserved(entry.get("name"))),
    ]),
  ];
}

function lintStray({ root: market }: JsonFile, { root, plugins }: PluginScene): Problem[] {
  const own = plugins.find(({ home }) => home === root)?.claude;
  const entries = market.get("plugins")?.items() ?? [];
  if (own === undefined || entries.some((entry) => sourceOf(entry, root) === root)) return [];
  return [
    problem("plugin/stray", {
      message:
        "This repository is a marketplace that does not list the plugin at its own root: nobody can install it, and hosts may treat the whole repository as the plugin.",
      fix: 'Delete this file, or list the plugin with `"source": "./"`.',
      location: own.root.at,
    }),
  ];
}

function lintFolder(entry: JsonValue, market: JsonValue, { root }: PluginScene): Problem[] {
  const source = entry.get("source");
  const say = (message: string, fix: string) => [
    problem("plugin/source", { message, fix, location: (source ?? entry).at }),
  ];
  if (source === undefined)
    return say("This entry has no source, so nothing can be installed from it.", 'Add `"source": "./plugins/…"`.');
  const path = source.get("path")?.value ?? source.value;
  // Sources such as github, url and npm are not in this repository.
  if (typeof path !== "string" || ["repo", "url", "package"].some((key) => source.get(key) !== undefined)) return [];
  if (path.split("/").includes(".."))
    return say(
      `"${path}" has ".." in it: sources are paths below the folder that holds .claude-plugin/.`,
      'Write a path below that folder, without "..".',
    );
  const base = market.get("metadata")?.get("pluginRoot")?.value;
  if (!path.startsWith("./") && path !== "." && typeof base !== "string")
    return say(
      `"${path}" does not start with "./". Claude Code refuses the marketplace.`,
      path.startsWith("/") ? 'Write a path below the marketplace, such as "./plugins/name".' : `Write "./${path}".`,
    );
  const places = [resolve(root, path), ...(typeof base === "string" ? [resolve(root, base, path)] : [])];
  if (places.some((place) => kindAt(place, root) === "folder")) return [];
  return say(`There is no folder ${path}: the plugin cannot be installed.`, "Correct the path, or delete the entry.");
}

const KINDS: Record<string, string[]> = {
  github: ["repo"],
  url: ["url"],
  "git-subdir": ["url", "path"],
  npm: ["package"],
};

function lintKind(source: JsonValue | undefined): Problem[] {
  if (source === undefined || typeof source.value === "string") return [];
  const say = (message: string, fix: string, { at }: JsonValue) => [
    problem("plugin/source", { message: `${message} Claude Code refuses the marketplace.`, fix, location: at }),
  ];
  const forms =
    'Write a path such as "./plugins/name", or an object such as { "source": "github", "repo": "owner/name" }.';
  if (!source.isObject) return say("source must be a path or an object.", forms, source);
  const kind = source.get("source");
  const needs = KINDS[String(kind?.value)];
  if (kind === undefined) return say("The source does not say of which kind it is.", forms, source);
  if (needs === undefined)
    return say(
      `There is no kind of source ${JSON.stringify(kind.value)}.`,
      ["local", "directory", "file"].includes(String(kind.value))
        ? 'Write the path itself: "source": "./plugins/name".'
        : didYouMean(String(kind.value), Object.keys(KINDS), "The kinds are github, url, git-subdir and npm.", {
            most: 1,
          }),
      kind,
    );
  const missing = needs.find((key) => typeof source.get(key)?.value !== "string");
  if (missing !== undefined)
    return say(
      `A source of kind ${String(kind.value)} needs ${missing}.`,
      `Add \`${missing}\`.`,
      source.get(missing) ?? source,
    );
  const sha = source.get("sha");
  if (sha === undefined || /^[0-9a-f]{40}$/.test(String(sha.value))) return [];
  return say("sha must be the whole name of a commit: 40 digits and letters from a to f.", "Write all 40.", sha);
}

function lintEntry(entry: JsonValue, scene: PluginScene): Problem[] {
  const manifest = manifestOf(entry, scene);
  if (manifest === undefined) return [];
  const where = relativePosix(scene.root, manifest.file);
  const differs = (
    key: string,
    message: (said: string, own: string) => string,
    fix: (own: string) => string,
  ): Problem[] => {
    const [said, own] = [entry.get(key)?.value, manifest.root.get(key)?.value];
    if (typeof said !== "string" || typeof own !== "string" || said === own) return [];
    const location = entry.get(key)?.at ?? entry.at;
    return [problem("plugin/manifests-differ", { message: message(said, own), fix: fix(own), location })];
  };
  return [
    ...differs(
      "name",
      (said, own) => `The plugin is installed as "${said}", the name here, and calls itself "${own}" in ${where}.`,
      () => "Write the same name in both.",
    ),
    ...differs(
      "version",
      (said, own) => `The version is "${said}" here and "${own}" in ${where}, which is the one that counts.`,
      (own) => `Write "${own}".`,
    ),
  ];
}

function manifestOf(entry: JsonValue, { root, plugins }: PluginScene): JsonFile | undefined {
  const home = sourceOf(entry, root);
  const plugin = plugins.find((one) => one.home === home);
  return plugin?.claude ?? plugin?.codex;
}

function lintBoth(claude: JsonFile, codex: JsonFile, { root }: PluginScene): Problem[] {
  const namesOf = ({ root: market }: JsonFile) =>
    new Set((market.get("plugins")?.items() ?? []).map((entry) => String(entry.get("name")?.value)));
  const [ours, theirs] = [namesOf(claude), namesOf(codex)];
  const only = (a: Set<string>, b: Set<string>, { file }: JsonFile) => {
    const names = [...a].filter((name) => !b.has(name));
    return names.length === 0 ? [] : [`${names.join(", ")} only in ${relativePosix(root, file)}`];
  };
  const parts = [...only(ours, theirs, claude), ...only(theirs, ours, codex)];
  if (parts.length === 0) return [];
  return [
    problem("plugin/manifests-differ", {
      message: `The marketplaces of Claude Code and Codex list different plugins: ${parts.join("; ")}.`,
      fix: "List the same plugins in both.",
      location: (codex.root.get("plugins") ?? codex.root).at,
    }),
  ];
}
