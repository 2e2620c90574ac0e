import { InvalidArgumentError } from "commander";

/** For options that may be repeated. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

/** For options that may be repeated or hold a list with commas. */
export function collectList(text: string, before: string[]): string[] {
  return [...before, ...text.split(",").map((part) => part.trim())];
}

export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || text.trim() === "")
      throw new InvalidArgumentError(`It is a whole number, ${least} or more.`);
    return value;
  };
}

export function amount(text: string): number {
  const value = Number(text.replace(/^\$/, ""));
  if (!Number.isFinite(value) || value < 0 || text.trim() === "") throw new InvalidArgumentError("It is a number, 0 or more.");
  return value;
}

export function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1) || text.trim() === "") throw new InvalidArgumentError("It is a share between 0 and 1.");
  return value;
}
