/**
 * Runs trials on several machines: a run hands them to workers through BullMQ on Redis and keeps plan, budget, cache
 * and record to itself. wire/ has the messages, bundle/ the files sent, coordinator/ the run's side, worker/ the other.
 */

export { type Fleet, openFleet } from "./coordinator/fleet.ts";
export { type FleetView, lookAtFleet } from "./look-at-fleet.ts";
export type { Ability } from "./wire/messages.ts";
export { runWorker, type WorkerEvent } from "./worker/worker.ts";
