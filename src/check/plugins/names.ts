import { type Problem, problemsBy, type Rule } from "../../base/index.ts";
import type { JsonValue } from "./json-file.ts";

export const pluginNameRules = {
  "plugin/name": { severity: "error", title: "A plugin or marketplace has no usable name" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(pluginNameRules);

export function lintName(name: JsonValue | undefined, owner: JsonValue, what: "plugin" | "marketplace"): Problem[] {
  const fix = `Give the ${what} a name in lower case with dashes, such as my-${what}.`;
  const say = (message: string, severity?: "warning") => [
    problem("plugin/name", { severity, message, fix, location: (name ?? owner).at }),
  ];
  if (name === undefined || name.value === "") return say(`The ${what} has no name, so it cannot be installed.`);
  if (typeof name.value !== "string") return say(`name must be a string. Claude Code refuses the ${what}.`);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name.value))
    return say(
      `"${name.value}" cannot be a ${what}'s name: letters, digits, ".", "_" and "-" are allowed, and a letter or digit comes first. Claude Code refuses it.`,
    );
  if (what === "marketplace" && ["inline", "builtin"].includes(name.value))
    return say(`Claude Code reserves "${name.value}" and refuses a marketplace of this name.`);
  const plain = name.value.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  if (/official(?:anthropic|claude)|(?:anthropic|claude)official/.test(plain))
    return say(`"${name.value}" passes for one of Anthropic's own, and Claude Code's validator refuses it.`);
  if (what === "marketplace" || /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name.value)) return [];
  return say(`"${name.value}" is not in lower case with dashes, as plugin directories expect.`, "warning");
}

export function lintReserved(name: JsonValue | undefined): Problem[] {
  if (name === undefined || !/^(?:claude|anthropics?|cc-plugin)(?:-|$)/.test(String(name.value))) return [];
  return [
    problem("plugin/name", {
      severity: "warning",
      message: `"${String(name.value)}" reads as one of Anthropic's own plugins: claude plugin validate refuses it, and so does the plugin directory.`,
      fix: "Name the plugin for what it does, if it is not Anthropic's.",
      location: name.at,
    }),
  ];
}
