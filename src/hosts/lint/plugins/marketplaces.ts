import { kindAt, type Problem, relativePosix } from "../../../base/index.ts";
import { problem } from "../problem.ts";
import type { JsonFile, JsonValue } from "./json-file.ts";
import type { PluginScene } from "./lint-plugins.ts";
import { lintName, sourceOf } from "./plugin-manifest.ts";

/** marketplace.json of Claude Code and of Codex: what neither can install, and where the two say different things. */
export function lintMarketplaces(scene: PluginScene): Problem[] {
  const { claude, codex } = scene.marketplaces;
  return [
    ...(claude === undefined ? [] : [...lintOne(claude, scene), ...lintOwner(claude), ...lintStray(claude, scene)]),
    ...(codex === undefined ? [] : lintOne(codex, scene)),
    ...(claude === undefined || codex === undefined ? [] : lintBoth(claude, codex, scene)),
  ];
}

function lintOne({ root: market }: JsonFile, scene: PluginScene): Problem[] {
  const plugins = market.get("plugins");
  const entries = plugins?.items() ?? [];
  const problems = lintName(market.get("name"), market, "marketplace");
  if (entries.length === 0)
    problems.push(
      problem("plugin/marketplace", {
        message: "The marketplace lists no plugins.",
        fix: 'Add `plugins: [{ "name": …, "source": "./plugins/…" }]`.',
        location: (plugins ?? market).at,
      }),
    );
  const base = market.get("metadata")?.get("pluginRoot")?.value;
  const seen = new Set<unknown>();
  for (const entry of entries) {
    const name = entry.get("name");
    problems.push(...lintName(name, entry, "plugin"), ...lintSource(entry, typeof base === "string", scene), ...lintEntry(entry, scene));
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

function lintOwner({ root }: JsonFile): Problem[] {
  const owner = root.get("owner");
  const name = owner?.get("name")?.value;
  if (typeof name === "string" && name.trim() !== "") return [];
  return [
    problem("plugin/marketplace", {
      message: "owner.name is missing. Claude Code refuses the marketplace.",
      fix: 'Add `"owner": { "name": … }`.',
      location: (owner ?? root).at,
    }),
  ];
}

/** A plugin at the root of a marketplace is its own only where the marketplace lists it. */
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

function lintSource(entry: JsonValue, hasBase: boolean, { root }: PluginScene): Problem[] {
  const source = entry.get("source");
  const say = (message: string, fix: string) => [problem("plugin/source", { message, fix, location: (source ?? entry).at })];
  if (source === undefined) return say("This entry has no source, so nothing can be installed from it.", 'Add `"source": "./plugins/…"`.');
  const path = source.get("path")?.value ?? source.value;
  // github, url, npm and the like lie elsewhere.
  if (typeof path !== "string" || source.get("repo") !== undefined || source.get("url") !== undefined || hasBase) return [];
  if (path.split("/").includes(".."))
    return say(
      `"${path}" leads out of the marketplace: sources are relative to the folder that holds .claude-plugin/.`,
      "Write a path below that folder.",
    );
  if (!path.startsWith("./")) return say(`"${path}" does not start with "./". Claude Code refuses the marketplace.`, `Write "./${path}".`);
  if (kindAt(sourceOf(entry, root) ?? "", root) === "folder") return [];
  return say(`There is no folder ${path}: the plugin cannot be installed.`, "Correct the path, or delete the entry.");
}

/** What an entry says of a plugin that says it itself. */
function lintEntry(entry: JsonValue, { root, plugins }: PluginScene): Problem[] {
  const home = sourceOf(entry, root);
  const plugin = plugins.find((one) => one.home === home);
  const manifest = plugin?.claude ?? plugin?.codex;
  if (manifest === undefined) return [];
  return ["name", "version"].flatMap((key): Problem[] => {
    const [said, own] = [entry.get(key), manifest.root.get(key)];
    if (said === undefined || own === undefined || said.value === own.value) return [];
    return [
      problem("plugin/manifests-differ", {
        message: `The ${key} is ${JSON.stringify(said.value)} here and ${JSON.stringify(own.value)} in ${relativePosix(root, manifest.file)}, which is the one that counts.`,
        fix: `Write ${JSON.stringify(own.value)}.`,
        location: said.at,
      }),
    ];
  });
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
