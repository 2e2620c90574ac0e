import type { Usage } from "./events.ts";

/** All tokens of a trial. Those read from and written to a provider's cache are part of the input, and not counted again. */
export function totalTokens(usage: Usage | undefined): number | undefined {
  if (usage === undefined) return undefined;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const cached =
    cacheReadTokens === undefined && cacheWriteTokens === undefined
      ? undefined
      : (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  const input = inputTokens ?? cached;
  return input === undefined && outputTokens === undefined ? undefined : (input ?? 0) + (outputTokens ?? 0);
}
