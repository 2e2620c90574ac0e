import type { Host } from "../../hosts/index.ts";
import { hostNames } from "../../hosts/index.ts";

/** Hosts, with the verb for one and for several of them. */
export type Effect = readonly [hosts: readonly Host[], one: string, several: string];

/** `Copilot CLI drops it. Codex and Gemini CLI load it.` */
export function told(effects: readonly Effect[]): string {
  const sentences = effects.flatMap(([who, one, several]) =>
    who.length === 0 ? [] : [`${capital(hostNames(who))} ${who.length === 1 ? one : several}.`],
  );
  return sentences.join(" ");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
