// Writes the JSON Schemas of the files people edit into schemas/, from the zod types. A test keeps them current.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { configSchema } from "../src/base/options/config.ts";
import { evalsSchema, triggersSchema } from "../src/formats/schema.ts";

const schemas: { name: string; title: string; schema: z.ZodType }[] = [
  { name: "triggers", title: "Proctor triggers", schema: triggersSchema },
  { name: "evals", title: "Proctor evals", schema: evalsSchema },
  { name: "config", title: "Proctor configuration", schema: configSchema },
];

/** The files of schemas/, by name. */
export function schemaFiles(): Record<string, string> {
  return Object.fromEntries(
    schemas.map(({ name, title, schema }) => {
      const { $schema, ...rest } = z.toJSONSchema(schema, {
        io: "input",
        reused: "inline",
        // What only code can hold has no place in a file.
        unrepresentable: "any",
        override: ({ zodSchema, jsonSchema }) => {
          if (name === "triggers" && jsonSchema.additionalProperties === false)
            jsonSchema.patternProperties = { "^(?:[$_]|x-)": {} };
          if (zodSchema._zod.def.type === "custom") Object.assign(jsonSchema, { not: {} });
        },
      });
      return [`${name}.schema.json`, `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`];
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync("schemas", { recursive: true });
  for (const [file, text] of Object.entries(schemaFiles())) writeFileSync(`schemas/${file}`, text);
}
