import { setMaxListeners } from "node:events";

export interface Interrupts {
  /** Fires at the first Ctrl-C. */
  finish: AbortSignal;
  /** Fires at the second, and when the process is asked to end. */
  stop: AbortSignal;
  onFirst: () => void;
  forget(): void;
}

export function listenForInterrupts(): Interrupts {
  const finish = new AbortController();
  const stop = new AbortController();
  for (const { signal } of [finish, stop]) setMaxListeners(0, signal);
  const stopNow = () => {
    finish.abort();
    stop.abort();
  };
  const onInterrupt = () => {
    if (finish.signal.aborted) return stopNow();
    interrupts.onFirst();
    finish.abort();
  };
  const interrupts: Interrupts = {
    finish: finish.signal,
    stop: stop.signal,
    onFirst: () => {},
    forget() {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", stopNow);
      process.off("SIGHUP", stopNow);
    },
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", stopNow);
  process.on("SIGHUP", stopNow);
  return interrupts;
}
