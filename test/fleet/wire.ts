import { connect, createServer, type Server, type Socket } from "node:net";

/** A wire between somebody and Redis that can be cut. */
export class Wire {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #cut = false;
  port = 0;

  private constructor(to: number) {
    this.#server = createServer((near) => {
      if (this.#cut) return void near.destroy();
      const far = connect(to, "127.0.0.1");
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on("error", () => {});
        one.on("close", () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
  }

  static async start(to: number): Promise<Wire> {
    const proxy = new Wire(to);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    proxy.port = (proxy.#server.address() as { port: number }).port;
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  cut(): void {
    this.#cut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#cut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
