import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { type Built, build, buildCommand, type Ended, startCommand } from "../../cli/run-built.ts";
import type { FleetWorld } from "./fleet-world.ts";

export interface Running {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** What it has printed so far. */
  out(): string;
  /** A worker says that a run has admitted it. */
  takesPart(): boolean;
}

/** Where the tests' set-up says what it has built. */
export const BUILT = "PROCTOR_TEST_BUILT";

export async function buildAll(): Promise<[command: Built, fragile: Built]> {
  return [await buildCommand(), await build(join(import.meta.dirname, "fragile-worker.ts"))];
}

/** Workers and runs as processes of the shipped command, in a world. */
export class Processes {
  readonly #command: Built;
  readonly #fragile: Built;
  readonly #running = new Set<Running>();

  private constructor(command: Built, fragile: Built) {
    this.#command = command;
    this.#fragile = fragile;
  }

  /** Of what the tests' set-up has built, or else built now. */
  static async build(): Promise<Processes> {
    const built = process.env[BUILT];
    if (built === undefined) return new Processes(...(await buildAll()));
    const [command, fragile] = (JSON.parse(built) as [string, string]).map(
      (main): Built => ({ main, remove: () => {} }),
    );
    return new Processes(command!, fragile!);
  }

  /** The shipped command. */
  get command(): string {
    return this.#command.main;
  }

  worker(
    { dir, env, redis }: FleetWorld,
    name: string,
    { url = redis.url, jobs = 2, args = [] as string[], node = "" } = {},
  ): Running {
    return this.#start(this.#command, dir, ["worker", url, "--name", name, "--jobs", String(jobs), ...args], {
      ...env,
      ...(node && { NODE_OPTIONS: node }),
    });
  }

  fragile({ dir, env, redis }: FleetWorld, name: string, { jobs = 4 } = {}): Running {
    return this.#start(this.#fragile, dir, [redis.url, name, String(jobs)], env);
  }

  run({ dir, env, redis }: FleetWorld, args: string[] = []): Running {
    return this.#start(
      this.#command,
      dir,
      ["run", "-t", "script:answers.yaml", "--no-cache", "--workers", redis.url, ...args],
      env,
    );
  }

  doctor({ dir, env, redis }: FleetWorld, url = redis.url): Promise<Ended> {
    return this.#start(this.#command, dir, ["doctor", url], env).ended;
  }

  async killAll(): Promise<void> {
    for (const { process } of this.#running) process.kill("SIGKILL");
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }

  remove(): void {
    this.#command.remove();
    this.#fragile.remove();
  }

  #start(built: Built, cwd: string, args: string[], env: Record<string, string>): Running {
    const { process, ended } = startCommand(built, cwd, args, env);
    let out = "";
    for (const stream of [process.stdout, process.stderr])
      stream?.on("data", (data) => {
        out += data;
      });
    const running: Running = { process, ended, out: () => out, takesPart: () => out.includes("Taking trials") };
    this.#running.add(running);
    void ended.then(() => this.#running.delete(running));
    return running;
  }
}

/** Waits for something to come true; says what, when it does not. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 240_000): Promise<void> {
  for (const start = performance.now(); performance.now() - start < ms; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`It did not come true within ${ms / 1000} s: ${what}`);
}
