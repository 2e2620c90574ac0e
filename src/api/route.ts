import { UsageError } from "../base/index.ts";
import { where } from "../cli/where.ts";
import type { Routed, RoutedLibrary } from "../reports/index.ts";
import type { Library } from "../skills/index.ts";
import { loadEmbedded } from "../targets/index.ts";
import { findLibraries } from "./libraries.ts";

export interface RouteOptions {
  cwd: string;
  query: string;
  paths?: string[];
  target?: string;
  top?: number;
  config?: string;
}

/** Who would get this query in each library found from here. */
export async function routeQuery({ cwd, query, paths = [], target = "embedded", top = 5, config }: RouteOptions): Promise<Routed> {
  if (query.trim() === "") throw new UsageError("the query is empty", 'Say what a user would type: proctor route "Where is my order?"');
  if (!/^embedded(?::|$)/.test(target))
    throw new UsageError(
      `proctor route reads cards and asks nobody, so ${target} cannot answer`,
      `Put it to ${target} in a suite: proctor run${where(paths, config)} -t ${target}`,
    );
  const { embeddedTarget } = await loadEmbedded();
  const { id, note = "" } = embeddedTarget(target);
  const { libraries } = await findLibraries({ cwd, paths, ...(config === undefined ? {} : { config }) });
  const routed: RoutedLibrary[] = [];
  for (const library of libraries) routed.push(await routeIn(library, query, { target, top, cwd }));
  return { query, target: id, note, top, where: where(paths, config), libraries: routed };
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
