import fc from "fast-check";
import { expect, test } from "vitest";
import { isScalar, parseDocument, type Scalar, type YAMLMap } from "yaml";
import { readSimpleFrontmatter } from "../../src/exam/find/reading/simple-frontmatter.ts";

const styles: Record<string, string> = {
  PLAIN: "plain",
  QUOTE_DOUBLE: "quoted",
  QUOTE_SINGLE: "quoted",
  BLOCK_FOLDED: "block",
  BLOCK_LITERAL: "block",
};

/** Key, value, style and both places, as the YAML parser has them. */
function asYaml(source: string) {
  const document = parseDocument(source, { logLevel: "silent" });
  expect(document.errors).toEqual([]);
  const items = (document.contents as YAMLMap.Parsed).items as { key: Scalar; value: Scalar }[];
  return items.map(({ key, value }) => {
    expect(isScalar(value) && value.comment).toBeFalsy();
    return [key.value, value.value, styles[value.type!], key.range!.slice(0, 2), value.range!.slice(0, 2)];
  });
}

function asRead(source: string) {
  const read = readSimpleFrontmatter(source);
  return (
    read &&
    [...read.fields].map(([key, field]) => [key, read.values[key], field.style, span(field.key), span(field.value)])
  );
}

function span({ start, end }: { start: number; end: number }) {
  return [start, end];
}

test.each([
  "name: a\ndescription: Reads a thing. Use when asked.",
  'name: a\ndescription: "Says \\"no\\": use it when a # is there"\nuser-invocable: false',
  "name: 'it''s'\nmodel: true",
  "description: >\n  one two\n  three\nname: b",
  "description: >-\n    one two\n    three",
  "description: |\n  one\n  two",
  "a:   spaced   out\nb: x:y z#w",
])("what most skills write is read without the parser: %j", (source) => {
  expect(asRead(source)).toEqual(asYaml(source));
});

test.each([
  "a: 1",
  "a: null",
  "a: x: y",
  "a: x #y",
  "a: x\n  y",
  "a:\n  b: c",
  "a: [b]",
  "a: x\na: y",
  "a: >\n  x\n\n  y",
  "a: >\n  x\n   y",
  'a: "\\n"',
  "a: x\r\nb: y",
  "# c\na: b",
  "",
])("anything else is left to the parser: %j", (source) => {
  expect(readSimpleFrontmatter(source)).toBeUndefined();
});

test("what is read without the parser, YAML reads the same", () => {
  const piece = fc.constantFrom(
    ..."a|b|key|name|: |:| |  |\n|\n  |\n    |'|''|\"|\\|\\\"|\\n|#| #|>|>-|\\||-|- |true|null|Null|1|0x1|.inf|~|é|😀|[|{|,|&a|*a|!t|%|@|`|---|...|?|_|\u00a0|\u007f".split(
      "|",
    ),
  );
  const entry = fc
    .tuple(fc.constantFrom("a", "b-c", "name", "y", "null", "__proto__"), fc.array(piece, { maxLength: 8 }))
    .map(([key, parts]) => `${key}: ${parts.join("")}`);
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 3 }), (entries) => {
      const source = entries.join("\n");
      const read = asRead(source);
      if (read !== undefined) expect(read).toEqual(asYaml(source));
    }),
    { numRuns: 3000 },
  );
});
