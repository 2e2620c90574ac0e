import { describe, expect, test } from "vitest";
import { checkLine, readChecksum, withChecksum } from "../../src/exam/record/lines/checksum.ts";

const json = JSON.stringify({ type: "trial", text: 'Größe, "quoted" and 😀', sum: "in the middle", n: 3 });

const read = (text: string, seed = "") => checkLine(Buffer.from(text), seed);

describe("a line with a checksum", () => {
  test.each([0, 1, 9, 10, 4_711, 999_999_999_999])(
    "number %d is read as it was written, and its checksum fits",
    (number) => {
      const { text, sum } = withChecksum(json, number, "0123456789abcdef");
      expect(read(text, "0123456789abcdef")).toEqual({ json, checksum: { number, sum, fits: true } });
    },
  );

  test("the header's own checksum is taken without a seed", () => {
    const { text, sum } = withChecksum(json, 0, "");
    expect(read(text)).toEqual({ json, checksum: { number: 0, sum, fits: true } });
  });

  test("of another record, at another place or with another text does not fit", () => {
    const { text } = withChecksum(json, 12, "0123456789abcdef");
    expect(read(text, "fedcba9876543210").checksum).toMatchObject({ number: 12, fits: false });
    expect(read(text.replace('"n":12', '"n":13'), "0123456789abcdef").checksum).toMatchObject({
      number: 13,
      fits: false,
    });
    expect(read(text.replace("Größe", "Grösse"), "0123456789abcdef").checksum).toMatchObject({ fits: false });
    expect(read(text.replace(/"sum":"./, '"sum":"'.concat("e")), "0123456789abcdef").checksum?.fits).toBe(
      text.includes('"sum":"e'),
    );
  });
});

describe("what is no checksum is none, and the line is read whole", () => {
  test.each([
    ["nothing", ""],
    ["no object", "text"],
    ["no members", "{}"],
    ["only an end", '"}'],
    ["a checksum alone", ',"n":1,"sum":"0123456789abcdef"}'.slice(1)],
    ["no number", '{"a":1,"n":,"sum":"0123456789abcdef"}'],
    ["a number with a leading zero", '{"a":1,"n":01,"sum":"0123456789abcdef"}'],
    ["a number that is too long", '{"a":1,"n":1234567890123,"sum":"0123456789abcdef"}'],
    ["a negative number", '{"a":1,"n":-1,"sum":"0123456789abcdef"}'],
    ["a checksum in capitals", '{"a":1,"n":1,"sum":"0123456789ABCDEF"}'],
    ["a checksum that is too short", '{"a":1,"n":1,"sum":"123456789abcdef"}'],
    ["another order", '{"a":1,"sum":"0123456789abcdef","n":1}'],
    ["something after it", '{"a":1,"n":1,"sum":"0123456789abcdef"} '],
  ])("%s", (_, text) => {
    expect(read(text)).toEqual({ json: text });
    expect(readChecksum(text)).toBeUndefined();
  });
});
