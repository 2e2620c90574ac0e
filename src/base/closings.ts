/** Closes what was opened, in reverse order. Stands in for AsyncDisposableStack, which Node 20 lacks. */
export class Closings {
  readonly #closings: (() => unknown)[] = [];

  add<T>(opened: T, close: (opened: T) => unknown): T {
    this.#closings.push(() => close(opened));
    return opened;
  }

  /** Errors are dropped: they must not hide how the work itself ended. */
  async close(): Promise<void> {
    for (const close of this.#closings.splice(0).reverse()) {
      try {
        await close();
      } catch {}
    }
  }
}

export async function withClosings<T>(work: (closings: Closings) => Promise<T>): Promise<T> {
  const closings = new Closings();
  try {
    return await work(closings);
  } finally {
    await closings.close();
  }
}
