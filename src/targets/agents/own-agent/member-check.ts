import { nearest } from "../../../base/index.ts";

/** One member of an object that somebody else writes: what it must be, in a check and in words. */
export interface MemberCheck {
  is(value: unknown): boolean;
  /** After "should be". */
  what: string;
  needed?: true;
}

/** What is wrong with an object, in words; undefined when nothing is. Members that are undefined or null count as absent. */
export function faultIn(value: unknown, shape: Record<string, MemberCheck>): string | undefined {
  if (!isObject(value) || value instanceof Promise) return `it should be an object, but is ${told(value)}`;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) {
    const near = nearest(unknown, Object.keys(shape))[0];
    return `it has no member \`${unknown}\`${near === undefined ? `; there are ${Object.keys(shape).join(", ")}` : `. Did you mean \`${near}\`?`}`;
  }
  for (const [name, { is, what, needed }] of Object.entries(shape)) {
    const member = value[name];
    if (member === undefined || member === null) {
      if (needed) return `\`${name}\` is missing: it should be ${what}`;
    } else if (!is(member)) return `\`${name}\` should be ${what}, but is ${told(member)}`;
  }
  return undefined;
}

export const isText = (value: unknown): value is string => typeof value === "string";
export const isFilled = (value: unknown): value is string => isText(value) && value !== "";
export const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
export const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
export const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
export const isFunction = (value: unknown): boolean => typeof value === "function";
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value that is not what it should be, short enough for a sentence. */
export function told(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") return "a function";
  if (value instanceof Promise) return "a promise: it must not be async";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
