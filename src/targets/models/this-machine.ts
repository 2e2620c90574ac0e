const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Whether an address leads back to this machine. */
export function isThisMachine({ hostname }: URL): boolean {
  return LOOPBACK.has(hostname);
}
