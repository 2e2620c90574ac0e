import { UsageError } from "../../base/index.ts";
import { agentHosts, listed, loadAdapter } from "../../hosts/index.ts";
import { cutShort, failedEnd } from "../../hosts/reading/index.ts";
import type { Identity } from "../../model/index.ts";
import { foldEvents, type Transcript, type TrialError } from "../../model/index.ts";
import { startMessage } from "./ask-cell.ts";
import { type AgentSettings, borrowed, loginMissing, openCell } from "./cell.ts";
import { DEFAULT_LIMITS } from "./process/running-process.ts";
import { loginOver } from "./users-login.ts";
import { createWorkspace, sweepWorkspaces } from "./workspace/workspace.ts";

/** An installed CLI that answers one prompt with text: no tools, no skills, in an empty workspace. */
export interface Speaker {
  title: string;
  identity: Identity;
  warning?: string;
  login: ReturnType<typeof borrowed>;
  say(words: {
    system: string;
    prompt: string;
    signal: AbortSignal;
    timeoutMs?: number | undefined;
  }): Promise<Transcript>;
}

export function unsaid({ outcome, how }: Transcript): TrialError | undefined {
  if (outcome.status === "error") return outcome.error;
  return how === "completed" ? undefined : cutShort();
}

export async function openSpeaker(name: string, settings: AgentSettings): Promise<Speaker> {
  const colon = name.indexOf(":");
  const id = colon < 0 ? name : name.slice(0, colon);
  const able = agentHosts.filter(({ agent }) => agent.judges).map(({ agent }) => agent.id);
  if (!able.includes(id))
    throw new UsageError(
      `There is no judge cli/${name}.`,
      `Judges through a CLI are ${listed(able.map((one) => `cli/${one}`))}.`,
    );
  const adapter = await loadAdapter(id);
  // What a project tells its agents is nothing to a judge.
  const own = { ...settings, options: { ...settings.options, with_context: false } };
  const { cell, found } = await openCell(adapter, colon < 0 ? "" : name.slice(colon + 1), own);
  await sweepWorkspaces();
  return {
    title: adapter.title,
    identity: cell.identity,
    warning: found.warning,
    login: borrowed(cell),
    async say({ system, prompt, signal, timeoutMs }) {
      const missing = (await loginMissing(cell)) ?? loginOver(adapter, cell.login, timeoutMs ?? DEFAULT_LIMITS.totalMs);
      if (missing !== undefined) return foldEvents([failedEnd(missing)]);
      const { skillsDir } = adapter;
      const workspace = await createWorkspace({ skills: [], skillsDir, files: [], keep: cell.options.keep_workspaces });
      try {
        const ask = { kind: "trigger" as const, prompt, messages: [], limits: {} };
        const asking = { run: 1, signal, decided: () => false, timeoutMs };
        return await foldEvents((await startMessage(cell, { workspace, ask, asking, system })).events);
      } finally {
        await workspace.dispose();
      }
    },
  };
}
