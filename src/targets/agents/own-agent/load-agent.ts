import { dirname, resolve } from "node:path";
import { UsageError } from "../../../base/index.ts";
import { agentHosts } from "../../../hosts/index.ts";
import { defineAgent } from "./define-agent.ts";
import type { DefinedAgent } from "./definition.ts";
import { placeIn, shortPath } from "./definition-fault.ts";
import { filePrints, importedFiles } from "./imported-files.ts";

export interface LoadedAgent {
  adapter: DefinedAgent;
  files: Record<string, string>;
}

/** Loads the file afresh, whatever this process loaded before. `from "proctor"` is this very Proctor. */
export async function loadAgent(file: string, shown: string): Promise<LoadedAgent> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url, {
    moduleCache: false,
    fsCache: false,
    interopDefault: false,
    virtualModules: { proctor: { defineAgent } },
  });
  const imported = await importedFiles(file, (name, from) => jiti.esmResolve(name, { parentURL: from, try: true }));
  // Node keeps JSON that was required.
  for (const path of imported) delete jiti.cache[path];
  const adapter = agentIn(await evaluate(jiti, file, shown), shown);
  const dir = dirname(file);
  const command = /[\\/]/.test(adapter.command) ? resolve(dir, adapter.command) : adapter.command;
  return { adapter: { ...adapter, command }, files: await filePrints(dir, imported, adapter.sources) };
}

async function evaluate(jiti: import("jiti").Jiti, file: string, shown: string): Promise<unknown> {
  try {
    // Loaded so, no module of the file's own comes from Node's cache, which never forgets.
    return jiti(file);
  } catch (error) {
    if (!(error instanceof SyntaxError && /\bawait\b/.test(error.message))) throw loadFault(error, shown);
  }
  return jiti.import(file).catch((error: unknown) => {
    throw loadFault(error, shown);
  });
}

function agentIn(module: unknown, shown: string): DefinedAgent {
  const members = typeof module === "object" && module !== null ? (module as Record<string, unknown>) : {};
  const agents = [...new Set([members["default"], module, ...Object.values(members)])].filter(isAgent);
  const [agent] = agents;
  if (agent === undefined) {
    const plain = [members["default"], module].some(
      (value) => typeof value === "object" && value !== null && "skillsDir" in value,
    );
    throw new UsageError(
      plain ? `${shown} exports a bare definition.` : `${shown} exports no agent.`,
      plain
        ? "Export it like this: export default defineAgent({ … })"
        : 'Export one: import { defineAgent } from "proctor"; export default defineAgent({ … })',
    );
  }
  if (agents.length > 1 && agent !== members["default"])
    throw new UsageError(
      `${shown} exports ${agents.length} agents, and none as its default.`,
      "Export one of them as default; the others go into their own files.",
    );
  if (agentHosts.some((host) => host.agent.id === agent.id))
    throw new UsageError(
      `${shown} defines an agent with the name of one that Proctor knows: ${agent.id}.`,
      "Give it another name.",
    );
  return agent;
}

function isAgent(value: unknown): value is DefinedAgent {
  return typeof value === "object" && value !== null && "launch" in value && "reader" in value && "sources" in value;
}

function loadFault(error: unknown, shown: string): UsageError {
  if (error instanceof UsageError) return new UsageError(`${shown}: ${error.message}`, error.hint);
  if (!(error instanceof Error)) return new UsageError(`${shown} cannot be loaded: ${String(error)}`);
  const [said = "", next = ""] = error.message.split("\n").map((line) => line.trim());
  const parse = /^ParseError: (.*)$/.exec(said)?.[1];
  if (parse !== undefined) return new UsageError(`${place(next) ?? shown} is not valid: ${parse.trim()}.`);
  const importer = (error as { requireStack?: string[] }).requireStack?.[0];
  const at = importer === undefined ? placeIn(error.stack ?? "") : `in ${shortPath(importer)}`;
  return new UsageError(
    `${shown} cannot be loaded: ${said.replace(/\.$/, "")}${at === undefined || said.includes(at) ? "" : ` (${at})`}.`,
  );
}

function place(line: string): string | undefined {
  const [, path, row] = /^(.*?):(\d+):\d+$/.exec(line) ?? [];
  return path === undefined ? undefined : `${shortPath(path)}:${row}`;
}
