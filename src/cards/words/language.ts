import { words } from "./words.ts";

/** What a few words reveal: English, another language in Latin letters, or the script. */
type Language = "english" | "latin" | (typeof SCRIPTS)[number]["name"];

/** Undefined if the text is too short to tell. */
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

/** Tells whether a prompt is in a language that none of the texts is in. The texts are read on first use. */
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

/** True unless the words read more like another language in Latin script. */
export function looksEnglish(tokens: readonly string[]): boolean {
  let english = 0;
  let other = 0;
  for (const token of tokens) {
    if (STOP_WORDS.has(token)) english++;
    if (OTHER_LANGUAGES.has(token)) other++;
  }
  return english >= other;
}

/** English words without a topic: function words, and the phrases people wrap around a request. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are arent as at be because been before being below between both but by can cannot cant
  could couldnt did didnt do does doesnt doing dont down during each either else ever every few for from further get gets getting give goes going got had hadnt
  has hasnt have havent having he hello help helps her here hers hey hi him his how i id if ill im in into is isnt it its itself ive just know let lets like
  make makes making many may me might more most much must my myself need needs no nor not now of off ok okay on once one only or other our ours out over own
  please rather really same shall she should shouldnt show so some somehow something sure such take tell than thank thanks that thats the their theirs them then there theres these they
  theyre thing things think this those through to too try trying under until up us using very via want wants was wasnt way we well were werent weve what whats when whenever
  where whether which while who whom whose why will with within without wont would wouldnt yes yet you youd youll your youre yours youve
  use used user users uses skill skills trigger triggers ask asks asked asking say says said mention mentions`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** Function words of German, French, Spanish, Portuguese, Italian and Dutch. */
const OTHER_LANGUAGES: ReadonlySet<string> = new Set(
  `der die das und oder fur mit nicht wenn ein eine einen ist auf von zu den dem des im bei auch wird werden nach uber aus
  le la les et ou pour avec une dans sur est pas que qui aux du au par lorsque quand cette ces
  el los las y para con una por del se cuando como es al lo sus si
  o os e ao da dos das em um uma quando nao ou sem
  il gli di che per con non una nel quando della
  het een van voor met niet wanneer op bij naar`.split(/\s+/),
);
