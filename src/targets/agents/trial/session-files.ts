import { closeSync, readSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { glob } from "tinyglobby";
import { openFile } from "../../../base/index.ts";
import type { AgentAdapter, SessionFacts, SessionFile } from "../../../hosts/index.ts";
import { ENDING, FAILURE, LISTING, type StagedSkills } from "../../../hosts/reading/index.ts";
import type { RunningProcess } from "../process/running-process.ts";

type SessionReader = NonNullable<AgentAdapter["session"]>;
type Requests = NonNullable<SessionReader["requests"]>;

/** After this many failed requests in a row, further retries of the CLI are not awaited. */
const ENOUGH = 2;
const WATCH_MS = 1_000;
/** A CLI that sends nothing for this long after a failed request waits as the provider told it to. */
const LONG_MS = 20_000;

/** For all session files of a trial together, which usually are some 100 kB. */
const SESSION_KEPT = 16_000_000;

interface SessionReading {
  commands?: string[][];
  start(args: string[]): RunningProcess;
  earlier?: ReadonlyMap<string, number>;
}

/**
 * The CLI's own files about a trial, and the output of commands that show it. For a later message, only what was
 * added.
 */
export async function sessionFiles(
  session: SessionReader,
  home: string,
  { commands = [], start, earlier = new Map() }: SessionReading,
  kept = SESSION_KEPT,
): Promise<SessionFile[]> {
  const files: SessionFile[] = [];
  let left = kept;
  for (const path of await sessionPaths(session, home)) {
    const file = { path, ...beginning(path, home, left, earlier.get(path)) };
    left -= file.text.length;
    files.push(file);
  }
  if (session.requests !== undefined) files.push(...(await requestFacts(session.requests, home)));
  for (const args of commands) {
    const lines: string[] = [];
    for await (const line of start(args).lines) lines.push(line);
    const text = lines.join(" ");
    // Half a document tells nothing.
    files.push({ path: args.join(" "), ...(text.length > left ? { text: "", cut: true } : { text }) });
    // `!`: it has just been added.
    left -= files.at(-1)!.text.length;
  }
  return files;
}

/** Sizes of the session files. They only grow; those that replace stdout are always read whole. */
export async function toldBefore(session: AgentAdapter["session"], home: string): Promise<Map<string, number>> {
  if (session === undefined || session.replaces) return new Map();
  const paths = await sessionPaths(session, home);
  return new Map(await Promise.all(paths.map(async (path) => [path, (await lstat(path)).size] as const)));
}

async function sessionPaths({ files }: SessionReader, home: string): Promise<string[]> {
  return files.length === 0 ? [] : (await ownFiles(files, home)).sort();
}

export function factsIn(files: SessionFile[], { session }: AgentAdapter, staged: StagedSkills): SessionFacts {
  if (session === undefined || files.length === 0) return {};
  const { events, ...facts } = session.read(files, staged);
  // Of a file that was not read to its end stdout knows more.
  return events === undefined || files.some(({ cut }) => cut) ? facts : { events, ...facts };
}

/** The listing in the first request, how the last answer ended, and why the last request failed, each as a file. */
async function requestFacts({ files, listing, failure, ending }: Requests, home: string): Promise<SessionFile[]> {
  const paths = await requestPaths(files, home);
  const facts: SessionFile[] = [];
  for (const path of paths) {
    const text = listing(beginning(path, home, SESSION_KEPT).text);
    if (text === undefined) continue;
    facts.push({ path: LISTING, text });
    break;
  }
  for (const path of ending === undefined ? [] : paths.toReversed()) {
    const text = ending?.(beginning(path, home, SESSION_KEPT).text);
    if (text === undefined) continue;
    facts.push({ path: ENDING, text });
    break;
  }
  const last = paths.at(-1);
  const failed = last === undefined ? undefined : failure?.(beginning(last, home, SESSION_KEPT).text);
  return failed === undefined ? facts : [...facts, { path: FAILURE, text: failed }];
}

/**
 * Calls `enough` after several failed requests in a row, or a long pause after one. Returns a function that ends the
 * watch.
 */
export function watchRequests(
  session: AgentAdapter["session"],
  home: string,
  enough: () => void,
  everyMs = WATCH_MS,
  longMs = LONG_MS,
): () => void {
  const { files, failure } = session?.requests ?? {};
  if (files === undefined || failure === undefined) return () => {};
  const known = new Map<string, boolean>();
  let [failed, waits] = [undefined as string | undefined, 0];
  const look = async () => {
    const paths = await requestPaths(files, home);
    for (const path of paths)
      if (!known.has(path)) known.set(path, failure(beginning(path, home, SESSION_KEPT).text) !== undefined);
    const last = paths.slice(-ENOUGH);
    if (last.length === ENOUGH && last.every((path) => known.get(path))) enough();
    const [newest] = last.slice(-1);
    waits = newest !== undefined && newest === failed && known.get(newest) === true ? waits + everyMs : 0;
    failed = newest;
    if (waits >= longMs) enough();
  };
  const timer = setInterval(() => void look().catch(() => {}), everyMs);
  return () => clearInterval(timer);
}

async function requestPaths(files: string, home: string): Promise<string[]> {
  return (await ownFiles(files, home)).sort();
}

/** Does not follow links: the examinee may have linked to somebody's own sessions. */
async function ownFiles(patterns: string | readonly string[], home: string): Promise<string[]> {
  return glob(typeof patterns === "string" ? patterns : [...patterns], {
    cwd: home,
    absolute: true,
    dot: true,
    followSymbolicLinks: false,
  });
}

function beginning(path: string, home: string, atMost: number, from = 0): Pick<SessionFile, "text" | "cut"> {
  const file = openFile(path, { within: home });
  // What is no file of its own tells nothing of the trial.
  if (file.status === "unreadable") return { text: "" };
  try {
    const size = file.size - from;
    const bytes = Buffer.alloc(Math.max(0, Math.min(size, atMost)));
    let read = 0;
    for (let more = -1; more !== 0 && read < bytes.length; read += more) {
      more = readSync(file.fd, bytes, read, bytes.length - read, from + read);
    }
    const whole = bytes.subarray(0, read);
    if (size <= atMost) return { text: whole.toString("utf8") };
    return { text: whole.subarray(0, whole.lastIndexOf(10) + 1).toString("utf8"), cut: true };
  } catch {
    return { text: "" };
  } finally {
    closeSync(file.fd);
  }
}
