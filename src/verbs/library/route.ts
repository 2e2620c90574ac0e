import { UsageError } from "../../base/index.ts";
import type { Library } from "../../model/index.ts";
import { type Routed, type RoutedLibrary, scopeWords } from "../../reporters/index.ts";
import { loadEmbedded } from "../../targets/index.ts";
import { findLibraries } from "../libraries.ts";
import { namedConfig, openScope, type Scope } from "../scope.ts";

export interface RouteOptions extends Scope {
  query: string;
  /** Default: the embedded router. Any other target is asked once, which may cost money. */
  target?: string;
  /** For agents: use the user's own login instead of a key. */
  useLogin?: boolean | undefined;
  signal?: AbortSignal;
  /** Called before a target is asked, which takes seconds. */
  starting?(target: string): void;
  /** Number of skills to show. Default: 5. */
  top?: number;
}

export async function route(options: RouteOptions): Promise<Routed> {
  const { query, target = "embedded", top = 5, useLogin } = options;
  const words = scopeWords(options.paths ?? [], namedConfig(options));
  if (query.trim() === "")
    throw new UsageError("the query is empty", 'Say what a user would type: proctor route "Where is my order?"');
  const scope = await openScope(options);
  if (!/^embedded(?::|$)/.test(target)) {
    const { routeAsked } = await import("./route-asked.ts");
    const {
      libraries,
      note,
      predicted,
      target: id,
    } = await routeAsked(scope, { ...options, target, settings: { useLogin } });
    return { query, target: id, note, top, where: words, libraries: [], asked: { predicted, libraries } };
  }
  const { embeddedTarget } = await loadEmbedded();
  const { id, note = "" } = embeddedTarget(target);
  const { libraries } = await findLibraries(scope);
  const routed: RoutedLibrary[] = [];
  for (const library of libraries) routed.push(await routeIn(library, query, { target, top, cwd: scope.cwd }));
  return { query, target: id, note, top, where: words, libraries: routed };
}

async function routeIn(
  library: Library,
  query: string,
  { target, top, cwd }: { target: string; top: number; cwd: string },
): Promise<RoutedLibrary> {
  const { openPredictor, unknownWords } = await loadEmbedded();
  const predict = await openPredictor(target, library, { root: cwd, most: top });
  const { name, skills, fingerprint } = library;
  return {
    ...(await predict(query)),
    name,
    skills: skills.length,
    fingerprint,
    unknown: unknownWords(query, skills),
    hidden: skills.filter(({ modelInvocable }) => !modelInvocable).length,
  };
}
