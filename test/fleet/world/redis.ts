import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redisServer } from "../../tools.ts";

export interface RedisOptions {
  /** Writes every change to its disk. */
  persistent?: boolean;
  /** Further arguments: a password, TLS. */
  args?: string[];
}

/** A real Redis with a port and a folder of its own. */
export class TestRedis {
  readonly dir = mkdtempSync(join(tmpdir(), "proctor-redis-"));
  port = 0;
  readonly #options: RedisOptions;
  #process: ChildProcess | undefined;

  private constructor(options: RedisOptions) {
    this.#options = options;
  }

  static async start(options: RedisOptions = {}): Promise<TestRedis> {
    const redis = new TestRedis(options);
    redis.port = await freePort();
    await redis.up();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async up(): Promise<void> {
    const server = redisServer();
    if (server === undefined) throw new Error("there is no redis-server");
    const { persistent, args = [] } = this.#options;
    const own = args.includes("--tls-port") ? [] : ["--port", String(this.port)];
    const child = spawn(
      server,
      [
        ...own,
        "--bind",
        "127.0.0.1",
        "--dir",
        this.dir,
        "--save",
        "",
        "--appendonly",
        persistent ? "yes" : "no",
        "--appendfsync",
        "always",
        ...args.map((arg) => arg.replace("PORT", String(this.port))),
      ],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      let out = "";
      child.stdout.on("data", (data) => {
        out += data;
        if (out.includes("Ready to accept connections")) resolve();
      });
      child.on("exit", () => reject(new Error(`redis-server ended: ${out}`)));
    });
    child.stdout.resume();
  }

  /** Ends it as a machine that fails does. */
  async down(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.down();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
