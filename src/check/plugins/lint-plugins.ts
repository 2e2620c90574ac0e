import { type Problem, relativePosix } from "../../base/index.ts";
import { isTestData } from "../../exam/find/index.ts";
import type { AskedHosts } from "../../hosts/index.ts";
import type { Library } from "../../model/index.ts";
import { lintAgents } from "./agents.ts";
import { lintHooks } from "./hooks.ts";
import { lintMarketplaces } from "./marketplaces.ts";
import { lintManifest, lintTogether, sourceOf } from "./plugin-manifest.ts";
import { type PluginFolder, type PluginScene, sceneOf } from "./plugin-scene.ts";
import { lintServerFiles } from "./servers.ts";

export function lintPlugins({ root }: Library, { hosts }: AskedHosts, files: readonly string[]): Problem[] {
  if (!hosts.some(({ id }) => id === "claude" || id === "codex" || id === "copilot")) return [];
  const isShipped = (file: string) => {
    const path = relativePosix(root, file);
    return !isTestData(path) && !/(^|\/)(evals?|tests?|__tests__|examples?|templates?|docs)\//.test(path);
  };
  const scene = sceneOf(root, files.filter(isShipped));
  return [
    ...lintMarketplaces(scene),
    ...scene.plugins.flatMap((plugin) => [
      ...[plugin.claude, plugin.codex].flatMap((file) => (file === undefined ? [] : lintManifest(file, plugin, scene))),
      ...(isStray(plugin, scene) ? [] : lintTogether(plugin, scene)),
      ...lintHooks(plugin, scene),
      ...lintServerFiles(plugin, scene),
      ...lintAgents(plugin, scene),
    ]),
  ];
}

/** A plugin that cannot be installed is reported only as such. */
function isStray({ home }: PluginFolder, { root, marketplaces: { claude } }: PluginScene): boolean {
  const entries = claude?.root.get("plugins")?.items() ?? [];
  return home === root && claude !== undefined && !entries.some((entry) => sourceOf(entry, root) === root);
}
