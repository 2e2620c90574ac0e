import { UsageError } from "../../base/index.ts";
import type { Library } from "../../model/index.ts";
import { loadAgents, type Seen } from "../../targets/index.ts";
import { findLibraries } from "../libraries.ts";
import { openScope, type Scope } from "../scope.ts";

export interface SeeOptions extends Scope {
  /** The id of the host: claude, codex, copilot … */
  host: string;
  /** The listing's budget depends on the model. */
  model?: string;
  /** Leave out the host's bundled skills, as in trials. */
  hermetic?: boolean;
  /** Called before a CLI is started. */
  onStart?(cli: string): void;
}

export interface SeenLibrary {
  library: Library;
  seen: Seen;
}

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
