import { remember } from "../../base/index.ts";

/**
 * Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980) for one lower-case English word.
 * Words with anything but the letters a to z come back unchanged.
 */
export const stem = remember(porterStem, 50_000);

function porterStem(word: string): string {
  if (word.length < 3 || /[^a-z]/.test(word)) return word;
  return step5(replaceSuffix(replaceSuffix(step1(word), STEP2, 1), STEP3, 1, step4));
}

const CONSONANT = "[^aeiou]";
const VOWEL = "[aeiouy]";
const CONSONANTS = `${CONSONANT}[^aeiouy]*`;
const VOWELS = `${VOWEL}[aeiou]*`;
/** Porter's measure m: how many vowel-consonant pairs a stem has. */
const MORE_THAN_0 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const MORE_THAN_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const EXACTLY_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`);
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?${VOWEL}`);
const SHORT = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);

const STEP2 = suffixes(
  "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log",
);
const STEP3 = suffixes("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:");
const STEP4 = suffixes(
  "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ion: ou: ism: ate: iti: ous: ive: ize:",
);

function step1(input: string): string {
  let word = input;
  if (/(ss|i)es$/.test(word)) word = word.slice(0, -2);
  else if (/[^s]s$/.test(word)) word = word.slice(0, -1);

  const ending = /(eed|ed|ing)$/.exec(word)?.[1];
  if (ending !== undefined) {
    const base = word.slice(0, -ending.length);
    if (ending === "eed") word = MORE_THAN_0.test(base) ? word.slice(0, -1) : word;
    else if (HAS_VOWEL.test(base)) word = restored(base);
  }
  return word.endsWith("y") && HAS_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

/** Restores the word before -ed or -ing: `hopp` was hop, `fil` was file. */
function restored(base: string): string {
  if (/(at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1);
  return SHORT.test(base) ? `${base}e` : base;
}

type Suffixes = [suffix: string, instead: string][];

function replaceSuffix(
  word: string,
  list: Suffixes,
  measure: 1 | 2,
  then: (word: string) => string = (same) => same,
): string {
  for (const [suffix, instead] of list) {
    if (!word.endsWith(suffix)) continue;
    const base = word.slice(0, -suffix.length);
    if (suffix === "ion" && !/[st]$/.test(base)) continue;
    return then((measure === 1 ? MORE_THAN_0 : MORE_THAN_1).test(base) ? base + instead : word);
  }
  return then(word);
}

function step4(word: string): string {
  return replaceSuffix(word, STEP4, 2);
}

function step5(input: string): string {
  let word = input;
  if (word.endsWith("e")) {
    const base = word.slice(0, -1);
    if (MORE_THAN_1.test(base) || (EXACTLY_1.test(base) && !SHORT.test(base))) word = base;
  }
  return word.endsWith("ll") && MORE_THAN_1.test(word) ? word.slice(0, -1) : word;
}

/** Parses `from:to` pairs, longest suffix first. */
function suffixes(pairs: string): Suffixes {
  return pairs
    .split(" ")
    .map((pair): [string, string] => {
      const [suffix = "", instead = ""] = pair.split(":");
      return [suffix, instead];
    })
    .sort(([a], [b]) => b.length - a.length);
}
