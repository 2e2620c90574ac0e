/** Shorter values are words like `true`: masking them would garble what is kept without hiding anything. */
const SHORTEST = 6;

/** A word, a number or a path: whatever a variable is called, such a value is no secret. */
export function isOrdinary(value: string): boolean {
  if (isWord(value) || /^-?\d{1,7}(\.\d+)?$/.test(value)) return true;
  return (
    /^(~|\.{1,2}|[A-Za-z]:)?[\\/][^\s=+]*$/.test(value) &&
    !value.split(/[\\/]/).some((part) => /^(?=.*\d)(?=.*[A-Z])[\w-]{32,}$/.test(part))
  );
}

/** Too short, or a word that programs use. */
export function isWord(value: string): boolean {
  return value.length < SHORTEST || WORDS.has(value.toLowerCase());
}

const WORDS = new Set(
  `always anonymous apikey api-key authorization automatic basic bearer bearer-token claude client codex completed default development
  disabled disable embedded enabled enable example external footer gemini header keyring keychain loaded local localhost manual native
  negative never oauth oauth2 oauth-personal object optional password positive private production project prompt public question required
  secret server service session skipped ssh-agent staging standard string system target token trigger triggers undefined unknown username`.split(
    /\s+/,
  ),
);
