import { agentHosts } from "../hosts/index.ts";

/** Kinds of targets that workers run. The others answer at once or are code on the run's machine, and run there. */
export const remoteKinds: readonly string[] = [
  "script",
  "judge",
  "router",
  "model",
  ...agentHosts.map(({ agent }) => agent.id),
];

export function isRemote(spec: string): boolean {
  return remoteKinds.includes(spec.split(":", 1)[0] ?? "");
}
