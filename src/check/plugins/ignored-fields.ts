import { didYouMean, type Problem, problemsBy, type Rule } from "../../base/index.ts";
import { entryKeys, marketplaceKeys, pluginKeys } from "./field-types.ts";
import type { JsonValue } from "./json-file.ts";

export const ignoredFieldRules = {
  "plugin/ignored-field": { severity: "warning", title: "A field of a plugin's manifest has no effect" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(ignoredFieldRules);

export function ignoredInPlugin(root: JsonValue): Problem[] {
  return [...unknown(root, pluginKeys, OF_THE_MARKETPLACE), ...notObjects(root), ...experimental(root)];
}

export function ignoredInMarketplace(root: JsonValue): Problem[] {
  const entries = root.get("plugins")?.items() ?? [];
  return [...unknown(root, marketplaceKeys), ...entries.flatMap((entry) => unknown(entry, entryKeys))];
}

const OF_THE_MARKETPLACE = ["category", "tags", "strict", "source", "relevance"];

function unknown(root: JsonValue, known: readonly string[], elsewhere: readonly string[] = []): Problem[] {
  return root
    .entries()
    .filter(({ key }) => !known.includes(key))
    .map(({ key, at }) =>
      problem("plugin/ignored-field", {
        message: elsewhere.includes(key)
          ? `"${key}" belongs in the marketplace's entry; here Claude Code ignores it.`
          : `Claude Code has no field "${key}" and ignores it.`,
        fix: elsewhere.includes(key)
          ? "Move it to marketplace.json."
          : didYouMean(key, known, "Delete it.", { most: 1 }),
        location: at,
      }),
    );
}

function notObjects(root: JsonValue): Problem[] {
  return ["engines", "experimental"].flatMap((key) => {
    const value = root.get(key);
    if (value === undefined || value.isObject) return [];
    return [
      problem("plugin/ignored-field", {
        message: `${key} must be an object; Claude Code ignores it.`,
        fix: "Write an object.",
        location: value.at,
      }),
    ];
  });
}

function experimental(root: JsonValue): Problem[] {
  return root
    .entries()
    .filter(({ key }) => key === "themes" || key === "monitors")
    .map(({ key, at }) =>
      problem("plugin/ignored-field", {
        message: `"${key}" belongs under "experimental": Claude Code still reads it here, and says that it will stop.`,
        fix: `Write "experimental": { "${key}": … }.`,
        location: at,
      }),
    );
}
