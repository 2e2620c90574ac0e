import type { AgentAdapter } from "./adapter.ts";
import { type AgentHost, agentHostOf, agentHosts } from "./find-host.ts";

/** How a CLI is driven and read: the heavy half of a host's folder, loaded when it is needed. */
export function loadAdapter(id: string): Promise<AgentAdapter> {
  return adapterOf(agentHostOf(id));
}

export function loadAdapters(): Promise<AgentAdapter[]> {
  return Promise.all(agentHosts.map(adapterOf));
}

async function adapterOf({ id: profile, title, agent }: AgentHost): Promise<AgentAdapter> {
  return { ...(await agent.load()), id: agent.id, title, profile, speaks: agent.judges };
}
