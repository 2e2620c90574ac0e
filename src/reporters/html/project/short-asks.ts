/** Shortest unique prefixes: a page names asks tens of thousands of times. */
export function shortAsks(asks: Iterable<string>): (ask: string) => string {
  const all = new Set(asks);
  for (let length = 10; length < 64; length += 10) {
    if (new Set([...all].map((ask) => ask.slice(0, length))).size === all.size) return (ask) => ask.slice(0, length);
  }
  return (ask) => ask;
}
