import { connect, createServer, type Server, type Socket } from "node:net";

/** A wire between somebody and Redis that can be cut. */
export class Wire {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #near = new Set<Socket>();
  /** Connections on which nothing arrives any more, and nobody says so. */
  readonly #lost = new Set<Socket>();
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
          if (!this.#lost.has(near)) other.destroy();
        });
        one.on("data", (data) => this.#lost.has(near) || other.write(data));
      }
      this.#near.add(near);
      near.on("close", () => this.#near.delete(near));
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

  /** As when a machine in between forgets its connections: new ones work. */
  lose(): void {
    for (const socket of this.#near) this.#lost.add(socket);
  }

  mend(): void {
    this.#cut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
