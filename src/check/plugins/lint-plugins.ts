import { basename, dirname, join } from "node:path";
import { type Problem, relativePosix } from "../../base/index.ts";
import { isTestData } from "../../exam/find/index.ts";
import type { AskedHosts } from "../../hosts/index.ts";
import type { Library } from "../../model/index.ts";
import { lintAgents } from "./agents.ts";
import { lintHooks } from "./hooks.ts";
import { type JsonFile, readJsonFile } from "./json-file.ts";
import { lintMarketplaces } from "./marketplaces.ts";
import { lintManifest, lintTogether, sourceOf } from "./plugin-manifest.ts";
import { lintServerFiles } from "./servers.ts";

/** A plugin's folder with its manifests: Claude Code's and Codex's lie side by side. */
export interface PluginFolder {
  home: string;
  claude?: JsonFile;
  codex?: JsonFile;
}

/** What else the lint looks at. */
export interface PluginScene {
  root: string;
  files: ReadonlySet<string>;
  plugins: PluginFolder[];
  marketplaces: { claude?: JsonFile; codex?: JsonFile };
}

/** What the hosts of plugins would refuse, skip or ignore without a word: manifests, marketplaces, hooks and agents. */
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

/** That nobody can install it is all there is to say of it. */
function isStray({ home }: PluginFolder, { root, marketplaces: { claude } }: PluginScene): boolean {
  const entries = claude?.root.get("plugins")?.items() ?? [];
  return home === root && claude !== undefined && !entries.some((entry) => sourceOf(entry, root) === root);
}

function sceneOf(root: string, files: readonly string[]): PluginScene {
  const plugins = new Map<string, PluginFolder>();
  for (const file of files) {
    const kind = /[\\/]\.(claude|codex)-plugin[\\/]plugin\.json$/.exec(file)?.[1] as "claude" | "codex" | undefined;
    const read = kind === undefined ? undefined : readJsonFile(file);
    if (kind === undefined || read === undefined) continue;
    const home = dirname(dirname(file));
    plugins.set(home, { ...(plugins.get(home) ?? { home }), [kind]: read });
  }
  const market = (path: string) => {
    const file = join(root, path);
    return files.includes(file) ? readJsonFile(file) : undefined;
  };
  return {
    root,
    files: new Set(files),
    plugins: [...plugins.values()],
    marketplaces: {
      claude: market(".claude-plugin/marketplace.json"),
      codex: market(".agents/plugins/marketplace.json"),
    },
  };
}

/** How a plugin is called in a message. */
export function pluginName({ home, claude, codex }: PluginFolder): string {
  const name = (claude ?? codex)?.root.get("name")?.value;
  return typeof name === "string" && name !== "" ? name : basename(home);
}

/** Names like claude-… are theirs. */
export function isAnthropics({ marketplaces: { claude } }: PluginScene): boolean {
  return /^Anthropic$/i.test(String(claude?.root.get("owner")?.get("name")?.value));
}
