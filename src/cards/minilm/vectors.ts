import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBytes, sha256 } from "../../base/index.ts";
import type { Embedder } from "./load-model.ts";

/** Reads the texts' vectors from `folder`; embeds and stores those that are missing. */
export async function cachedVectors(
  texts: readonly string[],
  embedder: Embedder,
  folder: string,
): Promise<Float32Array[]> {
  mkdirSync(folder, { recursive: true });
  const entries = texts.map((text) => {
    const file = join(folder, `${sha256(`${embedder.model}\n${text}`)}.f32`);
    return { text, file, vector: readVector(file) };
  });
  const missing = [
    ...new Map(entries.filter(({ vector }) => vector === undefined).map((entry) => [entry.file, entry])).values(),
  ];
  const made = new Map<string, Float32Array>();
  const embedded = await embedder.embed(missing.map(({ text }) => text));
  for (const [at, { file }] of missing.entries()) {
    const numbers = embedded[at];
    if (numbers === undefined)
      throw new Error(`${embedder.model} returned ${embedded.length} vectors for ${missing.length} texts`);
    const vector = Float32Array.from(numbers);
    writeVector(file, vector);
    made.set(file, vector);
  }
  return entries.flatMap(({ file, vector }) => vector ?? made.get(file) ?? []);
}

/** The model reads 256 tokens; more text would only cost time. */
export function embeddedText(text: string): string {
  return text.slice(0, 2_000);
}

export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

function readVector(file: string): Float32Array | undefined {
  const read = readBytes(file, { mostBytes: 1_000_000 });
  if (read.status === "unreadable" || read.bytes.length === 0 || read.bytes.length % 4 !== 0) return undefined;
  return new Float32Array(new Uint8Array(read.bytes).buffer);
}

/** Written under a temporary name first, so that a killed run leaves no half-written vector. */
function writeVector(file: string, vector: Float32Array): void {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, new Uint8Array(vector.buffer), { flag: "wx" });
  renameSync(draft, file);
}
