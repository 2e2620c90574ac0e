import { z } from "zod";
import { checked } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { find, pattern } from "../patterns/pattern.ts";

const words = z
  .union([z.string(), z.number(), z.boolean()])
  .transform(String)
  .refine((text) => text !== "", { error: "Every reply contains an empty text" });
const texts = z.union([words.transform((text) => [text]), z.array(words)]).default([]);
const patterns = z.array(pattern()).default([]);

const shape = {
  contains: texts,
  not_contains: texts,
  contains_cs: texts,
  not_contains_cs: texts,
  contains_any: texts,
  regex_match: patterns,
  regex_not_match: patterns,
};

/** waza's `text`: what the reply contains, whatever its case (`_cs`: with it), and what it matches. Its score is the share that passed. */
export const text = defineGrader({
  type: "text",
  config: z.strictObject(shape).refine((config) => Object.values(config).some((list) => list.length > 0), {
    error: `Nothing to check: name one of ${Object.keys(shape).join(", ")}`,
  }),
  scoring: "mean",

  grade(config, { finalText }) {
    const folded = finalText.toLowerCase();
    const has = (text: string, exact: boolean) =>
      exact ? finalText.includes(text) : folded.includes(text.toLowerCase());
    const wanted = (text: string, exact: boolean) => {
      const found = has(text, exact);
      return checked(found, `the reply ${found ? "contains" : "does not contain"} "${text}"`);
    };
    const unwanted = (text: string, exact: boolean) => {
      const found = has(text, exact);
      return checked(
        !found,
        `the reply ${found ? "contains" : "does not contain"} "${text}"${found ? ", but must not" : ""}`,
      );
    };
    return [
      ...config.contains.map((text) => wanted(text, false)),
      ...config.contains_cs.map((text) => wanted(text, true)),
      ...config.not_contains.map((text) => unwanted(text, false)),
      ...config.not_contains_cs.map((text) => unwanted(text, true)),
      ...(config.contains_any.length === 0 ? [] : [anyOf(config.contains_any, has)]),
      ...config.regex_match.map((wanted) => {
        const found = find(wanted, finalText);
        return checked(
          found !== undefined,
          found === undefined ? `nothing in the reply matches /${wanted}/` : `"${found}" matches /${wanted}/`,
        );
      }),
      ...config.regex_not_match.map((unwanted) => {
        const found = find(unwanted, finalText);
        const message =
          found === undefined
            ? `nothing in the reply matches /${unwanted}/`
            : `"${found}" matches /${unwanted}/, but must not`;
        return checked(found === undefined, message);
      }),
    ];
  },
});

function anyOf(texts: readonly string[], has: (text: string, exact: boolean) => boolean) {
  const found = texts.find((text) => has(text, false));
  const none = `the reply contains none of ${texts.map((text) => `"${text}"`).join(", ")}`;
  return checked(found !== undefined, found === undefined ? none : `the reply contains "${found}"`);
}
