import { agentv } from "./agentv.ts";
import { assay } from "./assay.ts";
import { eva } from "./eva.ts";
import { nativeEvals } from "./native-evals.ts";
import { nativeTriggers } from "./native-triggers.ts";
import { pluginEval } from "./plugin-eval.ts";
import { promptFile } from "./prompt-file.ts";
import type { Reader } from "./reader.ts";
import { rows } from "./rows.ts";
import { scenarios } from "./scenarios.ts";
import { skillgrade } from "./skillgrade.ts";
import { waza } from "./waza/waza.ts";

/** The first that understands a document reads it; the most particular come first. */
export const readers: Reader[] = [
  promptFile,
  pluginEval,
  eva,
  waza,
  skillgrade,
  assay,
  agentv,
  nativeTriggers,
  nativeEvals,
  scenarios,
  rows,
];
