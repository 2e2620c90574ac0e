import { isJson, type Json } from "../adapter.ts";

/** The objects of a JSONL text; lines that are something else are left out. */
export function jsonLines(text: string): Json[] {
  return text.split("\n").flatMap((line) => {
    const value = jsonLine(line);
    return value === undefined ? [] : [value];
  });
}

export function jsonLine(line: string): Json | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Every string in a value, however deep. */
export function* strings(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const member of value) yield* strings(member);
  else if (isJson(value)) for (const member of Object.values(value)) yield* strings(member);
}
