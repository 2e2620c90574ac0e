import { expect, test } from "vitest";
import { stem } from "../../src/cards/words/stem.ts";

// The examples of M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), carried through all steps.
const EXAMPLES = `caresses:caress ponies:poni ties:ti cats:cat feed:feed agreed:agre plastered:plaster bled:bled motoring:motor sing:sing
conflated:conflat troubled:troubl sized:size hopping:hop tanned:tan falling:fall hissing:hiss fizzed:fizz failing:fail filing:file happy:happi sky:sky
relational:relat conditional:condit rational:ration valenci:valenc digitizer:digit operator:oper feudalism:feudal decisiveness:decis hopefulness:hope
callousness:callous formaliti:formal sensitiviti:sensit sensibiliti:sensibl triplicate:triplic formative:form formalize:formal electriciti:electr
electrical:electr hopeful:hope goodness:good revival:reviv allowance:allow inference:infer airliner:airlin gyroscopic:gyroscop adjustable:adjust
defensible:defens irritant:irrit replacement:replac adjustment:adjust dependent:depend adoption:adopt communism:commun activate:activ angulariti:angular
homologous:homolog effective:effect bowdlerize:bowdler probate:probat rate:rate cease:ceas controll:control roll:roll`;

test.each(EXAMPLES.split(/\s+/).map((pair) => pair.split(":") as [string, string]))(
  "%s becomes %s",
  (word, expected) => {
    expect(stem(word)).toBe(expected);
  },
);

test("words that are not plain English letters stay as they are", () => {
  expect(["größer", "k8s", "天気", "is"].map(stem)).toEqual(["größer", "k8s", "天気", "is"]);
});
