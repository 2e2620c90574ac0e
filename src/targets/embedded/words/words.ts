/** The words of a text in order, folded. Scripts that write no spaces between words are split by the segmenter. */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const [run] of spellOut(fold(text)).matchAll(RUN)) {
    if (!UNSPACED.test(run)) found.push(run.replace(/['’]s?$|['’]/g, ""));
    else for (const { segment, isWordLike } of segmenter().segment(run)) if (isWordLike) found.push(segment);
  }
  return found;
}

const RUN = /[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)*/gu;
/** Scripts that write no spaces between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

let sharedSegmenter: Intl.Segmenter | undefined;
function segmenter(): Intl.Segmenter {
  sharedSegmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  return sharedSegmenter;
}

/** Of a longer text only both ends are read: enough to route by, and the time stays bounded. */
const MOST_CHARACTERS = 16_000;
const TAIL = 4_000;

/** One form for what a reader sees as the same: case, compatibility forms, and accents where they are only accents. */
function fold(text: string): string {
  const bounded = text.length <= MOST_CHARACTERS ? text : ends(text);
  if (/^[\x00-\x7f]*$/.test(bounded)) return bounded.toLowerCase();
  return bounded.normalize("NFKD").replace(ACCENTS, "$1").normalize("NFC").toLowerCase();
}

/** Both ends, without the words cut in two. */
function ends(text: string): string {
  return `${text.slice(0, MOST_CHARACTERS - TAIL).replace(/\s\S{1,40}$/, "")} ${text.slice(-TAIL).replace(/^\S{1,40}\s/, "")}`;
}

const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu;

/** Spells out names told apart by punctuation alone: C#, C++, .NET. */
function spellOut(folded: string): string {
  return folded
    .replace(/(?<![\p{L}\p{N}])(c|f|j|q)#/gu, "$1sharp ")
    .replace(/(?<![\p{L}\p{N}])c\+\+/gu, "cpp ")
    .replace(/(?<![\p{L}\p{N}])\.net(?![\p{L}])/gu, "dotnet");
}
