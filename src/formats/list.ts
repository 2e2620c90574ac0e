import { agentv } from "./agentv/index.ts";
import { assay } from "./assay/index.ts";
import { eva } from "./eva/index.ts";
import { nativeEvals } from "./evals/index.ts";
import { evolve } from "./evolve/index.ts";
import type { Format } from "./format.ts";
import { pluginEval } from "./plugin-eval/index.ts";
import { promptFile } from "./prompt-file/index.ts";
import { rows } from "./rows/index.ts";
import { scenarios } from "./scenarios/index.ts";
import { skillCreator } from "./skill-creator/index.ts";
import { skillgrade } from "./skillgrade/index.ts";
import { nativeTriggers } from "./triggers/index.ts";
import { waza } from "./waza/index.ts";

/** The first format that recognises a document reads it, so specific formats come first and guesses last. */
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
