import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FleetWorld } from "./fleet-world.ts";

/** How many trials are in the record of a world's first run so far. */
export function recordedTrials({ dir }: FleetWorld): number {
  const runs = join(dir, ".proctor", "runs");
  const [name] = existsSync(runs) ? readdirSync(runs) : [];
  const file = name === undefined ? "" : join(runs, name, "record.jsonl");
  return existsSync(file) ? readFileSync(file, "utf8").split('"type":"trial"').length - 1 : 0;
}
