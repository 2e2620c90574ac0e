import { UsageError } from "../../base/index.ts";
import type { Library } from "../../model/index.ts";
import { loadAgents, type Seen } from "../../targets/index.ts";
import { findLibraries } from "../libraries.ts";
import { openScope, type Scope } from "../scope.ts";

export interface SeeOptions extends Scope {
  /** claude, codex, copilot … */
  host: string;
  /** Budgets differ from model to model. */
  model?: string;
  /** Without the host's bundled skills, as in trials. */
  hermetic?: boolean;
  /** Called before a CLI is started. */
  onStart?(cli: string): void;
}

export interface SeenLibrary {
  library: Library;
  seen: Seen;
}

/** `proctor see` as a function: what a host tells its model about the skills of each library. */
export async function see(options: SeeOptions): Promise<SeenLibrary[]> {
  const { host, model, hermetic = false, onStart = () => {} } = options;
  const scope = await openScope(options);
  const { seeSkills } = await loadAgents();
  const { libraries } = await findLibraries(scope);
  const seen: SeenLibrary[] = [];
  for (const library of libraries) {
    const request = { env: scope.env, hermetic, root: scope.home, starting: onStart, model };
    seen.push({ library, seen: await seeSkills(host, library, request) });
  }
  if (seen.length === 0)
    throw new UsageError("there are no skills here", "Say where they are: proctor see claude path/to/skills");
  return seen;
}
