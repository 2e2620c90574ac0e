import { dirname, resolve } from "node:path";
import { readText } from "../../base/index.ts";
import type { GraderSpec } from "../../model/index.ts";

/**
 * Replaces the names of schema files by their content, once before anything is asked, so that all trials are graded
 * alike. A file that is unusable or outside the root stays a name, and the grader reports it.
 */
export function inlineSchemas(graders: readonly GraderSpec[], suiteFile: string, root: string): GraderSpec[] {
  return graders.map((spec) => {
    const config =
      spec.type === "json_schema" ? (spec.config as { value?: unknown; schema_file?: unknown } | null) : undefined;
    const name = config?.value ?? config?.schema_file;
    if (config === undefined || typeof name !== "string") return spec;
    const read = readText(resolve(dirname(suiteFile), name), { within: root });
    const value = read.status === "text" ? parsed(read.text) : undefined;
    return value === undefined ? spec : { ...spec, config: { ...without(config, "schema_file"), value } };
  });
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function without(config: object | null, member: string): object {
  return Object.fromEntries(Object.entries(config ?? {}).filter(([name]) => name !== member));
}
