import type { Built } from "../../cli/run-built.ts";
import { BUILT, buildAll } from "./processes.ts";

let built: Built[] = [];

/** Builds the command once for all files of `npm run test:fleet`. */
export async function setup(): Promise<void> {
  built = await buildAll();
  process.env[BUILT] = JSON.stringify(built.map(({ main }) => main));
}

export function teardown(): void {
  for (const { remove } of built) remove();
}
