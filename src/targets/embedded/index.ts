/**
 * The embedded target: predicts from the cards alone which skills would be activated. Offline, deterministic, no model, no key.
 * Also the router behind it, and what can be said of a library without any query.
 */
export { purposesOf } from "./cards/purposes.ts";
export type { RouterCard } from "./cards/router-card.ts";
export { unknownWords } from "./cards/unknown-words.ts";
export { type CollidingPair, type Collisions, collisionsOf } from "./collisions/collisions.ts";
export { type ExpectedPrompt, type TakenPrompt, takenPositives } from "./collisions/taken-prompts.ts";
export { type AgentDecision, calibrate } from "./firing/calibrate.ts";
export { createRouter, type RoutedSkill, type Router, type RouterOptions, type Routing } from "./router.ts";
export { type EmbeddedOptions, type ExplainedPrediction, embeddedTarget, openPredictor, routedQuery } from "./target.ts";
