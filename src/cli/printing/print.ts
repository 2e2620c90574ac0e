import { fstatSync } from "node:fs";
import { getSystemErrorMap } from "node:util";
import { safeOutput } from "../../base/index.ts";
import { clearLongWork } from "./long-work.ts";

/** Set by the first write to standard output: an error document after half a document would make it invalid. */
let hasBegun = false;

export function hasPrinted(): boolean {
  return hasBegun;
}

export function forgetPrinted(): void {
  hasBegun = false;
}

/** Writes requested output to standard output. All printing goes through here or through `printError`. */
export function print(text: string): void {
  clearLongWork();
  hasBegun = true;
  process.stdout.write(safeOutput(text));
}

export function printError(text: string): void {
  clearLongWork();
  process.stderr.write(safeOutput(text));
}

const gone = new AbortController();

/** Fires if the output can no longer be written, as after `| head`, so that endless work can stop. */
export const readerGone: AbortSignal = gone.signal;

/** A reader that has left is no error. Any other write error is reported once and makes the exit code 2. */
export function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && !gone.signal.aborted) {
        process.on("exit", () => {
          process.exitCode = 2;
        });
        printError(`proctor: The output cannot be written: ${systemMessage(error)}.\n`);
      }
      gone.abort();
    });
}

export function systemMessage({ errno = 0, message }: NodeJS.ErrnoException): string {
  const [name, meaning] = getSystemErrorMap().get(errno) ?? [];
  return name === undefined ? message : `${meaning} (${name})`;
}

export function isPiped(): boolean {
  try {
    const stat = fstatSync(process.stdout.fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}
