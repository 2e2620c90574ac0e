import { describe, expect, test } from "vitest";
import { find, patternFault } from "../../src/graders/patterns/pattern.ts";

// What Python 3.11's re.search says of the same pattern and text.
describe("Python's patterns mean what they mean in Python", () => {
  test.each<[string, string, string | undefined]>([
    ["\\w+", "Grüße!", "Grüße"],
    ["\\d", "٣", "٣"],
    ["\\s", "a\u00a0b", "\u00a0"],
    ["\\W", "é", undefined],
    ["\\D\\S", "٣x", undefined],
    ["[\\w-]+", "naïve-té", "naïve-té"],
    ["[^\\W_]", "_é", undefined as never],
    ["end$", "the end\n", "end\n"],
    ["end$", "the end\nof it", undefined],
    ["(?m)end$", "the end\nof it", "end"],
    ["^b", "a\nb", undefined],
    ["end\\Z", "the end\n", undefined],
    ["\\bfoo\\b", "a foo b", "foo"],
    ["\\bfoo\\b", "éfoo", undefined],
    ["\\bf\\b", "café f.", "f"],
    ["caf\\b", "café", undefined],
    ["\\b\\w+\\b", "Ärger", "Ärger"],
    ["(?i)\\bTODO\\b", "a todo, really", "todo"],
    ["a.\\bb", "a b", "a b"],
    ["a.b", "a\nb", undefined],
    ["(?s)a.b", "a\nb", "a\nb"],
    ["x{,2}y", "xxy", "xxy"],
    ["(?P<n>a)b", "ab", "ab"],
    ["a(?#comment)b", "ab", "ab"],
    ["\\u00e9", "é", "é"],
    ["[]x]", "]", "]"],
    ["a\\/b", "a/b", "a/b"],
  ])("%s in %j finds %j", (pattern, text, found) => {
    if (pattern === "[^\\W_]") expect(patternFault(pattern, "python")).toContain("inside brackets");
    else expect(find(pattern, text, "python")).toBe(found);
  });

  test.each([
    ["(?=ahead)", "look-around (character 1)"],
    ["x(?<!behind)", "look-around (character 2)"],
    ["(a)\\1", "back-references"],
    ["(?P<n>a)(?P=n)", "back-references"],
    ["\\Bx", "`\\B`"],
    ["a++", "possessive quantifiers"],
    ["(?>a)", "atomic groups"],
    ["(?x) a", "the flags a, L and x"],
  ])("%s cannot be honoured, and is refused with the place", (pattern, why) => {
    expect(patternFault(pattern, "python")).toContain("This pattern cannot be honoured");
    expect(patternFault(pattern, "python")).toContain(why);
  });

  test.each(["(", "a\\", "\\q", "[a"])("%s is no pattern", (pattern) => expect(patternFault(pattern, "python")).toContain("Not a pattern"));
});

test("Go's and evolve's are the engine's own", () => {
  expect(find("\\w+", "é a")).toBe("a");
  expect(find("end$", "the end\n")).toBeUndefined();
  expect(find("^b$", "a\nb\nc", "lines")).toBe("b");
});
