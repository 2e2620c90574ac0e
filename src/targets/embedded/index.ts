/**
 * The embedded target: who would be activated, read off the cards alone. Offline, deterministic, no model, no key.
 * Beside the target, the router itself and what can be said of a library without any query.
 */

export { purposesOf } from "./cards/purposes.ts";
export { unknownWords } from "./cards/unknown-words.ts";
export { type CollidingPair, type Collisions, collisionsOf } from "./collisions/collisions.ts";
export { type Taken, takenPositives, type Wanted } from "./collisions/taken-prompts.ts";
export { type Calibration, calibrate, type Label } from "./firing/calibrate.ts";
export type { RouterCard } from "./firing/score-cards.ts";
export { createRouter, type RoutedSkill, type Router, type RouterOptions, type Routing } from "./router.ts";
export { type EmbeddedOptions, type ExplainedPrediction, embeddedTarget, openPredictor, routedQuery } from "./target.ts";
