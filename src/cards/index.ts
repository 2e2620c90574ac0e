/**
 * What is near: ranking of cards against a prompt, collisions between cards, drafts of suites. Asks no agent.
 */

export { purposesOf } from "./clauses/purposes.ts";
export type { RouterCard } from "./clauses/router-card.ts";
export { unknownWords } from "./clauses/unknown-words.ts";
export { type CollidingPair, type Collisions, collisionsOf } from "./collisions/collisions.ts";
export { type ExpectedPrompt, type TakenPrompt, takenPositives } from "./collisions/taken-prompts.ts";
export { draftSuite, type SuiteDraft } from "./draft/draft-suite.ts";
export { predictedNote } from "./firing/accuracy-note.ts";
export { MEASURED } from "./firing/parameters.generated.ts";
export { MINILM_PARAMETERS, PARAMETERS } from "./firing/parameters.ts";
export { createKeywordRouter } from "./keyword-router.ts";
export { loadMiniLm } from "./minilm/load-model.ts";
export { cachedVectors, cosine, embeddedText } from "./minilm/vectors.ts";
export { attractingText } from "./ranking/card-index.ts";
export { createRouter, type RoutedSkill, type Router, type RouterOptions, type Routing } from "./router.ts";
