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
    ["end$", "the end\n", "end"],
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
    ["[\\s\\S]+", "a\nb", "a\nb"],
    ["[^\\W_]+", "_é1_", "é1"],
    ["[^\\W\\d_]+", "1é_", "é"],
    ["[\\S]+", "a\u00a0b", "a"],
    ["[\\D]+", "a٣", "a"],
    ["[\\u2600-\\u27bf]", "ok ✓", "✓"],
    ["[\\x41-\\x43]+", "xABC", "ABC"],
    ["ba{,}", "baa", "baa"],
    ["\\101", "A", "A"],
    ["(?i)i", "İ", "İ"],
    ["(?i)ISTANBUL", "ıstanbul", "ıstanbul"],
    ["(?i)[a-z]+", "İstanbul", "İstanbul"],
    ["(?i)k", "\u212a", "\u212a"],
    ["(?i)straße", "STRASSE", undefined],
    ["(?i:to)do", "TOdo", "TOdo"],
    ["(foo|bar$)", "the bar\n", "bar"],
    ["\\s$", "foo\n\n", "\n"],
    ["\\n$", "foo\n", "\n"],
    ["(?m)^\\w+$", "é\nb", "é"],
    ["\\bfoo\\Z", "a foo", "foo"],
    ["^\\bfoo", "foo", "foo"],
    ["\\b(?:foo|bar)\\b", "a bar b", "bar"],
  ])("%s in %j finds %j", (pattern, text, found) => {
    expect(patternFault(pattern, "python")).toBeUndefined();
    expect(find(pattern, text, "python")).toBe(found);
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
    ["[\\W_]", "inside brackets"],
    ["end$\\n", "`$` that is followed by something (character 5)"],
    ["(end$|b)c", "`$` that is followed by something"],
    ["\\b^a", "`^` after `\\b`"],
    ["\\b\\w*\\b", "`\\b` where another may be at the same place"],
  ])("%s is not supported, and is refused with the place", (pattern, why) => {
    expect(patternFault(pattern, "python")).toContain("This pattern is not supported");
    expect(patternFault(pattern, "python")).toContain(why);
  });

  test.each(["(", "a\\", "\\q", "[a", "(?<n>a)", "(?U)a", "(?-i)x", "x(?i)y"])("%s is no pattern", (pattern) =>
    expect(patternFault(pattern, "python")).toContain("Not a pattern"),
  );
});

// What Go 1.26's regexp.FindString says of the same pattern and text.
describe("waza's patterns mean what they mean in Go", () => {
  test.each<[string, string, string | undefined]>([
    ["\\w+", "Grüße", "Gr"],
    ["\\W+", "Grüße", "üß"],
    ["\\bfoo\\b", "éfoo", "foo"],
    ["\\B.", "ab", "b"],
    ["\\d", "٣", undefined],
    ["\\s", "a\u00a0b", undefined],
    ["\\s", "a\u000bb", undefined],
    ["\\v", "\u000b", "\u000b"],
    ["end$", "the end\n", undefined],
    ["(?m)end$", "the end\nof it", "end"],
    ["end\\z", "the end", "end"],
    ["^b", "a\nb", undefined],
    ["(?m)^b", "a\nb", "b"],
    ["a.b", "a\nb", undefined],
    ["(?s)a.b", "a\nb", "a\nb"],
    ["(?i)k", "\u212a", "\u212a"],
    ["(?i)straße", "STRASSE", undefined],
    ["(?i)É", "é", "é"],
    ["[[:alpha:]]+", "é1ab", "ab"],
    ["\\pL+", "1é", "é"],
    ["\\p{Greek}", "aλ", "λ"],
    ["\\Q.+\\E", "a.+b", ".+"],
    ["(?U)a+", "aaa", "a"],
    ["a{,2}", "a{,2}", "a{,2}"],
    ["x{0,2}y", "xxy", "xxy"],
    ["(?P<n>a)b", "ab", "ab"],
    ["(?<n>a)b", "ab", "ab"],
    ["\\x{e9}", "é", "é"],
    ["\\xe9", "é", "é"],
    ["\\101", "A", "A"],
    ["[^a\\n]+", "a\nbc", "bc"],
    ["[\\d-]+", "1-2", "1-2"],
    ["(?i:to)do", "TOdo", "TOdo"],
    ["x(?i)y", "xY", "xY"],
    ["a|ab", "ab", "a"],
    ["(a|ab)(c|bcd)", "abcd", "abcd"],
    ["$", "x", ""],
    ["\\A\\z", "", ""],
    ["é", "e\u0301", undefined],
  ])("%s in %j finds %j", (pattern, text, found) => {
    expect(patternFault(pattern, "re2")).toBeUndefined();
    expect(find(pattern, text)).toBe(found);
  });

  test.each("( a** (?=a) (?<!a) (a)\\1 (?P=n) \\Z \\u00e9 \\q a++ x{1001} [b-a] (?x)a (?>a) \\8 \\pX *a \\".split(" "))(
    "%s is no pattern there, and none here",
    (pattern) => expect(patternFault(pattern, "re2")).toContain("Not a pattern"),
  );
});

test("evolve's hold at every line", () => {
  expect(find("^b$", "a\nb\nc", "lines")).toBe("b");
});
