import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../../../base/index.ts";
import { failedEnd } from "../../../hosts/reading/index.ts";
import type { EndEvent, TrialEvent } from "../../../model/index.ts";
import type { Answer, OpenTarget, Target } from "../../target.ts";
import type { AgentSettings } from "../cell.ts";
import { agentTarget } from "../target.ts";
import { DefinitionFault } from "./definition-fault.ts";
import { loadAgent } from "./load-agent.ts";

export async function openDefinedAgent(name: string, cwd: string, settings: AgentSettings): Promise<Target> {
  const { file, model } = fileAndModel(name, cwd);
  const { adapter, files } = await loadAgent(resolve(cwd, file), file);
  const target = await agentTarget(adapter, model, { ...settings, files });
  const converses = adapter.conversation === undefined ? NO_SESSION : true;
  return { ...target, id: `agent:${name}`, converses, open: async (library) => withFaults(await target.open(library)) };
}

const NO_SESSION =
  "the case has more than one message, and the agent's definition has no `session` and `resume` to continue after an answer";

/** File names (`C:`) and models may contain colons: the longest prefix that is a file wins. */
function fileAndModel(name: string, cwd: string): { file: string; model: string } {
  if (name === "")
    throw new UsageError("agent: needs a file", "For example agent:./my-agent.ts; docs/agents.md shows one.");
  for (let end = name.length; end > 0; end = name.lastIndexOf(":", end - 1)) {
    const file = name.slice(0, end);
    if (isFile(resolve(cwd, file))) return { file, model: name.slice(end + 1) };
  }
  const near = [".ts", ".mts", ".js", ".mjs"].find((ending) => isFile(resolve(cwd, name + ending)));
  throw new UsageError(
    `There is no file ${name}.`,
    near === undefined
      ? "Write agent:FILE, or agent:FILE:MODEL to choose a model."
      : `Did you mean agent:${name}${near}?`,
  );
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Turns exceptions of a definition's functions into the trial's error. */
function withFaults(target: OpenTarget): OpenTarget {
  return {
    ...target,
    ask: async (ask, asking) => {
      try {
        const answer = await target.ask(ask, asking);
        return { ...answer, events: untilFault(answer.events) };
      } catch (error) {
        return { events: [endOf(error)], dispose: async () => {} };
      }
    },
  };
}

async function* untilFault(events: Answer["events"]): AsyncGenerator<TrialEvent> {
  try {
    yield* events;
  } catch (error) {
    yield endOf(error);
  }
}

function endOf(error: unknown): EndEvent {
  if (!(error instanceof DefinitionFault)) throw error;
  return failedEnd(error.failure);
}
