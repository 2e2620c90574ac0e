import type { ParsedReporter } from "../../reporters/index.ts";
import { print } from "./print.ts";

/** Where JSON goes to standard output and a command shows several libraries, all of them are one document: `{ "version": 1, "libraries": [ … ] }`. */
export interface JsonOfLibraries {
  /** Before the document of each library. */
  next(): void;
  /** After the last. */
  end(): void;
}

export function jsonOfLibraries(reporters: readonly Pick<ParsedReporter, "name" | "file">[]): JsonOfLibraries {
  const isPrinted = reporters.some(({ name, file }) => name === "json" && file === undefined);
  let begun = false;
  return {
    next() {
      if (isPrinted) print(begun ? "," : '{ "version": 1, "libraries": [\n');
      begun = true;
    },
    end() {
      if (isPrinted && begun) print("]}\n");
    },
  };
}
