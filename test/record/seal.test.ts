import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSealed, sealed, unsealed } from "../../src/exam/record/lines/seal.ts";
import { ROOM } from "../../src/exam/record/lines/whole-lines.ts";

const json = JSON.stringify({ type: "trial", text: 'Größe, "quoted" and 😀', sum: "in the middle", n: 3 });

/** A line as it lies in a buffer, between others. */
function inBuffer(text: string): { data: Buffer; start: number; end: number } {
  const line = Buffer.from(text);
  const data = Buffer.concat([Buffer.alloc(ROOM + 5, "x"), line, Buffer.from('\n{"next":"line"}')]);
  return { data, start: ROOM + 5, end: ROOM + 5 + line.length };
}

const read = (text: string, seed = "") => readSealed(inBuffer(text), seed);

describe("a sealed line", () => {
  test.each([0, 1, 9, 10, 4_711, 999_999_999_999])(
    "number %d is read as it was written, and its checksum fits",
    (number) => {
      const { text, sum } = sealed(json, number, "0123456789abcdef");
      expect(read(text, "0123456789abcdef")).toEqual({ json, seal: { number, sum, fits: true } });
    },
  );

  test("the header's own checksum is taken without a seed", () => {
    const { text, sum } = sealed(json, 0, "");
    expect(read(text)).toEqual({ json, seal: { number: 0, sum, fits: true } });
  });

  test("of another record, at another place or with another text does not fit", () => {
    const { text } = sealed(json, 12, "0123456789abcdef");
    expect(read(text, "fedcba9876543210").seal).toMatchObject({ number: 12, fits: false });
    expect(read(text.replace('"n":12', '"n":13'), "0123456789abcdef").seal).toMatchObject({ number: 13, fits: false });
    expect(read(text.replace("Größe", "Grösse"), "0123456789abcdef").seal).toMatchObject({ fits: false });
    expect(read(text.replace(/"sum":"./, '"sum":"'.concat("e")), "0123456789abcdef").seal?.fits).toBe(
      text.includes('"sum":"e'),
    );
  });

  test("what lies after it in the buffer stays", () => {
    const line = inBuffer(sealed(json, 3, "0123456789abcdef").text);
    readSealed(line, "0123456789abcdef");
    expect(line.data.toString("utf8", line.end)).toBe('\n{"next":"line"}');
  });
});

describe("what is no seal is none, and the line is read whole", () => {
  test.each([
    ["nothing", ""],
    ["no object", "text"],
    ["no members", "{}"],
    ["only an end", '"}'],
    ["a seal alone", ',"n":1,"sum":"0123456789abcdef"}'.slice(1)],
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
    expect(unsealed(text)).toBeUndefined();
  });
});

test("what lies before a line is no part of its seal", () => {
  const text = '123456789012,"sum":"0123456789abcdef"}';
  const data = Buffer.from(`${"x".repeat(ROOM)},"n":${text}`);
  expect(readSealed({ data, start: data.length - text.length, end: data.length }, "")).toEqual({ json: text });
});

test("bytes and text say the same of any line, however its end was changed", () => {
  const line = fc
    .record({ number: fc.nat(), at: fc.nat(50), byte: fc.constantFrom(...'0a9f}",:nsum é\n') })
    .map(({ number, at, byte }) => {
      const { text } = sealed(json, number, "0123456789abcdef");
      const cut = text.length - 1 - at;
      return `${text.slice(0, cut)}${byte}${text.slice(cut + 1)}`;
    });
  fc.assert(
    fc.property(line, (text) => {
      const seal = unsealed(text);
      const found = read(text, "0123456789abcdef");
      expect(found.seal && { number: found.seal.number, sum: found.seal.sum }).toEqual(
        seal && { number: seal.number, sum: seal.sum },
      );
      expect(found.json).toBe(seal === undefined ? text : `${seal.body}}`);
    }),
  );
});
