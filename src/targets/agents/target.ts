import type { AgentAdapter } from "../../hosts/index.ts";
import type { Library } from "../../model/index.ts";
import type { Target } from "../target.ts";
import { type AgentSettings, borrowed, type Cell, openCell } from "./cell.ts";
import { openAgentTarget } from "./open-target.ts";
import { sandboxAdvice } from "./process/find-sandbox.ts";
import { refuseCommands } from "./refuse-commands.ts";
import { copyDistractors, editedDistractors, refuseCollision } from "./workspace/distractors.ts";
import { contextNote } from "./workspace/project-context.ts";

export async function agentTarget(adapter: AgentAdapter, model: string, settings: AgentSettings): Promise<Target> {
  const { cell, found } = await openCell(adapter, model, settings);
  const { distractors, context } = cell;
  const note = `${adapter.title} ${found.version}, the real CLI, in a fresh workspace for every trial${
    distractors === undefined
      ? ""
      : `, with ${distractors.skills.length} other skill${distractors.skills.length === 1 ? "" : "s"} beside the library`
  }${context === undefined ? "" : `, ${contextNote(context, adapter)}`}`;
  return {
    id: model === "" ? adapter.id : `${adapter.id}:${model}`,
    kind: "agent",
    predicted: false,
    answers: { trigger: refusal(cell, "read") ?? true, case: refusal(cell, "work") ?? true },
    converses:
      adapter.conversation === undefined
        ? `${adapter.title} has no way to send another message after its answer that Proctor has seen work`
        : true,
    expectedCostUsd: null,
    reportsCost: adapter.reportsCost === true,
    note: found.warning === undefined ? note : `${note}. ${found.warning}`,
    identify: async () => cell.identity,
    ...(distractors && {
      beside: distractors.skills.map(({ skill }) => skill.id),
      async freeze(into: string) {
        cell.distractors = await copyDistractors(distractors, into);
      },
      edited: () => editedDistractors(distractors),
    }),
    admit(library: Library) {
      if (distractors !== undefined) refuseCollision(distractors, library);
      refuseCommands(cell, library.skills);
    },
    ...borrowed(cell),
    open: (library) => openAgentTarget(cell, library),
  };
}

function refusal({ adapter, options, sandbox, env }: Cell, tools: "read" | "work"): string | undefined {
  if (sandbox !== undefined || options.sandbox === "off") return undefined;
  if (tools === "read" && options.sandbox === "auto" && adapter.readOnlyProfile) return undefined;
  return `without a sandbox it could change files outside its workspace: ${sandboxAdvice(env)}, or pass --no-sandbox`;
}
