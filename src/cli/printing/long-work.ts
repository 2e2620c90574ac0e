import { fitColumns, onLongWork, printable, safeOutput } from "../../base/index.ts";

/** Work that is done sooner needs no word. */
const QUIET_MS = 1_500;
/** A log gets a line now and then. */
const LOG_FIRST_MS = 10_000;
const LOG_EVERY_MS = 30_000;

/** Where the line stands, while it does. */
let drawnOn: NodeJS.WriteStream | undefined;
/** Something else has been printed since: the time of silence before the next line starts again. */
let interrupted = false;

/** Shows what a long search does, on standard error: in a terminal one line that is drawn over, in a log a line now and then. */
export function showLongWork(
  options: { stream?: NodeJS.WriteStream; now?: () => number; everyMs?: number } = {},
): void {
  const { stream = process.stderr, now = () => performance.now(), everyMs } = options;
  let start = now();
  interrupted = false;
  let loggedAt = start + LOG_FIRST_MS - LOG_EVERY_MS;
  onLongWork((doing) => {
    const text = safeOutput(printable(doing));
    if (interrupted) {
      start = now();
      loggedAt = start + LOG_FIRST_MS - LOG_EVERY_MS;
      interrupted = false;
    }
    if (stream.isTTY && now() - start >= QUIET_MS) {
      stream.write(`\r\x1b[K${fitColumns(text, Math.max(20, (stream.columns ?? 80) - 1))}`);
      drawnOn = stream;
    } else if (!stream.isTTY && now() - loggedAt >= LOG_EVERY_MS) {
      stream.write(`${text}\n`);
      loggedAt = now();
    }
  }, everyMs);
}

export function hideLongWork(): void {
  clearLongWork();
  onLongWork(undefined);
}

/** Takes the line away, before anything else is written. */
export function clearLongWork(): void {
  drawnOn?.write("\r\x1b[K");
  drawnOn = undefined;
  interrupted = true;
}
