/** An agent's first move for the price of one call: its own first request, sent straight to the provider. */
export { type FirstMoveSettings, firstMoveTarget } from "./target.ts";
