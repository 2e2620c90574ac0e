import { z } from "zod";
import { type Problem, problemsBy, type Rule } from "../../base/index.ts";
import type { JsonValue } from "./json-file.ts";

export const fieldTypeRules = {
  "plugin/field-type": { severity: "error", title: "A field of a plugin's manifest has the wrong type" },
  "plugin/marketplace": { severity: "error", title: "A marketplace cannot be used" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(fieldTypeRules);

/** Checks types as Claude Code does. Names, paths, sources, hooks and servers have files of their own. */
export function lintPluginFields(manifest: JsonValue): Problem[] {
  return [...misfits(manifest, z.object(ofPlugin), { refused: "manifest" }), ...lintCommandsIn(manifest, "manifest")];
}

export function lintMarketplaceFields(market: JsonValue): Problem[] {
  const entries = (market.get("plugins")?.items() ?? []).filter(({ isObject }) => isObject);
  return [
    ...misfits(market, z.object(ofMarketplace), { refused: "marketplace" }).map((one) => ({
      ...one,
      code: "plugin/marketplace",
    })),
    ...entries.flatMap((entry) => [
      ...misfits(entry, z.object(ofEntry), { refused: "marketplace" }),
      ...lintCommandsIn(entry, "marketplace"),
    ]),
  ];
}

/** Not a union, which would hide what is wrong with a single command. */
function lintCommandsIn(owner: JsonValue, refused: string): Problem[] {
  const commands = owner.get("commands");
  return commands?.isObject ? misfits(commands, z.record(z.string(), command), { refused, under: "commands" }) : [];
}

/** Every message completes "… must be". */
const text = z.string("a string");
const texts = z.array(text, "a list of strings");
const flag = z.boolean("true or false");
const object = z.record(z.string(), z.unknown(), "an object");
const person = z.object(
  { name: text.min(1, "a name that is not empty"), email: text.optional(), url: text.optional() },
  'an object with a name, such as { "name": "Me" }',
);
const paths = z.union([z.string(), z.array(z.string())], 'a path such as "./name", or a list of paths');
const pathsOr = (what: string) =>
  z.union(
    [z.string(), object, z.array(z.union([z.string(), object]))],
    `a path such as "./name", ${what}, or a list of these`,
  );
const command = z
  .object(
    { source: text.optional(), content: text.optional(), description: text.optional() },
    "an object with source or content",
  )
  .refine(
    ({ source, content }) => (source === undefined) !== (content === undefined),
    "an object with either source or content",
  );
const setting = z.object(
  {
    type: z.enum(
      ["string", "number", "boolean", "directory", "file"],
      '"string", "number", "boolean", "directory" or "file"',
    ),
    title: text,
    description: text,
  },
  "an object with type, title and description",
);
const dependency = z.union([z.string(), z.object({ name: z.string() })], "a plugin's name, or an object with its name");

const ofPlugin = {
  displayName: text.optional(),
  version: text.optional(),
  description: text.optional(),
  author: person.optional(),
  homepage: z.url("a URL, such as https://example.com").optional(),
  repository: text.optional(),
  license: text.optional(),
  keywords: texts.optional(),
  commands: z
    .union(
      [z.string(), z.array(z.string()), object],
      'a path such as "./name", a list of paths, or an object of commands',
    )
    .optional(),
  agents: paths.optional(),
  skills: paths.optional(),
  outputStyles: paths.optional(),
  workflows: paths.optional(),
  themes: paths.optional(),
  hooks: pathsOr("an object of events").optional(),
  mcpServers: pathsOr("an object of servers").optional(),
  lspServers: pathsOr("an object of servers").optional(),
  monitors: z.union([z.string(), z.array(object)], "a path, or a list of monitors").optional(),
  userConfig: z.record(z.string(), setting, "an object of settings").optional(),
  dependencies: z.array(dependency, "a list of plugins' names").optional(),
  settings: object.optional(),
  channels: z.array(object, "a list of objects").optional(),
  defaultEnabled: flag.optional(),
};
const ofEntry = { ...ofPlugin, category: text.optional(), tags: texts.optional(), strict: flag.optional() };
const ofMarketplace = {
  description: text.optional(),
  owner: person,
  plugins: z.array(z.record(z.string(), z.unknown(), "an object with a name and a source"), "a list of plugins"),
  metadata: z
    .object({ description: text.optional(), version: text.optional(), pluginRoot: text.optional() }, "an object")
    .optional(),
};

const ofBoth = [...Object.keys(ofPlugin), "name", "experimental", "types", "engines", "$schema"];
export const pluginKeys = [...ofBoth, "icon", "privacyPolicy", "privacyPolicyUrl", "bugs"];
export const entryKeys = [...ofBoth, "category", "tags", "strict", "source", "relevance"];
// biome-ignore format: a list of words
export const marketplaceKeys = [...Object.keys(ofMarketplace), "name", "version", "$schema", "renames", "allowCrossMarketplaceDependenciesOn", "forceRemoveDeletedPlugins"];

function misfits(
  root: JsonValue,
  schema: z.ZodType,
  { refused, under = "" }: { refused: string; under?: string },
): Problem[] {
  const { error } = schema.safeParse(root.value);
  return (error?.issues ?? []).map(({ path, message }) => {
    const found = follow(root, path);
    const name = [under, ...path.map(String)].filter((part) => part !== "").join(".");
    return problem("plugin/field-type", {
      message: `${name} ${found.missing ? "is missing" : `must be ${message}`}. Claude Code refuses the ${refused}.`,
      fix: found.missing ? `Add ${name}: ${message}.` : `Write ${message}.`,
      location: found.value.at,
    });
  });
}

function follow(root: JsonValue, path: readonly PropertyKey[]): { value: JsonValue; missing: boolean } {
  let value = root;
  for (const key of path) {
    const next = typeof key === "number" ? value.items()[key] : value.get(String(key));
    if (next === undefined) return { value, missing: true };
    value = next;
  }
  return { value, missing: false };
}
