import type { Location } from "../../base/index.ts";
import { type HostId, hostNames } from "../host.ts";
import { placeIn } from "../../skills/place.ts";
import type { Place, Skill } from "../../skills/skill.ts";

/** Who the lint speaks for. */
export interface Profiles {
  hosts: ReadonlySet<HostId>;
  /** The hosts were asked for by name: what only one of them minds is then an error, not a note. */
  chosen: boolean;
}

/** What hosts do with something: who, and the verb for one and for several of them. */
export type Effect = readonly [hosts: readonly HostId[], one: string, several: string];

/** `Copilot CLI drops it. Codex and Gemini CLI load it.`, of the hosts that are asked for. */
export function told({ hosts }: Profiles, effects: readonly Effect[]): string {
  const sentences: string[] = [];
  for (const [who, one, several] of effects) {
    const asked = who.filter((host) => hosts.has(host));
    if (asked.length > 0) sentences.push(`${capital(hostNames(asked))} ${asked.length === 1 ? one : several}.`);
  }
  return sentences.join(" ");
}

export function anyOf({ hosts }: Profiles, who: readonly HostId[]): boolean {
  return who.some((host) => hosts.has(host));
}

export function at({ file, reading }: Skill, place?: Place): Location {
  return reading && place ? placeIn(reading.text, file, place) : { file };
}

/** The opening fence: the place of what is not there. */
export function top({ file }: Skill): Location {
  return { file, line: 1, column: 1 };
}

export function valueAt(skill: Skill, key: string): Location {
  return at(skill, skill.reading?.fields.get(key)?.value);
}

export function keyAt(skill: Skill, key: string): Location {
  return at(skill, skill.reading?.fields.get(key)?.key);
}

/** `a, b, c and 12 more` */
export function some(names: readonly string[], most = 8): string {
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
