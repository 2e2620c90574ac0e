import { remember } from "../../base/index.ts";

export const normalText = remember((text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim(),
);

const common = new Set(
  "the and for with this that from into your you are was were what where how why not can should using about have has had but all any too out get let use when user users asks ask wants want need needs skill skills them they their its our like make does don don't please help just there here some one also only than then will would could been being over more most via per".split(
    " ",
  ),
);

export const contentWords = remember(
  (text): ReadonlySet<string> =>
    new Set(
      normalText(text)
        .split(" ")
        .filter((word) => word.length > 2 && !common.has(word))
        .map(stem),
    ),
);

function stem(word: string): string {
  const short = word.replace(/(?:ings?|ed|es|s)$/, "");
  return short.length >= 3 ? short : word;
}
