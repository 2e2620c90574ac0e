import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../base/index.ts";
import type { Embedder } from "./load-model.ts";

/** The vectors of these texts: from the disk where they are known, else embedded and kept there. */
export async function cachedVectors(texts: readonly string[], embedder: Embedder, folder: string): Promise<Float32Array[]> {
  mkdirSync(folder, { recursive: true });
  const files = texts.map((text) => join(folder, `${sha256(`${embedder.model}\n${text}`)}.f32`));
  const vectors = files.map(readVector);
  const missing = [...new Map(files.map((file, at): [string, number] => [file, at])).values()].filter((at) => vectors[at] === undefined);
  const made = await embedder.embed(missing.map((at) => texts[at]!));
  missing.forEach((at, i) => {
    writeVector(files[at]!, Float32Array.from(made[i]!));
  });
  return files.map((file, at) => vectors[at] ?? readVector(file)!);
}

/** The model reads 256 tokens; more would only cost time. */
export function embeddedText(text: string): string {
  return text.slice(0, 2_000);
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function readVector(file: string): Float32Array | undefined {
  try {
    const bytes = readFileSync(file);
    return bytes.length === 0 || bytes.length % 4 !== 0 ? undefined : new Float32Array(new Uint8Array(bytes).buffer);
  } catch {
    return undefined;
  }
}

/** By way of a second name, so that a run that is killed leaves no half vector. */
function writeVector(file: string, vector: Float32Array): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, new Uint8Array(vector.buffer));
  renameSync(draft, file);
}
