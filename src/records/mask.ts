import { maskPieces } from "./mask-pieces.ts";

/** Replaces every secret in a text. */
export type Mask = (text: string) => string;

const MASKED = "[masked]";
/** Shorter values are words like `true`, and masking them would garble the record without hiding anything. */
const SHORTEST = 6;

/**
 * A mask for the given secrets (the values of key variables that are passed on, say) and for tokens recognisable by their shape.
 * A secret is found as it is, escaped for JSON once or twice, percent-encoded, in Base64, and in pieces, as streamed output cuts it.
 */
export function createMask(values: Iterable<string | undefined>): Mask {
  const secrets = [...new Set([...values].filter((value) => value !== undefined).map((value) => value.trim()))].filter(
    (value) => value.length >= SHORTEST,
  );
  const whole = [...new Set(secrets.flatMap(forms))].sort((a, b) => b.length - a.length);
  const pieces = maskPieces(secrets, MASKED);
  return (text) => pieces(maskShapes(maskWhole(text, whole)));
}

function maskWhole(text: string, whole: readonly string[]): string {
  for (const secret of whole) if (text.includes(secret)) text = text.replaceAll(secret, MASKED);
  return text;
}

/** Nearly every line has no token in it, so a cheap look comes first. */
function maskShapes(text: string): string {
  return MAYBE.test(text) ? text.replace(TOKENS, MASKED) : text;
}

/** Not in the middle of a word (`task-…` is no `sk-…`); in JSON text an escape like `\n` may stand before it. */
const START = "(?:(?<![A-Za-z0-9_])|(?<=\\\\[nrtbf]))";

const SHAPES = [
  "sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]{12,}",
  "sk-[A-Za-z0-9]{20,}",
  "(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}",
  "github_pat_[A-Za-z0-9_]{20,}",
  "glpat-[A-Za-z0-9_-]{20,}",
  "AIza[A-Za-z0-9_-]{30,}",
  "ya29\\.[A-Za-z0-9_-]{20,}",
  "xox[abeoprs]-[A-Za-z0-9-]{10,}",
  "xai-[A-Za-z0-9]{20,}",
  "gsk_[A-Za-z0-9]{20,}",
  "hf_[A-Za-z0-9]{20,}",
  "npm_[A-Za-z0-9]{30,}",
  "(?:AKIA|ASIA)[0-9A-Z]{16}",
  "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*",
  "[Bb]earer\\s+[A-Za-z0-9._~+/-]{16,}=*",
]
  .map((shape) => START + shape)
  .concat("-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)");

const TOKENS = new RegExp(SHAPES.join("|"), "g");
const MAYBE = /(?:\b|\\[nrtbf])(?:sk-|gh[oprsu]_|github_pat_|glpat-|AIza|ya29|xox|xai-|gsk_|hf_|npm_|A[KS]IA|eyJ|[Bb]earer)|-----BEGIN/;

function forms(secret: string): string[] {
  const escaped = inJson(secret);
  return [secret, escaped, inJson(escaped), encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
