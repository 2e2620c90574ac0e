import { open } from "node:fs/promises";
import { glob } from "tinyglobby";
import {
  type AgentAdapter,
  ENDING,
  FAILURE,
  LISTING,
  type SessionFacts,
  type SessionFile,
  type StagedSkills,
} from "../../../hosts/reading/index.ts";
import type { Run } from "../process/run.ts";

type Session = NonNullable<AgentAdapter["session"]>;
type Requests = NonNullable<Session["requests"]>;

/** Failed requests in a row after which the CLI's further tries are not awaited, and how often they are counted. */
const ENOUGH = 2;
const WATCH_MS = 1_000;
/** After a failed request, a CLI that asks for nothing this long waits as the provider told it to. */
const LONG_MS = 20_000;

/** Of all session files of a trial together. Theirs are some 100 kB; one that is a thousand times as long holds a flood. */
const SESSION_KEPT = 16_000_000;

/** The CLI's own files about a trial, and what it shows of it when it is asked to. */
export async function sessionFiles(
  session: Session,
  home: string,
  commands: string[][],
  start: (args: string[]) => Run,
  kept = SESSION_KEPT,
): Promise<SessionFile[]> {
  const paths = session.files.length === 0 ? [] : await glob(session.files, { cwd: home, absolute: true, dot: true });
  const files: SessionFile[] = [];
  let left = kept;
  for (const path of paths.sort()) {
    const file = { path, ...(await beginning(path, left)) };
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
    left -= files.at(-1)!.text.length;
  }
  return files;
}

export function factsIn(files: SessionFile[], { session }: AgentAdapter, staged: StagedSkills): SessionFacts {
  if (session === undefined || files.length === 0) return {};
  const { events, ...facts } = session.read(files, staged);
  // Of a file that was not read to its end stdout knows more.
  return events === undefined || files.some(({ cut }) => cut) ? facts : { events, ...facts };
}

/** What the first request says about the skills, how the last answer ended, and why the last request failed, as files of their own. */
async function requestFacts({ files, listing, failure, ending }: Requests, home: string): Promise<SessionFile[]> {
  const paths = await requestPaths(files, home);
  const facts: SessionFile[] = [];
  for (const path of paths) {
    const text = listing((await beginning(path, SESSION_KEPT)).text);
    if (text === undefined) continue;
    facts.push({ path: LISTING, text });
    break;
  }
  for (const path of ending === undefined ? [] : paths.toReversed()) {
    const text = ending?.((await beginning(path, SESSION_KEPT)).text);
    if (text === undefined) continue;
    facts.push({ path: ENDING, text });
    break;
  }
  const last = paths.at(-1);
  const failed = last === undefined ? undefined : failure?.((await beginning(last, SESSION_KEPT)).text);
  return failed === undefined ? facts : [...facts, { path: FAILURE, text: failed }];
}

/** Calls `enough` once several requests in a row have failed, or one was followed by none for long. Returns what ends the watch. */
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
    for (const path of paths) if (!known.has(path)) known.set(path, failure((await beginning(path, SESSION_KEPT)).text) !== undefined);
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
  return (await glob(files, { cwd: home, absolute: true, dot: true })).sort();
}

/** A file, or the whole lines at its beginning. */
async function beginning(path: string, atMost: number): Promise<Pick<SessionFile, "text" | "cut">> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size <= atMost) return { text: await file.readFile("utf8") };
    const bytes = Buffer.alloc(Math.max(0, atMost));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return { text: bytes.subarray(0, bytes.subarray(0, bytesRead).lastIndexOf(10) + 1).toString("utf8"), cut: true };
  } finally {
    await file.close();
  }
}
