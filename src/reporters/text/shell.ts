/** Quotes a word of a command that a person may paste into a shell. */
export function shellWord(text: string, always = false): string {
  if (!always && /^[\w@%+=:,./-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) || !isPlain(text)
    ? `'${text.replace(/[\p{Cc}\p{Cf}]/gu, "").replaceAll("'", "'\\''")}'`
    : `"${text}"`;
}

/** False for control or invisible characters: nobody should paste what they cannot see. */
export function isPlain(text: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u.test(text);
}

/**
 * The paths and configuration as typed, with a leading space, so that a command uses the same library; "" without any.
 */
export function scopeWords(paths: readonly string[], config: string | undefined): string {
  return [...paths, ...(config === undefined ? [] : ["--config", config])]
    .map((word) => ` ${shellWord(word)}`)
    .join("");
}

/** An address with credentials becomes a placeholder. */
export function workersWord(url: string): string {
  return url.includes("@") ? "URL" : shellWord(url);
}
