import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { UsageError } from "../../../base/index.ts";
import { agentHosts } from "../../../hosts/index.ts";

/** CLIs pick these up from folders above the workspace. An empty `.git` stops only some of them. */
const HOST_FILES = [...new Set(agentHosts.flatMap(({ agent }) => agent.takesUp))];

export function possiblePlaces(env: NodeJS.ProcessEnv = process.env): string[] {
  const shared = process.platform === "win32" ? [env["PUBLIC"]] : ["/tmp", "/var/tmp"];
  const places = [tmpdir(), ...shared].filter((place) => place !== undefined).filter(isWritable);
  return [...new Set(places.map((place) => realpathSync(place)))];
}

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
