import { setMaxListeners } from "node:events";

export interface Interrupts {
  finish: AbortSignal;
  stop: AbortSignal;
  onFirst: () => void;
  /**
   * Starts listening. Until a run has something to lose, signals keep their default effect. With `gently`, SIGTERM lets
   * current work finish, like the first Ctrl-C.
   */
  listen(how?: { gently?: boolean }): void;
  forget(): void;
}

export function interruptsOfRun(): Interrupts {
  const finish = new AbortController();
  const stop = new AbortController();
  for (const { signal } of [finish, stop]) setMaxListeners(0, signal);
  const stopNow = () => {
    // Whatever ignores the signal gets no second chance.
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
