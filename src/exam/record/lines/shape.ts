/** What is wrong with a value, as the way to it and what it is not (`.attempts[0].ms is not …`); undefined when nothing is. */
export type Shape = (value: unknown) => string | undefined;

export const text: Shape = (value) => (typeof value === "string" ? undefined : " is not text");
/** A key that is safe in a table made of a plain object: not one that every object inherits, such as `constructor`. */
export const memberName: Shape = (value) =>
  text(value) ?? ((value as string) in Object.prototype ? " is not a name" : undefined);
export const yesOrNo: Shape = (value) => (typeof value === "boolean" ? undefined : " is not true or false");
export const anything: Shape = () => undefined;

/** JSON has no Infinity, but 1e999 is read as one. */
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
/** For what is gone through one by one: a record that says a thousand billions must not be believed. */
export function countTo(most: number, least = 0): Shape {
  const fault = ` is not a count from ${least} to ${most}`;
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most ? undefined : fault;
}
/** An ISO date and time. */
export const moment: Shape = (value) =>
  typeof value === "string" && (PLAIN_MOMENT.test(value) || !Number.isNaN(Date.parse(value)))
    ? undefined
    : " is not a date";
/** As we write it, on any day that every month has: several times quicker than to work it out. */
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

/** An object used as a table: any names, values of one shape. */
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

/** Members that are not named here are let through: a later version may have added them. */
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
