import fc from "fast-check";
import { expect, test } from "vitest";
import { words } from "../../src/cards/words/words.ts";

/** One letter that is not plain makes the whole text be read the general way. */
const OTHER = "ж";

test.each([
  [
    "Don't use the user's C# or C++ on .NET 8",
    ["dont", "use", "the", "user", "csharp", "or", "cpp", "on", "dotnet", "8"],
  ],
  ["rock 'n' roll, o'clock's", ["rock", "n", "roll", "oclock"]],
  ["x.networks ends with a quote'", ["x", "networks", "ends", "with", "a", "quote"]],
])("%s", (text, expected) => {
  expect(words(text)).toEqual(expected);
  expect(words(`${text} ${OTHER}`)).toEqual([...expected, OTHER]);
});

test("plain letters are read as any others are, only faster", () => {
  const piece = fc.constantFrom(
    "a",
    "Z",
    "7",
    "'",
    "'s",
    "#",
    "+",
    "c++",
    "c#",
    ".net",
    ".NET core",
    " ",
    "-",
    "_",
    "\n",
    "don't",
    "İ",
    "é",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      expect([...words(text), OTHER]).toEqual(words(`${text} ${OTHER}`));
    }),
  );
});
