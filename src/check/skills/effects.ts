import type { Host } from "../../hosts/index.ts";
import { hostNames } from "../../hosts/index.ts";

export type Effect = readonly [hosts: readonly Host[], one: string, several: string];

export function told(effects: readonly Effect[]): string {
  const sentences = effects.flatMap(([who, one, several]) =>
    who.length === 0 ? [] : [`${capital(hostNames(who))} ${who.length === 1 ? one : several}.`],
  );
  return sentences.join(" ");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
