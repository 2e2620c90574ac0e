import { OTHER_LANGUAGES, STOP_WORDS } from "./english.ts";
import { words } from "./words.ts";

/** As far as it can be told from a few words: English, another language in Latin letters, or the script. */
type Language = "english" | "latin" | (typeof SCRIPTS)[number]["name"];

/** undefined when the text is too short to tell. */
function languageOf(text: string): Language | undefined {
  const script = /^[\x00-\x7f]*$/.test(text) ? undefined : scriptOf(text);
  if (script !== undefined) return script;
  let english = 0;
  let other = 0;
  for (const word of words(text)) {
    if (STOP_WORDS.has(word)) english++;
    if (OTHER_LANGUAGES.has(word)) other++;
  }
  if (other > english && other >= 2) return "latin";
  return english > other ? "english" : undefined;
}

function scriptOf(text: string): Language | undefined {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length;
  // Technical terms stay in Latin letters whatever the language.
  return SCRIPTS.find(({ letter }) => letters.filter((one) => letter.test(one)).length >= Math.max(2, 0.3 * latin))
    ?.name;
}

/** Kana before Han: Japanese is written in both. */
const SCRIPTS = [
  { name: "japanese", letter: /[\p{Script=Hiragana}\p{Script=Katakana}]/u },
  { name: "chinese", letter: /\p{Script=Han}/u },
  { name: "korean", letter: /\p{Script=Hangul}/u },
  { name: "cyrillic", letter: /\p{Script=Cyrillic}/u },
  { name: "greek", letter: /\p{Script=Greek}/u },
  { name: "arabic", letter: /\p{Script=Arabic}/u },
  { name: "hebrew", letter: /\p{Script=Hebrew}/u },
  { name: "thai", letter: /\p{Script=Thai}/u },
  { name: "devanagari", letter: /\p{Script=Devanagari}/u },
] as const;

/** Says whether a prompt is in a language that none of these texts is in; they are made when they are needed. */
export function createForeign(texts: () => Iterable<string>): (prompt: string) => boolean {
  const foreign = new Map<Language, boolean>();
  return (prompt) => {
    const language = languageOf(prompt);
    if (language === undefined) return false;
    const known = foreign.get(language) ?? isForeign(language, texts());
    foreign.set(language, known);
    return known;
  };
}

function isForeign(language: Language, texts: Iterable<string>): boolean {
  let told = false;
  for (const text of texts) {
    const own = languageOf(text);
    if (own === language) return false;
    told ||= own !== undefined;
  }
  return told;
}
