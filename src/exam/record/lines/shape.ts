/** Returns what is wrong with a value, with the path to it (`.attempts[0].ms is not …`), or undefined. */
export type Shape = (value: unknown) => string | undefined;

export const text: Shape = (value) => (typeof value === "string" ? undefined : " is not text");
/** A key that is safe in a plain object used as a table: not one that every object inherits, such as `constructor`. */
export const memberName: Shape = (value) =>
  text(value) ?? ((value as string) in Object.prototype ? " is not a name" : undefined);
export const yesOrNo: Shape = (value) => (typeof value === "boolean" ? undefined : " is not true or false");
export const anything: Shape = () => undefined;

/** JSON has no Infinity, but 1e999 is parsed as one. */
export const number: Shape = (value) =>
  typeof value === "number" && Number.isFinite(value) ? undefined : " is not a number";
export const amount: Shape = (value) =>
  typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY
    ? undefined
    : " is not a number of 0 or more";
export const count: Shape = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : " is not a count";
export const positive: Shape = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 1 ? undefined : " is not a count from 1";
/** For counts that drive loops, since a damaged record may claim billions. */
export function countTo(most: number, least = 0): Shape {
  const fault = ` is not a count from ${least} to ${most}`;
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most ? undefined : fault;
}
export const moment: Shape = (value) =>
  typeof value === "string" && (PLAIN_MOMENT.test(value) || !Number.isNaN(Date.parse(value)))
    ? undefined
    : " is not a date";
/** The format we write, on days that every month has: several times faster than parsing the date. */
const PLAIN_MOMENT = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

export function oneOf(values: readonly unknown[]): Shape {
  const known = new Set(values);
  return (value) => (known.has(value) ? undefined : " is not one of the known words");
}

export function optional(shape: Shape): Shape {
  return (value) => (value === undefined ? undefined : shape(value));
}

export function orNull(shape: Shape): Shape {
  return (value) => (value === null ? undefined : shape(value));
}

export function list(item: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return " is not a list";
    for (let index = 0; index < value.length; index++) {
      const fault = item(value[index]);
      if (fault !== undefined) return `[${index}]${fault}`;
    }
    return undefined;
  };
}

export function table(item: Shape): Shape {
  return (value) => {
    if (!isObject(value)) return " is not an object";
    for (const name of Object.keys(value)) {
      const fault = item(value[name]);
      if (fault !== undefined) return `.${name}${fault}`;
    }
    return undefined;
  };
}

/** Unknown members are accepted, since a later version may have added them. */
export function object(members: Record<string, Shape>): Shape {
  const names = Object.keys(members);
  const shapes = Object.values(members);
  return (value) => {
    if (!isObject(value)) return " is not an object";
    for (let index = 0; index < names.length; index++) {
      // `!`: there are as many shapes as names.
      const fault = shapes[index]!(value[names[index]!]);
      if (fault !== undefined) return `.${names[index]}${fault}`;
    }
    return undefined;
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
