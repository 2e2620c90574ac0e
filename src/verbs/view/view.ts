import { UsageError } from "../../base/index.ts";
import { listRuns, openRecord } from "../../exam/record/index.ts";
import { findLibraries } from "../libraries.ts";
import { openScope, type Scope } from "../scope.ts";
import { startServer, type Viewing } from "./server.ts";
import { Shelf } from "./shelf.ts";

export interface ViewOptions extends Omit<Scope, "paths"> {
  /** A run's id, its folder or its record.jsonl. Default: the newest run. */
  run?: string;
  /** Default: a free port. */
  port?: number;
}

export async function view(options: ViewOptions = {}): Promise<Viewing> {
  const scope = await openScope(options);
  const { home } = scope;
  const given = options.run === undefined ? undefined : await openRecord(home, options.run);
  const library = async () => (await findLibraries(scope)).libraries[0];
  if (
    given === undefined &&
    (await listRuns(home)).length === 0 &&
    (await library().catch(() => undefined)) === undefined
  )
    throw new UsageError(
      "There are no runs or skills here to look at.",
      "proctor run creates a run; give the folder of your skills to look at those.",
    );
  return startServer(
    new Shelf({ home, given, library, config: typeof options.config === "string" ? options.config : undefined }),
    options.port,
  );
}
