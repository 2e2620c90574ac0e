/** The values an option takes. Parser, check and zod schema are derived from it. */
export type Kind =
  | { type: "boolean" }
  | { type: "text"; orTrue?: true }
  | { type: "choice"; of: readonly string[] }
  | { type: "number"; is: string; whole?: true; least?: number; above?: number; most?: number; below?: number }
  | { type: "texts"; commas?: true }
  /** Given relative to the working directory, recorded relative to the library. */
  | { type: "folders" }
  | { type: "shard" }
  | { type: "members" };

export interface Shard {
  index: number;
  count: number;
}

export type ValueOf<K extends Kind> = K extends { type: "boolean" }
  ? boolean
  : K extends { type: "text" }
    ? string | (K extends { orTrue: true } ? true : never)
    : K extends { type: "choice"; of: readonly (infer Choice)[] }
      ? Choice
      : K extends { type: "number" }
        ? number
        : K extends { type: "texts" | "folders" }
          ? string[]
          : K extends { type: "shard" }
            ? Shard
            : Record<string, unknown>;

export const share = { type: "number", is: "a share between 0 and 1", least: 0, most: 1 } as const;
export const count = { type: "number", is: "a whole number, 1 or more", whole: true, least: 1 } as const;
/** A larger number is a typo or an attack. */
export const MOST_RUNS = 10_000;
export const MOST_SHARDS = 10_000;
export const runCount = {
  type: "number",
  is: "a whole number from 1 to 10,000",
  whole: true,
  least: 1,
  most: MOST_RUNS,
} as const;
export const countOrNone = { type: "number", is: "a whole number, 0 or more", whole: true, least: 0 } as const;
export const amount = { type: "number", is: "a number, 0 or more", least: 0 } as const;
export const certainty = { type: "number", is: "between 0 and 1, for example 0.95", above: 0, below: 1 } as const;
export const seconds = { type: "number", is: "a number above 0", above: 0 } as const;

/** Parses a flag's argument or an environment variable. Lists are split on commas. */
export function parseText(kind: Kind, text: string): { value: unknown } | { problem: string } {
  const value = read(kind, text);
  return accepts(kind, value) ? { value } : { problem: `It must be ${expectation(kind)}.` };
}

function read(kind: Kind, text: string): unknown {
  switch (kind.type) {
    case "boolean":
      return { true: true, "1": true, false: false, "0": false }[text.trim().toLowerCase()];
    case "number":
      return text.trim() === "" ? undefined : Number(text.replace(/^\$/, ""));
    case "texts":
    case "folders":
      return text.split(",").map((part) => part.trim());
    case "shard": {
      const match = /^(\d+)\/(\d+)$/.exec(text.trim());
      return match === null ? undefined : { index: Number(match[1]), count: Number(match[2]) };
    }
    case "text":
    case "choice":
      return text;
    case "members":
      return undefined;
  }
}

export function accepts(kind: Kind, value: unknown): boolean {
  switch (kind.type) {
    case "boolean":
      return typeof value === "boolean";
    case "text":
      return typeof value === "string" || (kind.orTrue === true && value === true);
    case "choice":
      return typeof value === "string" && kind.of.includes(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value) && isInRange(kind, value);
    case "texts":
    case "folders":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "shard":
      return isShard(value);
    case "members":
      return typeof value === "object" && value !== null && !Array.isArray(value);
  }
}

function isInRange({ whole, least, above, most, below }: Extract<Kind, { type: "number" }>, value: number): boolean {
  return (
    (whole === undefined || Number.isInteger(value)) &&
    (least === undefined || value >= least) &&
    (above === undefined || value > above) &&
    (most === undefined || value <= most) &&
    (below === undefined || value < below)
  );
}

function isShard(value: unknown): boolean {
  const { index, count: parts } = (value ?? {}) as Partial<Shard>;
  // `!`: integers are not undefined.
  return Number.isInteger(index) && Number.isInteger(parts) && index! >= 1 && index! <= parts! && parts! <= MOST_SHARDS;
}

/** Completes the sentence "It must be …". */
export function expectation(kind: Kind): string {
  switch (kind.type) {
    case "boolean":
      return "true or false";
    case "choice":
      return kind.of.join(" or ");
    case "number":
      return kind.is;
    case "shard":
      return "one of at most 10,000 parts: 1/4, up to 4/4";
    case "text":
      return "text";
    case "texts":
    case "folders":
      return "a list separated by commas";
    case "members":
      return "set in code only";
  }
}

export function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  if (isShard(value)) return `${(value as Shard).index}/${(value as Shard).count}`;
  if (value === undefined) return "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
