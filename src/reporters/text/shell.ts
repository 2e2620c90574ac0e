/** A word of a command that a person may paste into a shell. */
export function shellWord(text: string, always = false): string {
  if (!always && /^[\w@%+=:,./-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) || !isPlain(text)
    ? `'${text.replace(/[\p{Cc}\p{Cf}]/gu, "").replaceAll("'", "'\\''")}'`
    : `"${text}"`;
}

/** True without control or invisible characters: what cannot be seen should not be pasted. */
export function isPlain(text: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u.test(text);
}

/** What a command must be given to mean the same library, as it was typed, with a space before it; "" when nothing was. */
export function scopeWords(paths: readonly string[], config: string | undefined): string {
  return [...paths, ...(config === undefined ? [] : ["--config", config])]
    .map((word) => ` ${shellWord(word)}`)
    .join("");
}

/** The address of the workers, as a word of a suggested command; it may hold a password. */
export function workersWord(url: string): string {
  return url.includes("@") ? "URL" : shellWord(url);
}
