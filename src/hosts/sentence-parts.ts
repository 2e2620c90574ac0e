import type { Host } from "./host.ts";

/** `Codex, Gemini CLI and OpenCode` */
export function hostNames(hosts: readonly Host[]): string {
  return listed(hosts.map(({ title }) => title));
}

/** `a, b and c`, or `a, b or c`. */
export function listed(names: readonly string[], conjunction = "and"): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${conjunction} ${names.at(-1)}`;
}

/** `a, b, c and 12 more` */
export function some(names: readonly string[], most = 8): string {
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}

/** Characters as people and hosts count them: a surrogate pair is one. */
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

/** 1,024 */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function unknownModelText(host: string, model: string): string {
  return `Proctor does not know the model ${model}: is the name right? Descriptions get the room that ${host} gives a model it does not know.`;
}
