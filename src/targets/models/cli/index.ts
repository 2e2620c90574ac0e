/** Models reached through an installed CLI without tools, for people with a subscription and no key. */
import type { ModelRole } from "../spec.ts";
import { cliJudge } from "./cli-judge.ts";
import { cliModel } from "./cli-model.ts";
import { cliRouter } from "./cli-router.ts";

export const cliTargets = { judge: cliJudge, router: cliRouter, model: cliModel } satisfies Record<ModelRole, unknown>;
