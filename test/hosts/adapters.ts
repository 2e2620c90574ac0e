import type { AgentAdapter } from "../../src/hosts/index.ts";
import { loadAdapters } from "../../src/hosts/index.ts";

const adapters = new Map((await loadAdapters()).map((adapter) => [adapter.id, adapter]));

/** The adapter of a CLI, loaded. */
export function adapterOf(id: string): AgentAdapter {
  const found = adapters.get(id);
  if (found === undefined) throw new Error(`there is no adapter ${id}`);
  return found;
}
