import { stem } from "./stem.ts";

/** Longer texts are read from both ends only: enough to route by, and a bound on the time it takes. */
const MOST_CHARACTERS = 16_000;
const TAIL = 4_000;

/** One form for what readers see as the same: compatibility forms, case, and accents of alphabets that use them as accents. */
function fold(text: string): string {
  const bounded = text.length <= MOST_CHARACTERS ? text : ends(text);
  if (/^[\x00-\x7f]*$/.test(bounded)) return bounded.toLowerCase();
  return bounded.normalize("NFKD").replace(ACCENTS, "$1").normalize("NFC").toLowerCase();
}

/** Both ends, without the words that are cut in two. */
function ends(text: string): string {
  return `${text.slice(0, MOST_CHARACTERS - TAIL).replace(/\s\S{1,40}$/, "")} ${text.slice(-TAIL).replace(/^\S{1,40}\s/, "")}`;
}

const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu;

/** The words of a text in order, folded. Scripts that put no space between words are cut by the segmenter. */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const [run] of spelled(fold(text)).matchAll(RUN)) {
    if (!UNSPACED.test(run)) found.push(run.replace(/['’]s?$|['’]/g, ""));
    else for (const { segment, isWordLike } of segmenter().segment(run)) if (isWordLike) found.push(segment);
  }
  return found;
}

const RUN = /[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)*/gu;
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

let sharedSegmenter: Intl.Segmenter | undefined;
function segmenter(): Intl.Segmenter {
  sharedSegmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  return sharedSegmenter;
}

/** Names whose only distinctive part is punctuation, spelled out. */
function spelled(folded: string): string {
  return folded
    .replace(/(?<![\p{L}\p{N}])(c|f|j|q)#/gu, "$1sharp ")
    .replace(/(?<![\p{L}\p{N}])c\+\+/gu, "cpp ")
    .replace(/(?<![\p{L}\p{N}])\.net(?![\p{L}])/gu, "dotnet");
}

/** English words that say nothing about a topic: function words, and the small talk of requests. */
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

const OTHER_LANGUAGES: ReadonlySet<string> = new Set(
  `der die das und oder fur mit nicht wenn ein eine einen ist auf von zu den dem des im bei auch wird werden nach uber aus
  le la les et ou pour avec une dans sur est pas que qui aux du au par lorsque quand cette ces
  el los las y para con una por del se cuando como es al lo sus si
  o os e ao da dos das em um uma quando nao ou sem
  il gli di che per con non una nel quando della
  het een van voor met niet wanneer op bij naar`.split(/\s+/),
);

/** True unless the text reads more like another language that is written in Latin letters. */
export function looksEnglish(tokens: readonly string[]): boolean {
  let english = 0;
  let other = 0;
  for (const token of tokens) {
    if (STOP_WORDS.has(token)) english++;
    if (OTHER_LANGUAGES.has(token)) other++;
  }
  return english >= other;
}

const stems = new Map<string, string>();

/** A word's stem, remembered. */
export function stemmed(word: string): string {
  let known = stems.get(word);
  if (known === undefined) {
    if (stems.size > 50_000) stems.clear();
    known = stem(word);
    stems.set(word, known);
  }
  return known;
}
