import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { UsageError } from "../../../base/index.ts";
import { agentHosts } from "../../../hosts/index.ts";

/** Through these a CLI picks up instructions from a folder above its workspace; an empty `.git` stops some of them, but not all. */
const HOST_FILES = [...new Set(agentHosts.flatMap(({ agent }) => agent.takesUp))];

/** Where workspaces can be. */
export function possiblePlaces(env: NodeJS.ProcessEnv = process.env): string[] {
  const shared = process.platform === "win32" ? [env["PUBLIC"]] : ["/tmp", "/var/tmp"];
  const places = [tmpdir(), ...shared].filter((place) => place !== undefined).filter(isWritable);
  return [...new Set(places.map((place) => realpathSync(place)))];
}

/** The first place without a file of a host in it or in any folder above. */
export function workspacePlace(places: readonly string[] = possiblePlaces()): string {
  const clean = places.find((place) => hostFileAbove(place) === undefined);
  if (clean !== undefined) return clean;
  const found = places.map(hostFileAbove).find((file) => file !== undefined);
  throw new UsageError(
    `There is no place for trials: agents would pick up ${found ?? "what is in the folders above"}.`,
    "Set TMPDIR to a folder that has no files of agents in it or above it.",
  );
}

function hostFileAbove(place: string): string | undefined {
  const found = HOST_FILES.map((name) => join(place, name)).find((file) => existsSync(file));
  const above = dirname(place);
  return found ?? (above === place ? undefined : hostFileAbove(above));
}

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
