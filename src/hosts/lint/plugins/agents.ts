import { isWithin, type Problem, readText } from "../../../base/index.ts";
import { problem } from "../problem.ts";
import type { PluginFolder, PluginScene } from "./lint-plugins.ts";

/** agents/*.md of a plugin: without a description, nobody is told when to use one. */
export function lintAgents({ home, claude }: PluginFolder, { files }: PluginScene): Problem[] {
  if (claude === undefined) return [];
  const agents = [...files].filter(
    (file) => isWithin(home, file) && /^agents[\\/](?!README\.md$)[^\\/]+\.md$/i.test(file.slice(home.length + 1)),
  );
  return agents.flatMap((file): Problem[] => {
    const read = readText(file);
    if (read.status === "unreadable") return [];
    const header = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(read.text)?.[1];
    const say = (message: string, fix: string) => [problem("plugin/agent", { message, fix, location: { file, line: 1, column: 1 } })];
    if (header === undefined)
      return say(
        "This agent has no frontmatter, so Claude is told nothing about it.",
        "Begin the file with ---, name, description and ---.",
      );
    if (/^description[ \t]*:[ \t]*(?:\S|\r?\n[ \t]+\S)/m.test(header)) return [];
    return say("This agent has no description, so Claude is not told when to use it.", "Add `description:` with what it is for.");
  });
}
