import { basename, dirname, join } from "node:path";
import { type JsonFile, readJsonFile } from "./json-file.ts";

export interface PluginFolder {
  home: string;
  claude?: JsonFile;
  codex?: JsonFile;
}

export interface PluginScene {
  root: string;
  files: ReadonlySet<string>;
  plugins: PluginFolder[];
  marketplaces: { claude?: JsonFile; codex?: JsonFile };
}

export function sceneOf(root: string, files: readonly string[]): PluginScene {
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

export function pluginName({ home, claude, codex }: PluginFolder): string {
  const name = (claude ?? codex)?.root.get("name")?.value;
  return typeof name === "string" && name !== "" ? name : basename(home);
}

/** Anthropic's own marketplace may use names such as claude-…. */
export function isAnthropics({ marketplaces: { claude } }: PluginScene): boolean {
  return /^Anthropic$/i.test(String(claude?.root.get("owner")?.get("name")?.value));
}
