/**
 * Scripted models: servers on 127.0.0.1 that speak the providers' protocols, for tests, demos and `proctor see`.
 * What the model does is a scenario; which step it is at is read from the request, so retries and parallel runs are safe.
 */
export type { Fault, LoopbackRequest, Move, Scenario, ScriptedCall } from "./scenario.ts";
export { type Loopback, startLoopback } from "./server.ts";
