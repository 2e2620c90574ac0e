/** The folded words of a text, in order. Scripts without spaces are split by the segmenter. */
export function words(text: string): readonly string[] {
  // One query is split several times in a row.
  if (text !== last.text) last = { text, words: findWords(text) };
  return last.words;
}

let last: { text: string; words: readonly string[] } = { text: "", words: [] };

function findWords(text: string): string[] {
  const folded = spellOut(fold(text));
  if (IS_ASCII.test(folded)) return asciiWords(folded);
  const found: string[] = [];
  for (const [run] of folded.matchAll(RUN)) {
    if (!UNSPACED.test(run)) found.push(bare(run));
    else for (const { segment, isWordLike } of segmenter().segment(run)) if (isWordLike) found.push(segment);
  }
  return found;
}

/** Several times as fast as the general pattern, and most texts are plain ASCII. */
function asciiWords(folded: string): string[] {
  const found: string[] = folded.match(ASCII_RUN) ?? [];
  return folded.includes("'") ? found.map(bare) : found;
}

function bare(run: string): string {
  return run.replace(/['’]s?$|['’]/g, "");
}

const IS_ASCII = /^[\x00-\x7f]*$/;
const ASCII_RUN = /[a-z0-9]+(?:'[a-z]+)*/g;
const RUN = /[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)*/gu;
/** Scripts without spaces between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

let sharedSegmenter: Intl.Segmenter | undefined;
function segmenter(): Intl.Segmenter {
  sharedSegmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  return sharedSegmenter;
}

/** Only both ends of a longer text are read, to bound the time. */
const MOST_CHARACTERS = 16_000;
const TAIL = 4_000;

/** Folds case, compatibility forms and accents. */
function fold(text: string): string {
  const bounded = text.length <= MOST_CHARACTERS ? text : ends(text);
  if (IS_ASCII.test(bounded)) return bounded.toLowerCase();
  return bounded.normalize("NFKD").replace(ACCENTS, "$1").normalize("NFC").toLowerCase();
}

/** Both ends, without the words that the cut splits. */
function ends(text: string): string {
  return `${text.slice(0, MOST_CHARACTERS - TAIL).replace(/\s\S{1,40}$/, "")} ${text.slice(-TAIL).replace(/^\S{1,40}\s/, "")}`;
}

const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu;

/** Spells out names that differ only in punctuation: C#, C++, .NET. */
function spellOut(folded: string): string {
  if (!/[#+]|\.net/.test(folded)) return folded;
  return folded
    .replace(/(?<![\p{L}\p{N}])(c|f|j|q)#/gu, "$1sharp ")
    .replace(/(?<![\p{L}\p{N}])c\+\+/gu, "cpp ")
    .replace(/(?<![\p{L}\p{N}])\.net(?![\p{L}])/gu, "dotnet");
}
