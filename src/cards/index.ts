/**
 * What is near: ranking of cards against a prompt, collisions between cards, drafts of suites. Asks no agent.
 */

export { purposesOf } from "./clauses/clauses.ts";
export { type CollidingPair, type Collisions, collisionsOf } from "./collisions/collisions.ts";
export { type ExpectedPrompt, type TakenPrompt, takenPositives } from "./collisions/taken-prompts.ts";
export { draftSuite } from "./draft/draft-suite.ts";
export type { SuiteDraft } from "./draft/yaml.ts";
export { predictedNote } from "./firing/accuracy-note.ts";
export { MEASURED } from "./firing/parameters.generated.ts";
export { MINILM_PARAMETERS, PARAMETERS } from "./firing/parameters.ts";
export { createKeywordRouter } from "./keyword-router.ts";
export { loadMiniLm } from "./minilm/load-model.ts";
export { cachedVectors, cosine, embeddedText } from "./minilm/vectors.ts";
export type { RouterCard } from "./ranking/card-index.ts";
export { attractingText } from "./ranking/card-index.ts";
export { unknownWords } from "./ranking/query-words.ts";
export { createRouter, type RoutedSkill, type Router, type RouterOptions, type Routing } from "./router.ts";
