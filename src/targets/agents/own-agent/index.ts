/** Agents of one's own. Has its own door, so that a run without agents does not load it. */
export { defineAgent } from "./define-agent.ts";
export type { AgentDefinition, Sighting } from "./definition.ts";
