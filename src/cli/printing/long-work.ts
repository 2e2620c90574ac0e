import { fitColumns, onLongWork, printable, safeOutput } from "../../base/index.ts";

const QUIET_MS = 1_500;
const LOG_FIRST_MS = 10_000;
const LOG_EVERY_MS = 30_000;

/** The stream that shows the line at the moment. */
let drawnOn: NodeJS.WriteStream | undefined;
/** Other output has been printed since, so the quiet period before the next line starts again. */
let interrupted = false;

/**
 * Shows the progress of long work on standard error: one line drawn over in a terminal, an occasional line in a log.
 */
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

export function clearLongWork(): void {
  drawnOn?.write("\r\x1b[K");
  drawnOn = undefined;
  interrupted = true;
}
