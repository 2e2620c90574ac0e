import { resolve } from "node:path";
import { UsageError } from "../problems/usage-error.ts";
import type { Config } from "./config.ts";
import { type Kind, parseText } from "./kinds.ts";
import { refuseRemovedVariable } from "./removed.ts";
import type { RunSettings } from "./resolve.ts";
import { allOptions, variableOf } from "./table.ts";

export function readEnvironment(
  env: NodeJS.ProcessEnv,
  cwd: string,
): { config: Partial<Config>; environment: RunSettings } {
  refuseMisspelt(env);
  const config: Record<string, unknown> = {};
  const environment: Record<string, unknown> = {};
  for (const option of allOptions) {
    const variable = variableOf(option);
    const text = variable === undefined ? undefined : env[variable];
    if (variable === undefined || text === undefined || text === "") continue;
    const value = valueIn({ kind: option.kind, variable, text, cwd });
    const key = option.config?.split(".")[0];
    if (key !== undefined && (option.alone || key === option.config)) config[key] = value;
    else environment[option.name] = value;
  }
  return { config, environment };
}

/** Catches PROCTOR_GATE for PROCTOR_GATES: an ignored gate would let everything pass. */
function refuseMisspelt(env: NodeJS.ProcessEnv): void {
  const bare = (name: string) => name.replaceAll("_", "").replace(/S$/, "");
  const known = allOptions.flatMap((option) => variableOf(option) ?? []);
  for (const name of Object.keys(env)) {
    if (!name.startsWith("PROCTOR_") || !env[name] || known.includes(name)) continue;
    refuseRemovedVariable(name);
    const meant = known.find((one) => bare(one) === bare(name));
    if (meant !== undefined) throw new UsageError(`${name} is not a variable of Proctor.`, `Did you mean ${meant}?`);
  }
}

function valueIn({ kind, variable, text, cwd }: { kind: Kind; variable: string; text: string; cwd: string }): unknown {
  const parsed = parseText(kind, text);
  if ("problem" in parsed) throw new UsageError(`${variable}=${text} is not valid. ${parsed.problem}`);
  return kind.type === "folders" ? (parsed.value as string[]).map((folder) => resolve(cwd, folder)) : parsed.value;
}
