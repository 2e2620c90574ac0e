import { InvalidArgumentError } from "commander";

export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || text.trim() === "")
      throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
    return value;
  };
}
