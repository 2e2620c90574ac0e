import { nearest, UsageError } from "../base/index.ts";
import type { AgentAdapter } from "./adapter.ts";
import type { AgentFacts, Host, HostId } from "./host.ts";
import { hosts } from "./list.ts";

export type AgentHost = Host & { agent: AgentFacts };

export const agentHosts: readonly AgentHost[] = hosts.filter((host): host is AgentHost => host.agent !== undefined);

export function hostOf(id: HostId): Host {
  const found = hosts.find((host) => host.id === id);
  if (found !== undefined) return found;
  throw new UsageError(`there is no host ${id}`, `Hosts: ${hosts.map((host) => host.id).join(", ")}.`);
}

export function agentHostOf(id: string): AgentHost {
  const found = agentHosts.find(({ agent }) => agent.id === id);
  if (found !== undefined) return found;
  const ids = agentHosts.map(({ agent }) => agent.id);
  const near = nearest(id, ids)[0];
  throw new UsageError(
    `There is no agent "${id}".`,
    near === undefined ? `There are ${ids.join(", ")}.` : `Did you mean ${near}?`,
  );
}

export function loadAdapter(id: string): Promise<AgentAdapter> {
  return adapterOf(agentHostOf(id));
}

export function loadAdapters(): Promise<AgentAdapter[]> {
  return Promise.all(agentHosts.map(adapterOf));
}

async function adapterOf({ id: profile, title, agent }: AgentHost): Promise<AgentAdapter> {
  return { ...(await agent.load()), id: agent.id, title, profile, speaks: agent.judges };
}
