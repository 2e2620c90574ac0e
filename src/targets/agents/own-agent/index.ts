/** Agents of one's own. An inner room, so that a run without agents need not load what reads them. */
export { defineAgent } from "./define-agent.ts";
export type { AgentDefinition, Sighting } from "./definition.ts";
