/**
 * The embedded target: who would be activated, read off the cards alone. Offline, deterministic, no model, no key.
 * Beside the target, the router itself and what can be said of a library without any query.
 */
export { type Calibration, calibrate, type Label } from "./calibrate.ts";
export type { RouterCard } from "./candidates.ts";
export { type CollidingPair, type Collisions, collisionsOf } from "./collisions.ts";
export { purposesOf } from "./purposes.ts";
export { createRouter, type RoutedSkill, type Router, type RouterOptions, type Routing } from "./router.ts";
export { type Taken, takenPositives, type Wanted } from "./taken.ts";
export { type EmbeddedOptions, type ExplainedPrediction, embeddedTarget, openPredictor, routedQuery } from "./target.ts";
export { unknownWords } from "./unknown-words.ts";
