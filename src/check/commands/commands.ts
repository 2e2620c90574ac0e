import { type Problem, problemsBy, type Rule } from "../../base/index.ts";
import type { AskedHosts } from "../../hosts/index.ts";
import type { Library } from "../../model/index.ts";
import { pluginCommands } from "./plugin-commands.ts";
import { type OwnCommand, skillCommands } from "./skill-commands.ts";

export const commandRules = {
  "skill/runs-commands": { severity: "warning", title: "The skill or its plugin runs commands unprompted" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(commandRules);

export function lintCommands({ root, skills }: Library, { hosts }: AskedHosts, files: readonly string[]): Problem[] {
  const run = hosts.some(({ agent, lint }) => agent !== undefined && lint.commandsOfSkills !== "inert");
  const ofSkills = run ? skills.filter(({ source }) => source.kind === "skill").flatMap(skillCommands) : [];
  return [...ofSkills, ...pluginCommands(root, files)].map(told);
}

function told({ what, command, location }: OwnCommand): Problem {
  return problem("skill/runs-commands", {
    message: `${capital(what)} runs on the machine of whoever installs this, without being asked to: ${quoted(command)}`,
    fix: "Nothing, if that is intended. Before you install it, read what it does.",
    location,
  });
}

const MOST_SHOWN = 160;

function quoted(command: string): string {
  const line = command
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "\ufffd");
  return `"${line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN - 1)}…` : line}"`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
