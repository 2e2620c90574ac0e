import { safeOutput } from "../../base/index.ts";
import { clearLongWork } from "./long-work.ts";

/** Whether anything has gone to standard output since it was last asked to forget: what follows half a document makes it none. */
let hasBegun = false;

export function hasPrinted(): boolean {
  return hasBegun;
}

export function forgetPrinted(): void {
  hasBegun = false;
}

/** To standard output: what was asked for. Everything that is printed goes through here or through `printError`. */
export function print(text: string): void {
  clearLongWork();
  hasBegun = true;
  process.stdout.write(safeOutput(text));
}

/** To standard error: what a person should know besides. */
export function printError(text: string): void {
  clearLongWork();
  process.stderr.write(safeOutput(text));
}
