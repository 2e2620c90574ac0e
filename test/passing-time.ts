import { vi } from "vitest";

/**
 * Waits for something in a time that passes by itself: from timer to timer, while nothing but a timer is waited for. An hour takes no time,
 * and a busy machine changes nothing.
 */
export async function inPassingTime<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    let over = false;
    const ended = work().finally(() => {
      over = true;
    });
    ended.catch(() => {});
    while (!over) {
      await new Promise(setImmediate);
      if (!over && vi.getTimerCount() > 0) vi.advanceTimersToNextTimer();
    }
    return await ended;
  } finally {
    vi.useRealTimers();
  }
}
