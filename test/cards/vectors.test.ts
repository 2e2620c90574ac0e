import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Embedder } from "../../src/cards/minilm/load-model.ts";
import { cachedVectors } from "../../src/cards/minilm/vectors.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "embedded-vectors-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function counting(model = "m"): Embedder & { seen: string[] } {
  const seen: string[] = [];
  const embed = async (texts: string[]) => {
    seen.push(...texts);
    return texts.map((text) => [text.length, 1]);
  };
  return { model, seen, embed };
}

test("a text is embedded once, and read from the disk after that", async () => {
  const first = counting();
  const vectors = await cachedVectors(["card a", "card bb", "card a"], first, folder);
  expect(vectors.map((vector) => [...vector])).toEqual([
    [6, 1],
    [7, 1],
    [6, 1],
  ]);
  expect(first.seen.sort()).toEqual(["card a", "card bb"]);

  const second = counting();
  expect(await cachedVectors(["card bb", "card c"], second, folder)).toEqual([
    Float32Array.of(7, 1),
    Float32Array.of(6, 1),
  ]);
  expect(second.seen).toEqual(["card c"]);
});

test("another model has its own vectors, and a damaged file is made anew", async () => {
  await cachedVectors(["card"], counting("one"), folder);
  const other = counting("two");
  await cachedVectors(["card"], other, folder);
  expect(other.seen).toEqual(["card"]);

  for (const file of readdirSync(folder)) writeFileSync(join(folder, file), "abc");
  const again = counting("one");
  expect([...(await cachedVectors(["card"], again, folder))[0]!]).toEqual([4, 1]);
  expect(again.seen).toEqual(["card"]);
});
