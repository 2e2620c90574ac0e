import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

const CLOSED_ON_EXEC = 0o2000000;

/**
 * Starts a program with three pipes and no other descriptor of this process. Node closes its own, and inherited ones
 * below the first gap after 15; a higher one, perhaps of a log or a lock, would reach the child through any sandbox.
 */
export function spawnAlone(file: string, args: string[], options: SpawnOptions): ChildProcessWithoutNullStreams {
  const inherited = inheritedDescriptors();
  const nothing = inherited.length === 0 ? undefined : openSync("/dev/null", "r+");
  const others = Array.from({ length: Math.max(2, ...inherited) - 2 }, (_, index) =>
    inherited.includes(index + 3) ? nothing : ("ignore" as const),
  );
  try {
    // Its first three are pipes, which the types cannot see in a list of any length.
    return spawn(file, args, {
      ...options,
      stdio: ["pipe", "pipe", "pipe", ...others],
    }) as ChildProcessWithoutNullStreams;
  } finally {
    if (nothing !== undefined) closeSync(nothing);
  }
}

function inheritedDescriptors(): number[] {
  // Elsewhere libuv lets a child inherit nothing but its streams.
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInherited(descriptor));
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // Closed since it was listed.
    return false;
  }
}
