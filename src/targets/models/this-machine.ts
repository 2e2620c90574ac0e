const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

export function isThisMachine({ hostname }: URL): boolean {
  return LOOPBACK.has(hostname);
}
