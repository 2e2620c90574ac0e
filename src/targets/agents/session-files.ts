import { open } from "node:fs/promises";
import { glob } from "tinyglobby";
import type { AgentAdapter, SessionFacts, SessionFile } from "./adapter.ts";
import type { Run } from "./runner/run.ts";
import type { StagedSkills } from "./staged.ts";

/** Of all session files of a trial together. Theirs are some 100 kB; one that is a thousand times as long holds a flood. */
const SESSION_KEPT = 16_000_000;

/** The CLI's own files about a trial, and what it shows of it when it is asked to. */
export async function sessionFiles(
  session: NonNullable<AgentAdapter["session"]>,
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
