import type { Library, Suite } from "../model/index.ts";
import { agentv } from "./agentv/index.ts";
import { assay } from "./assay/index.ts";
import { eva } from "./eva/index.ts";
import { nativeEvals } from "./evals/index.ts";
import { evolve } from "./evolve/index.ts";
import type { AfterRun, Format } from "./format.ts";
import { pluginEval } from "./plugin-eval/index.ts";
import { promptFile } from "./prompt-file/index.ts";
import { rows } from "./rows/index.ts";
import { scenarios } from "./scenarios/index.ts";
import { skillCreator } from "./skill-creator/index.ts";
import { skillgrade } from "./skillgrade/index.ts";
import { nativeTriggers } from "./triggers/index.ts";
import { waza } from "./waza/index.ts";

/** The first format that recognises a document reads it, so the most particular come first and guesses last. */
export const formats: readonly Format[] = [
  promptFile,
  pluginEval,
  eva,
  evolve,
  skillCreator,
  waza,
  skillgrade,
  assay,
  agentv,
  nativeTriggers,
  nativeEvals,
  scenarios,
  rows,
];

/** Lets every format prepare for a run on its suites. The result is to be called when the run has ended. */
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

/** Whether a suite names the models that answer it. */
export function namesTargets(suite: Suite): boolean {
  return formats.some(({ id, namesTargets }) => id === suite.format && namesTargets === true);
}
