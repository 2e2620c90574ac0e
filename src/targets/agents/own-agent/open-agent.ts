import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../../../base/index.ts";
import { failedEnd } from "../../../hosts/reading/index.ts";
import type { Answer, Sitting, Target } from "../../target.ts";
import { type AgentSettings, agentTarget } from "../target.ts";
import { DefinitionFault } from "./definition-fault.ts";
import { loadAgent } from "./load-agent.ts";

/** `agent:FILE` or `agent:FILE:MODEL`: an agent that a file defines with `defineAgent`. */
export async function openDefinedAgent(name: string, cwd: string, settings: AgentSettings): Promise<Target> {
  const { file, model } = fileAndModel(name, cwd);
  const { adapter, files } = await loadAgent(resolve(cwd, file), file);
  const target = await agentTarget(adapter, model, { ...settings, files });
  return { ...target, id: `agent:${name}`, open: async (library) => withFaults(await target.open(library)) };
}

/** A file's name may have colons (a drive's, say), and so may a model's: the longest beginning that is a file is the file. */
function fileAndModel(name: string, cwd: string): { file: string; model: string } {
  if (name === "") throw new UsageError("agent: needs a file", "For example agent:./my-agent.ts; docs/agents.md shows one.");
  for (let end = name.length; end > 0; end = name.lastIndexOf(":", end - 1)) {
    const file = name.slice(0, end);
    if (isFile(resolve(cwd, file))) return { file, model: name.slice(end + 1) };
  }
  const near = [".ts", ".mts", ".js", ".mjs"].find((ending) => isFile(resolve(cwd, name + ending)));
  throw new UsageError(
    `There is no file ${name}.`,
    near === undefined ? "Write agent:FILE, or agent:FILE:MODEL to choose a model." : `Did you mean agent:${name}${near}?`,
  );
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** What a definition's `launch` throws is how the trial ended. */
function withFaults(sitting: Sitting): Sitting {
  return {
    ...sitting,
    ask: (ask, asking) =>
      sitting.ask(ask, asking).catch((error: unknown): Answer => {
        if (!(error instanceof DefinitionFault)) throw error;
        return { events: [failedEnd(error.failure)], dispose: async () => {} };
      }),
  };
}
