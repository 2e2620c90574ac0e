export type Json = Record<string, unknown>;

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function json(value: unknown): Json {
  return isJson(value) ? value : {};
}

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

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

export function* strings(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const member of value) yield* strings(member);
  else if (isJson(value)) for (const member of Object.values(value)) yield* strings(member);
}
