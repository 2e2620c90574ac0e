import { shellWord } from "../reports/index.ts";

/** What a command must be given to mean the same library, as it was typed, with a space before it; "" when nothing was. */
export function where(paths: readonly string[], config: string | undefined): string {
  return [...paths, ...(config === undefined ? [] : ["--config", config])].map((word) => ` ${shellWord(word)}`).join("");
}
