import { agentHosts } from "../hosts/index.ts";

/** The kinds of targets that are asked on workers. The others answer in no time, or are code of the run's machine: they are asked there. */
export const elsewhereKinds: readonly string[] = [
  "script",
  "judge",
  "router",
  "model",
  ...agentHosts.map(({ agent }) => agent.id),
];

export function isElsewhere(spec: string): boolean {
  return elsewhereKinds.includes(spec.split(":", 1)[0] ?? "");
}
