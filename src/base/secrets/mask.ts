import { maskPieces } from "./mask-pieces.ts";
import { isWord } from "./ordinary.ts";

export type Mask = (text: string) => string;

const MASKED = "[masked]";

/**
 * A mask for the given secrets and for tokens recognisable by their shape. Finds a secret verbatim, escaped for JSON
 * once or twice, percent-encoded, in Base64 at any offset (`user:key`), and in pieces, as streaming cuts it. For free
 * text only: what a program reads again is never masked.
 */
export function createMask(values: Iterable<string | undefined>): Mask {
  const { secrets, whole } = searchFor(values);
  const pieces = maskPieces(secrets, MASKED);
  return (text) => pieces(maskShapes(maskWhole(text, whole)));
}

/**
 * A mask that cannot swallow a quote, so JSON stays JSON. A password that is a word may also be the name of a member,
 * an element or an attribute: names are left alone.
 */
export function createPlainMask(values: Iterable<string | undefined>): Mask {
  const { whole } = searchFor(values);
  const [words, others] = [whole.filter((secret) => WORD.test(secret)), whole.filter((secret) => !WORD.test(secret))];
  return (text) => {
    let shown = maskWhole(text, others);
    for (const word of words) if (shown.includes(word)) shown = maskOutsideOfNames(shown, word);
    return shown;
  };
}

const WORD = /^[A-Za-z_]{1,30}$/;

function maskOutsideOfNames(text: string, word: string): string {
  return text.replaceAll(word, (_found, at: number) => {
    const before = text.slice(Math.max(0, at - 40), at);
    const after = text.slice(at + word.length, at + word.length + 40);
    const isMember = /"[\w.-]*$/.test(before) && /^[\w.-]*"\s?:/.test(after);
    const isElement = /<\/?\w*$/.test(before) || (/\s\w*$/.test(before) && /^\w*="/.test(after));
    return isMember || isElement ? word : MASKED;
  });
}

function searchFor(values: Iterable<string | undefined>): { secrets: string[]; whole: string[] } {
  const given = [...values].filter((value) => value !== undefined).map((value) => value.trim());
  const secrets = [...new Set(given)].filter((value) => !isWord(value));
  return { secrets, whole: [...new Set(secrets.flatMap(forms))].sort((a, b) => b.length - a.length) };
}

function maskWhole(text: string, whole: readonly string[]): string {
  for (const secret of whole) if (text.includes(secret)) text = text.replaceAll(secret, MASKED);
  return text;
}

/** Hardly any line contains a token, so a cheap test comes first. */
function maskShapes(text: string): string {
  return MAYBE.test(text) ? text.replace(TOKENS, MASKED) : text;
}

/**
 * Not in the middle of a word (`task-…` is no `sk-…`). In JSON text an escape such as `
 * ` may precede it.
 */
const START = "(?:(?<![A-Za-z0-9_])|(?<=\\\\[nrtbf]))";

const TOKENS_BY_SHAPE = [
  "sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]{12,}",
  "sk-[A-Za-z0-9]{20,}",
  "(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}",
  "whsec_[A-Za-z0-9+/]{20,}",
  "(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}",
  "github_pat_[A-Za-z0-9_]{20,}",
  "gl(?:pat|dt|rt|ptt|cbt|soat)-[A-Za-z0-9_-]{20,}",
  "AIza[A-Za-z0-9_-]{30,}",
  "ya29\\.[A-Za-z0-9_-]{20,}",
  "(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}",
  "xai-[A-Za-z0-9]{20,}",
  "gsk_[A-Za-z0-9]{20,}",
  "hf_[A-Za-z0-9]{20,}",
  "npm_[A-Za-z0-9]{30,}",
  "pypi-AgE[A-Za-z0-9_-]{20,}",
  "dckr_pat_[A-Za-z0-9_-]{20,}",
  "hv[bs]\\.[A-Za-z0-9_-]{20,}",
  "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}",
  "shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}",
  "do[opr]_v1_[a-f0-9]{20,}",
  "lin_(?:api|oauth)_[A-Za-z0-9]{20,}",
  "fm[12]_[A-Za-z0-9+/=]{20,}",
  "glsa_[A-Za-z0-9_]{20,}",
  "nvapi-[A-Za-z0-9_-]{20,}",
  "pplx-[A-Za-z0-9]{20,}",
  "GOCSPX-[A-Za-z0-9_-]{20,}",
  "ATATT3[A-Za-z0-9_=-]{20,}",
  "[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}",
  "(?:AKIA|ASIA)[0-9A-Z]{16}",
  "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*",
  "[Bb]earer\\s+[A-Za-z0-9._~+/-]{16,}=*",
];

const SHAPES = [
  // The prefix is tested once, not once per shape.
  `${START}(?:${TOKENS_BY_SHAPE.join("|")})`,
  "(?<=https://(?:hooks\\.slack\\.com/services|(?:[a-z]+\\.)?discord(?:app)?\\.com/api/webhooks)/)[A-Za-z0-9/_-]{16,}",
  "(?<=[Aa]uthorization[\"'\\\\]{0,4}\\s{0,4}[:=]\\s{0,4}[\"'\\\\]{0,4}[Bb]asic\\s{1,4})[A-Za-z0-9+/]{8,}=*",
  // Passwords and keys in a URL.
  "(?<=:\\/\\/[^\\s/:@\"'\\\\]{0,200}:)[^\\s/@\"'\\\\]{3,400}(?=@)",
  "(?<=[?&](?:[A-Za-z_-]{0,20}(?:key|token|secret|signature|password)|sig)=)[^\\s&#\"'\\\\]{6,2000}",
  "-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
];

const TOKENS = new RegExp(SHAPES.join("|"), "g");
const MAYBE =
  /(?:\b|\\[nrtbf])(?:[sr]k[-_]|whsec_|gh[oprsu]_|github_pat_|gl[a-z]{2,4}-|glsa_|AIza|ya29|xox|xapp-|xai-|gsk_|hf_|npm_|pypi-|dckr_|hv[bs]\.|SG\.|shp[a-z]{2}_|do[opr]_v1|lin_|fm[12]_|nvapi-|pplx-|GOCSPX|ATATT3|\d{8,10}:AA|A[KS]IA|eyJ|[Bb]earer|[Bb]asic\s)|-----BEGIN|:\/\/|[?&][\w-]{0,40}=/;

function forms(secret: string): string[] {
  const escaped = inJson(secret);
  return [secret, escaped, inJson(escaped), encodeURIComponent(secret), ...base64Forms(secret)];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const LEAST_BASE64 = 8;

/** The characters that depend on the secret alone, for each offset within a group of three bytes. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
  });
  const whole = bytes.toString("base64");
  return [whole, ...inside]
    .flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")])
    .filter((text) => text.length >= LEAST_BASE64);
}
