import { isOrdinary } from "./ordinary.ts";

export function secretsOf(variables: Record<string, string | undefined>): string[] {
  return Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : secretsIn(name, value)));
}

function secretsIn(name: string, value: string): string[] {
  const text = value.trim();
  const inside = insideOf(text);
  if (inside.length > 0) return inside;
  if (isOrdinary(text) || ADDRESS.test(text)) return isWebhook(name, text) ? [text] : [];
  switch (sayingOf(name)) {
    case "password":
      return [text];
    case "secret":
      return /^[a-z]{1,7}$/i.test(text) ? [] : [text];
    case "perhaps":
      return looksRandom(text) ? [text] : [];
    case "nothing":
      return [];
  }
}

export function secretsOfTarget(variables: Record<string, string | undefined>): string[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    const found = value === undefined ? [] : secretsIn(name, value);
    return found.length > 0 || value === undefined ? found : secretsIn("KEY", value);
  });
}

const PASSWORDS = new Set(["PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "PWD", "SECRET", "SECRETS"]);
const SECRETS = new Set(["TOKEN", "PAT", "APIKEY", "CREDENTIAL", "CREDENTIALS", "BEARER", "JWT", "COOKIE"]);
const KEYS_OF = new Set([
  "API",
  "ACCESS",
  "PRIVATE",
  "SECRET",
  "ENCRYPTION",
  "SIGNING",
  "MASTER",
  "ACCOUNT",
  "LICENSE",
  "LICENCE",
]);
/** `TOKEN_LIMIT` or `SECRET_NAME` is about a secret, but is none. */
const ABOUT =
  /^(FILE|PATH|DIR|MODE|TYPE|NAME|IDS?|UR[LI]|HOST|PORT|METHOD|SOCK|LIMIT|MAX|TTL|EXPIRY|ALGORITHM|HEADER|ENDPOINT|USER|USERNAME|PROVIDER|STORE|COUNT|SIZE|ENABLED|TIMEOUT|REGION)$/;
const PERHAPS =
  /(KEY|TOKEN|SECRET|PASS\w{0,30}|PWD|AUTH\w{0,30}|CRED\w{0,30}|WEBHOOK|DSN|SALT|SIGNATURE|SESSION|CONNECTION|PRIVATE|COOKIE|SEED|MNEMONIC|CONTRASENA|SENHA|WACHTWOORD|GEHEIM\w{0,30})S?$/;

function sayingOf(name: string): "password" | "secret" | "perhaps" | "nothing" {
  const words = wordsOf(name);
  // The shell's own variables: current and previous folder.
  if (/^(OLD)?PWD$/.test(words.join(""))) return "nothing";
  const isAbout = ABOUT.test(words.at(-1) ?? "");
  if (!isAbout && words.some((word) => PASSWORDS.has(word) || /(PASSWORD|SECRET)$/.test(word))) return "password";
  if (!isAbout && (words.at(-1) === "AUTH" || words.some((word, index) => isSecretWord(word, words[index - 1]))))
    return "secret";
  return words.some((word) => PERHAPS.test(word) || word === "PAT") ? "perhaps" : "nothing";
}

function isSecretWord(word: string, before = ""): boolean {
  return SECRETS.has(word) || /(APIKEY|TOKEN)$/.test(word) || (word === "KEY" && KEYS_OF.has(before));
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== "");
}

function looksRandom(text: string): boolean {
  if (/\s/.test(text) || text.length < 8) return false;
  if (/^[\w-]{1,20}(\.[\w-]{1,20})*\.[a-z]{2,10}(:\d+)?$/i.test(text)) return false;
  const digits = text.match(/\d/g)?.length ?? 0;
  if (/[a-z]/i.test(text) && digits >= 2) return true;
  // Camel-case words have fewer capitals.
  if (/^[a-z]{20,}$/i.test(text) && (text.match(/[a-z][A-Z]/g)?.length ?? 0) >= text.length / 6) return true;
  return text.length >= 20 && /[a-z]/i.test(text) && !/^[a-z]+([-_.:/,][a-z]+)*$/i.test(text);
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/\S*$/i;

function isWebhook(name: string, text: string): boolean {
  return ADDRESS.test(text) && (/WEBHOOK|HOOK_UR[LI]/i.test(name) || HOOKS.test(text)) && text.length >= 30;
}

const HOOKS =
  /^https:\/\/(hooks\.slack\.com\/|(?:[\w-]+\.)?discord(?:app)?\.com\/api\/webhooks\/|[\w-]+\.webhook\.office\.com\/)/i;

function insideOf(text: string): string[] {
  const found = [
    ...text.matchAll(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,200}:([^\s/@]{1,400})@/gi),
    ...text.matchAll(/[?&](?:[\w-]*(?:key|token|secret|signature|password)|sig|auth)=([^\s&#]+)/gi),
    ...(/;/.test(text)
      ? text.matchAll(/(?:^|;)\s*(?:password|pwd|accountkey|sharedaccesskey|sharedaccesssignature)\s*=\s*([^;]+)/gi)
      : []),
  ].flatMap(([, secret = ""]) => [secret, decoded(secret)]);
  return [...new Set(found)].filter((secret) => !isOrdinary(secret));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
