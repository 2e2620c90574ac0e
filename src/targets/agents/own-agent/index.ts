/** Agents of one's own. An inner room, so that a run without agents need not load what reads them. */
export { type AgentDefinition, defineAgent, type Sighting } from "./define-agent.ts";
