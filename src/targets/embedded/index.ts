/**
 * The embedded target: who would be activated, read off the cards alone. Offline, deterministic, no model, no key.
 * Beside the target, the router itself and what can be said of a library without any query.
 */
export { createRouter, type RoutedSkill, type Router, type RouterCard, type RouterOptions, type Routing } from "./router.ts";
export { type EmbeddedOptions, embeddedTarget } from "./target.ts";
