import { setMaxListeners } from "node:events";

export interface Interrupts {
  /** Fires at the first Ctrl-C. */
  finish: AbortSignal;
  /** Fires at the second, and when the process is asked to end. */
  stop: AbortSignal;
  onFirst: () => void;
  /**
   * Listens from now on. Until a run has something to lose, a signal ends the process as it ends any other, whatever it is waiting for:
   * who listens must answer. `gently`: a request to end (SIGTERM) lets what runs be finished, like the first Ctrl-C.
   */
  listen(how?: { gently?: boolean }): void;
  forget(): void;
}

export function interruptsOfRun(): Interrupts {
  const finish = new AbortController();
  const stop = new AbortController();
  for (const { signal } of [finish, stop]) setMaxListeners(0, signal);
  const stopNow = () => {
    // What does not listen to the signal is not waited for twice.
    if (stop.signal.aborted) process.exit(130);
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
    listen({ gently = false } = {}) {
      interrupts.forget();
      process.on("SIGINT", onInterrupt);
      process.on("SIGTERM", gently ? onInterrupt : stopNow);
      process.on("SIGHUP", stopNow);
    },
    forget() {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", stopNow);
      process.off("SIGTERM", onInterrupt);
      process.off("SIGHUP", stopNow);
    },
  };
  return interrupts;
}
