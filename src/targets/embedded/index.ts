/**
 * Predicts from the cards alone which skills would be activated: offline, deterministic, no model, no key. Also the
 * router behind it.
 */

export type { RouterCard } from "../../cards/index.ts";
export {
  type CollidingPair,
  type Collisions,
  collisionsOf,
  createRouter,
  type ExpectedPrompt,
  purposesOf,
  type RoutedSkill,
  type Router,
  type RouterOptions,
  type Routing,
  type TakenPrompt,
  takenPositives,
  unknownWords,
} from "../../cards/index.ts";
export {
  type EmbeddedOptions,
  type ExplainedPrediction,
  embeddedTarget,
  openPredictor,
  routedQuery,
} from "./target.ts";
