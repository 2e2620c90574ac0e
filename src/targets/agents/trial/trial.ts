import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { glob } from "tinyglobby";
import { type AgentAdapter, jsonLine, type TrialSetup } from "../../../hosts/reading/index.ts";
import type { Activation, EndEvent, TrialEvent } from "../../../transcripts/index.ts";
import { isAlive } from "../process/owner.ts";
import { type Run, type RunLimits, startRun } from "../process/run.ts";
import type { Sandbox } from "../process/sandbox.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { allEvents } from "./all-events.ts";
import { finished, seenIn, withinTurns } from "./ending.ts";
import { RawOutput } from "./raw-output.ts";
import { factsIn, sessionFiles, watchRequests } from "./session-files.ts";
import type { SessionSoFar } from "./session-so-far.ts";

export interface TrialRequest {
  adapter: AgentAdapter;
  /** The CLI's executable. */
  file: string;
  setup: TrialSetup;
  /** What every process may see, before the adapter's own variables and the target's. */
  env: Record<string, string>;
  targetEnv: Record<string, string>;
  workspace: Workspace;
  sandbox: Sandbox | undefined;
  /** Written into HOME before the start, for its owner's eyes only. */
  files: { path: string; content: string }[];
  limits: RunLimits;
  signal: AbortSignal;
  /** The session of an earlier trial in the same workspace that this one goes on with. */
  resumes?: string;
  /** What the messages before have told; grows with this one. */
  soFar?: SessionSoFar;
  /** Told of the session that it is, once the CLI says so. */
  onSession?(session: string): void;
  decided(activations: readonly Activation[]): boolean;
}

export interface Trial {
  events: AsyncIterable<TrialEvent>;
  raw(): string;
  /** Ends it if it still runs. */
  stop(): Promise<void>;
}

/** Puts one prompt to a CLI in its workspace and reads what it does, to the very end. */
export async function startTrial(request: TrialRequest): Promise<Trial> {
  const { adapter, workspace, setup } = request;
  const plan = (request.resumes !== undefined && adapter.conversation?.resume(setup, request.resumes)) || adapter.launch(setup);
  for (const file of [...(plan.files ?? []), ...request.files]) {
    const path = join(workspace.home, file.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.content, { mode: 0o600 });
  }
  for (const dir of plan.writable ?? []) await mkdir(dir, { recursive: true });
  const env = { ...request.env, ...places(workspace), ...plan.env, ...request.targetEnv };
  const place = { root: workspace.root, tmp: workspace.tmp, writable: plan.writable ?? [] };
  const start = (args: string[], stdin?: string): Run =>
    startRun(
      {
        ...(request.sandbox?.wrap({ file: request.file, args, env }, place) ?? { file: request.file, args }),
        env,
        cwd: workspace.project,
        marker: workspace.marker,
        stopSignal: adapter.stopSignal,
        stdin,
      },
      request.limits,
    );
  const run = start(plan.args, plan.stdin);
  const abort = () => run.stop("abort");
  if (request.signal.aborted) abort();
  request.signal.addEventListener("abort", abort, { once: true });
  const gone = run.exit.then(async () => {
    request.signal.removeEventListener("abort", abort);
    await removeLocks(request);
    // Also where the folders are kept for a look: what logs the user in is not for keeping.
    await Promise.all(request.files.map(({ path }) => rm(join(workspace.home, path), { force: true })));
  });
  const stop = async () => {
    run.stop("abort");
    await gone;
  };

  const raw = new RawOutput();
  raw.note("trial", startNote(request));
  return { events: read(request, run, { start, stop, raw }), raw: () => raw.toString(), stop };
}

interface Reading {
  start(args: string[]): Run;
  stop(): Promise<void>;
  raw: RawOutput;
}

async function* read(request: TrialRequest, run: Run, { start, stop, raw }: Reading): AsyncGenerator<TrialEvent> {
  const { adapter, setup, workspace } = request;
  const reader = adapter.reader(workspace.staged);
  const commands: string[][] = [];
  const limit = new Limit(request, run);
  const held: TrialEvent[] = [];
  const unwatch = watchRequests(adapter.session, workspace.home, () => run.stop("failing"));
  try {
    for await (const line of run.lines) {
      raw.line(line);
      const event = jsonLine(line);
      if (event === undefined) continue;
      run.sawEvent();
      const session = adapter.conversation?.session(event);
      if (session !== undefined) request.onSession?.(session);
      commands.push(...some(adapter.session?.command?.(event)));
      const events = limit.pass(reader.read(event).map(wellFormed));
      if (reader.enough?.()) run.stop("failing");
      // What only the session files tell belongs between them.
      if (adapter.session === undefined) yield* events;
      else held.push(...events);
    }
    const exit = await run.exit;
    raw.endOfLines();
    raw.note("exit", { ...exit, failed: exit.failed?.message });
    const ended = ownEnd(reader.end(exit), adapter, request.soFar);
    const written = adapter.session === undefined ? [] : await sessionFiles(adapter.session, workspace.home, commands, start);
    const files = request.soFar?.newIn(written) ?? written;
    for (const file of files) raw.note("file", file);
    const facts = factsIn(files, adapter, workspace.staged);
    if (adapter.session === undefined) {
      yield* limit.pass(ended.events);
    } else {
      const all = allEvents([...held, ...ended.events], facts, exit);
      const told = all.filter((event) => withinTurns(event, setup.maxTurns));
      limit.seen = told;
      yield* told;
      if (adapter.session.replaces && told.length < all.length && ended.end.how === "completed") ended.end.how = "max_turns";
    }
    yield finished(request, exit, ended, facts, seenIn(limit.seen));
  } finally {
    unwatch();
    await stop();
  }
}

/** The end of a message alone, where the CLI tells what the whole session has spent. */
export function ownEnd<Ended extends { end: EndEvent }>(
  ended: Ended,
  { conversation }: AgentAdapter,
  soFar: SessionSoFar | undefined,
): Ended {
  return soFar === undefined || !conversation?.countsOn ? ended : { ...ended, end: soFar.ownShare(ended.end) };
}

/** Inside a sandbox it could not write them. */
async function removeLocks({ adapter, sandbox, setup }: TrialRequest): Promise<void> {
  if (adapter.unpacks === undefined || sandbox !== undefined) return;
  const locks = await glob(adapter.unpacks.locks, { cwd: setup.cache, absolute: true });
  const over = locks.filter((path) => !isAlive(Number(/\d+/.exec(basename(path))?.[0])));
  await Promise.all(over.map((path) => rm(path, { force: true })));
}

/** Lets events through up to the turn limit, and ends the run where that is passed or the trial is decided. */
class Limit {
  seen: TrialEvent[] = [];
  #request: TrialRequest;
  #run: Run;

  constructor(request: TrialRequest, run: Run) {
    this.#request = request;
    this.#run = run;
  }

  pass(events: TrialEvent[]): TrialEvent[] {
    const { adapter, setup, decided } = this.#request;
    // Where the session file is exacter, stdout may count several turns for one.
    const maxTurns = adapter.session?.replaces ? 3 * setup.maxTurns : setup.maxTurns;
    const within = events.filter((event) => withinTurns(event, maxTurns));
    if (within.length < events.length) this.#run.stop("max_turns");
    this.seen.push(...within);
    if (within.some(({ type }) => type === "activation") && decided(seenIn(this.seen).activations))
      this.#run.stop("decided", adapter.stopsItself && setup.decisive.length > 0 ? 2_000 : 0);
    return within;
  }
}

/** Models write half a character now and then; no record takes one. */
export function wellFormed(event: TrialEvent): TrialEvent {
  if (event.type !== "text") return event;
  return { ...event, text: event.text.toWellFormed() };
}

/** What a later reader of the raw output must know: where it ran, and which skills lay there. */
function startNote({ adapter, setup, workspace }: TrialRequest) {
  const skills = workspace.staged.skills.map(({ id, folder, name, plugin }) => ({ id, folder, name, plugin }));
  return {
    adapter: adapter.id,
    model: setup.model,
    maxTurns: setup.maxTurns,
    workspace: workspace.project,
    skills,
    // A command of the CLI may take its place.
    ...(setup.prompt.trimStart().startsWith("/") && { prompt: setup.prompt }),
    ...(workspace.staged.elsewhere.length > 0 && { elsewhere: workspace.staged.elsewhere }),
  };
}

function places(workspace: Workspace): Record<string, string> {
  const { home, tmp } = workspace;
  return { HOME: home, USERPROFILE: home, TMPDIR: tmp, TEMP: tmp, TMP: tmp };
}

function some<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
