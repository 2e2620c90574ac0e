import { fstatSync } from "node:fs";
import { getSystemErrorMap } from "node:util";
import { safeOutput } from "../../base/index.ts";
import { clearLongWork } from "./long-work.ts";

/** Set by the first write to standard output: an error document printed after half a document would make it invalid. */
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

const gone = new AbortController();

/** Fires when the output can no longer be written, as when `| head` has seen enough: endless work may stop. */
export const readerGone: AbortSignal = gone.signal;

/** A reader that has left is no fault. Any other write error is told once, and makes the exit code 2 whatever else happens. */
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

/** `no space left on device (ENOSPC)` */
export function systemMessage({ errno = 0, message }: NodeJS.ErrnoException): string {
  const [name, meaning] = getSystemErrorMap().get(errno) ?? [];
  return name === undefined ? message : `${meaning} (${name})`;
}

/** Is standard output read by another program, which may leave? */
export function isPiped(): boolean {
  try {
    const stat = fstatSync(process.stdout.fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}
