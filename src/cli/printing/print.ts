import { safeOutput } from "../../base/index.ts";
import { clearLongWork } from "./long-work.ts";

/** To standard output: what was asked for. Everything that is printed goes through here or through `printError`. */
export function print(text: string): void {
  clearLongWork();
  process.stdout.write(safeOutput(text));
}

/** To standard error: what a person should know besides. */
export function printError(text: string): void {
  clearLongWork();
  process.stderr.write(safeOutput(text));
}
