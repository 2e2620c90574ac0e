import { z } from "zod";
import type { Check } from "../../model/index.ts";
import { checked } from "../checks.ts";
import { defineGrader } from "../grader.ts";
import { pattern, patternSyntax, rejectPatterns, searched } from "../patterns/pattern.ts";

/** YAML reads `42` and `true` as values; an author who looks for them in a reply means the text. */
export const wanted = z
  .union([z.string(), z.number(), z.boolean()])
  .transform(String)
  .refine((text) => text !== "", { error: "Every reply contains an empty text" });
const texts = z.union([wanted.transform((text) => [text]), z.array(wanted)]).default([]);
const patterns = z.array(pattern("any")).default([]);

const shape = {
  contains: texts,
  not_contains: texts,
  contains_cs: texts,
  not_contains_cs: texts,
  contains_any: texts,
  contains_any_cs: texts,
  regex_match: patterns,
  regex_not_match: patterns,
};

export const text = defineGrader({
  type: "text",
  config: z
    .strictObject({ ...shape, syntax: patternSyntax })
    .refine(({ syntax: _, ...lists }) => Object.values(lists).some((list) => list.length > 0), {
      error: `Nothing to check: name one of ${Object.keys(shape).join(", ")}`,
    })
    .superRefine((config, context) => {
      rejectPatterns(config.regex_match, { syntax: config.syntax, path: ["regex_match"], context });
      rejectPatterns(config.regex_not_match, { syntax: config.syntax, path: ["regex_not_match"], context });
    }),
  scoring: "mean",

  grade(config, { finalText }) {
    const folded = finalText.toLowerCase();
    const has = (text: string) => folded.includes(text.toLowerCase());
    const hasExactly = (text: string) => finalText.includes(text);
    const reply = { name: "the reply", texts: [{ path: "the reply", text: finalText }] };
    const search = (pattern: string, isWanted: boolean) =>
      searched(reply, { pattern, syntax: config.syntax, isWanted });
    return [
      ...config.contains.map((text) => containsCheck(text, has(text))),
      ...config.contains_cs.map((text) => containsCheck(text, hasExactly(text))),
      ...config.not_contains.map((text) => lacksCheck(text, has(text))),
      ...config.not_contains_cs.map((text) => lacksCheck(text, hasExactly(text))),
      ...anyCheck(config.contains_any, has),
      ...anyCheck(config.contains_any_cs, hasExactly),
      ...config.regex_match.map((pattern) => search(pattern, true)),
      ...config.regex_not_match.map((pattern) => search(pattern, false)),
    ];
  },
});

function containsCheck(text: string, found: boolean): Check {
  return checked(found, `the reply ${found ? "contains" : "does not contain"} "${text}"`);
}

function lacksCheck(text: string, found: boolean): Check {
  return checked(!found, `the reply ${found ? `contains "${text}", but must not` : `does not contain "${text}"`}`);
}

function anyCheck(texts: readonly string[], has: (text: string) => boolean): Check[] {
  if (texts.length === 0) return [];
  const found = texts.find(has);
  const none = `the reply contains none of ${texts.map((text) => `"${text}"`).join(", ")}`;
  return [checked(found !== undefined, found === undefined ? none : `the reply contains "${found}"`)];
}
