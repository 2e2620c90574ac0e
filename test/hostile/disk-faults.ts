import * as fs from "node:fs";
import { dirname } from "node:path";
import { files } from "../../src/exam/record/fs-calls.ts";

type Layer = typeof files;
const real: Layer = { ...files };

/** The calls that can be refused: everything that writes, syncs, makes or renames. */
const REFUSED = [
  "appendFileSync",
  "fdatasync",
  "fdatasyncSync",
  "fsyncSync",
  "linkSync",
  "mkdirSync",
  "openSync",
  "renameSync",
  "writeFileSync",
  "writeSync",
] as const;

export interface Refusal {
  /** Whether the n-th call was reached. */
  reached: boolean;
}

/** Runs some work while the n-th call (from 1) to the disk is refused; of a write, the first half is on the disk. */
export async function refusing(
  n: number,
  code: string,
  work: () => Promise<void>,
  { forGood = false } = {},
): Promise<Refusal> {
  const refusal = { reached: false };
  let calls = 0;
  const refuse = () => {
    calls++;
    if (calls === n) refusal.reached = true;
    return calls === n || (forGood && calls > n) ? Object.assign(new Error(`${code}: injected`), { code }) : undefined;
  };
  for (const name of REFUSED) {
    const original = real[name] as (...args: unknown[]) => unknown;
    const wrapped = (...args: unknown[]) => {
      const error = refuse();
      if (error === undefined) return original(...args);
      if (name === "fdatasync") return (args[1] as (error: Error) => void)(error);
      if (name === "writeSync") half(args as [number, Uint8Array, number, number]);
      throw error;
    };
    Object.assign(files, { [name]: wrapped });
  }
  try {
    await work();
  } finally {
    Object.assign(files, real);
  }
  return refusal;
}

function half([fd, data, offset, length]: [number, Uint8Array, number, number]): void {
  fs.writeSync(fd, data, offset, Math.floor(length / 2));
}

type Step =
  | { do: "make"; path: string; folder: boolean }
  | { do: "write"; path: string; data: Buffer }
  | { do: "sync"; path: string }
  /** A sync that was asked for, and one that is done: only what had been written when it was asked for is certain to be there. */
  | Asked
  | { do: "synced"; asked: Asked }
  | { do: "link"; from: string; path: string }
  | { do: "remove"; path: string };

interface Asked {
  do: "ask for sync";
  path: string;
}

/** Runs some work and notes what it does to the disk, in order. */
export async function watching(work: (mark: () => number) => Promise<void>): Promise<Step[]> {
  const steps: Step[] = [];
  const paths = new Map<number, string>();
  const existed = (path: string) => fs.existsSync(path);
  Object.assign(files, {
    openSync(path: string, flags: string) {
      const isNew = flags !== "r" && !existed(path);
      const fd = real.openSync(path, flags);
      paths.set(fd, path);
      if (isNew) steps.push({ do: "make", path, folder: false });
      return fd;
    },
    writeSync(fd: number, data: Uint8Array, offset: number, length: number) {
      const written = real.writeSync(fd, data, offset, length);
      steps.push({ do: "write", path: paths.get(fd)!, data: Buffer.from(data.subarray(offset, offset + written)) });
      return written;
    },
    writeFileSync(path: string, data: string, options?: fs.WriteFileOptions) {
      const isNew = !existed(path);
      real.writeFileSync(path, data, options);
      if (isNew) steps.push({ do: "make", path, folder: false });
      steps.push({ do: "write", path, data: Buffer.from(data) });
    },
    mkdirSync(path: string, options?: fs.MakeDirectoryOptions) {
      const made: string[] = [];
      for (let at = path; !existed(at); at = dirname(at)) made.unshift(at);
      const first = real.mkdirSync(path, options);
      for (const folder of made) steps.push({ do: "make", path: folder, folder: true });
      return first;
    },
    fsyncSync(fd: number) {
      real.fsyncSync(fd);
      steps.push({ do: "sync", path: paths.get(fd)! });
    },
    fdatasyncSync(fd: number) {
      real.fdatasyncSync(fd);
      steps.push({ do: "sync", path: paths.get(fd)! });
    },
    fdatasync(fd: number, done: (error: NodeJS.ErrnoException | null) => void) {
      const asked: Asked = { do: "ask for sync", path: paths.get(fd)! };
      steps.push(asked);
      real.fdatasync(fd, (error) => {
        if (error === null) steps.push({ do: "synced", asked });
        done(error);
      });
    },
    linkSync(from: string, path: string) {
      real.linkSync(from, path);
      steps.push({ do: "link", from, path });
    },
    rmSync(path: string, options?: fs.RmOptions) {
      real.rmSync(path, options);
      steps.push({ do: "remove", path });
    },
  });
  try {
    await work(() => steps.length);
  } finally {
    Object.assign(files, real);
  }
  return steps;
}

/** What is on the disk when the power goes after so many steps, and nothing survives that was not synced. By path, in order. */
export function afterPowerCut(steps: readonly Step[], cut: number, root: string): Map<string, Buffer | "folder"> {
  const contents = new Map<string, { written: Buffer[]; synced: number }>();
  const written = new Map<Asked, number>();
  const isFolder = new Set<string>([root]);
  /** Names that the folder has, and those it has for good. */
  const named = new Set<string>();
  const durable = new Set<string>([root]);
  for (const step of steps.slice(0, cut)) {
    switch (step.do) {
      case "make":
        named.add(step.path);
        if (step.folder) isFolder.add(step.path);
        else contents.set(step.path, { written: [], synced: 0 });
        break;
      case "write":
        contents.get(step.path)?.written.push(step.data);
        break;
      case "link":
        named.add(step.path);
        contents.set(step.path, { written: [...(contents.get(step.from)?.written ?? [])], synced: 0 });
        break;
      case "remove":
        named.delete(step.path);
        break;
      case "ask for sync":
        written.set(step, contents.get(step.path)?.written.length ?? 0);
        break;
      case "synced": {
        const content = contents.get(step.asked.path);
        if (content !== undefined) content.synced = Math.max(content.synced, written.get(step.asked) ?? 0);
        break;
      }
      case "sync": {
        const content = contents.get(step.path);
        if (content !== undefined) content.synced = content.written.length;
        if (isFolder.has(step.path)) for (const path of named) if (dirname(path) === step.path) durable.add(path);
        break;
      }
    }
  }
  const reachable = (path: string): boolean => path === root || (durable.has(path) && reachable(dirname(path)));
  const left = new Map<string, Buffer | "folder">();
  for (const path of durable) {
    if (path === root || !reachable(path)) continue;
    const content = contents.get(path);
    left.set(path, content === undefined ? "folder" : Buffer.concat(content.written.slice(0, content.synced)));
  }
  return left;
}
