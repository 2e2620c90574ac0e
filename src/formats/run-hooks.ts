import type { Library, Suite } from "../model/index.ts";
import type { AfterRun } from "./format.ts";
import { formats } from "./list.ts";

export async function beforeRun(suites: readonly Suite[], library: Library): Promise<AfterRun> {
  const after: AfterRun[] = [];
  for (const format of formats) {
    const own = suites.filter((suite) => suite.format === format.id);
    if (format.beforeRun !== undefined && own.length > 0) after.push(await format.beforeRun(own, library));
  }
  return async (run) => {
    for (const one of after) await one(run);
  };
}

export function namesTargets(suite: Suite): boolean {
  return formats.some(({ id, namesTargets }) => id === suite.format && namesTargets === true);
}
