/**
 * Scripted models: servers on 127.0.0.1 that speak the providers' protocols, for tests, demos and `proctor see`. A
 * scenario says what the model does. The next step depends on the request alone, so retries and parallel runs are safe.
 */

export type { LoopbackRequest, Scenario, ScriptedCall, ScriptedFault, ScriptedMove } from "./scenario.ts";
export { type Loopback, startLoopback } from "./server.ts";
