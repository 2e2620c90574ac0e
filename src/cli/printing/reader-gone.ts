import { fstatSync } from "node:fs";

const gone = new AbortController();

/** Fires when nobody reads the output any more (`| head` has seen enough): who goes on without end may as well stop. */
export const readerGone: AbortSignal = gone.signal;

/** To write for a reader that has left is no fault of ours, on either stream. */
export function noticeReaderGone(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      gone.abort();
    });
}

/** Is somebody else reading standard output, who may leave? */
export function isPiped(): boolean {
  try {
    const stat = fstatSync(process.stdout.fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}
