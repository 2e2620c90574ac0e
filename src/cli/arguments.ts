import { InvalidArgumentError } from "commander";

/** For options that may be repeated. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || text.trim() === "")
      throw new InvalidArgumentError(`It is a whole number, ${least} or more.`);
    return value;
  };
}
