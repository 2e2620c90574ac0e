import type { Host } from "./host.ts";

export function hostNames(hosts: readonly Host[]): string {
  return listed(hosts.map(({ title }) => title));
}

export function listed(names: readonly string[], conjunction = "and"): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${conjunction} ${names.at(-1)}`;
}

export function some(names: readonly string[], most = 8): string {
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}

/** Counts a surrogate pair as one character, as people and hosts do. */
export function characters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff) count--;
  }
  return count;
}

export function isLonger(text: string, most: number): boolean {
  return text.length > most && characters(text) > most;
}

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function unknownModelText(host: string, model: string): string {
  return `Proctor does not know the model ${model}: is the name right? Descriptions get the room that ${host} gives a model it does not know.`;
}
