import { mkdir, rm } from "node:fs/promises";
import { basename } from "node:path";
import { glob } from "tinyglobby";
import { isAlive } from "../../../base/index.ts";
import type { AgentAdapter, TrialSetup } from "../../../hosts/index.ts";
import { failedEnd, jsonLine } from "../../../hosts/reading/index.ts";
import type { Activation, TrialEvent } from "../../../model/index.ts";
import { type ProcessLimits, type RunningProcess, startProcess } from "../process/running-process.ts";
import type { Sandbox } from "../process/sandbox.ts";
import { isIntact, TAMPERED } from "../workspace/intact.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { allEvents } from "./all-events.ts";
import { finished, seenIn, withinTurns } from "./ending.ts";
import { putHomeFiles, removeHomeFiles } from "./home-files.ts";
import { RawOutput } from "./raw-output.ts";
import { factsIn, sessionFiles, toldBefore, watchRequests } from "./session-files.ts";

export interface TrialRequest {
  adapter: AgentAdapter;
  file: string;
  setup: TrialSetup;
  env: Record<string, string>;
  targetEnv: Record<string, string>;
  workspace: Workspace;
  sandbox: Sandbox | undefined;
  files: { path: string; content: string }[];
  limits: ProcessLimits;
  signal: AbortSignal;
  resumes?: { session: string; turns: number };
  onSession?(session: string): void;
  decided(activations: readonly Activation[]): boolean;
}

export interface RunningTrial {
  events: AsyncIterable<TrialEvent>;
  raw(): string;
  stop(): Promise<void>;
}

export async function startTrial(request: TrialRequest): Promise<RunningTrial> {
  const { adapter, workspace, setup, resumes } = request;
  const plan = (resumes !== undefined && adapter.conversation?.resume(setup, resumes.session)) || adapter.launch(setup);
  const fault = isIntact(workspace)
    ? putHomeFiles(workspace.home, [...(plan.files ?? []), ...request.files])
    : TAMPERED;
  if (fault !== undefined) return notStarted(fault);
  const earlier = resumes === undefined ? new Map<string, number>() : await toldBefore(adapter.session, workspace.home);
  for (const dir of plan.writable ?? []) await mkdir(dir, { recursive: true });
  const env = { ...request.env, ...places(workspace), ...plan.env, ...request.targetEnv };
  const place = { root: workspace.root, tmp: workspace.tmp, writable: plan.writable ?? [] };
  const start = (args: string[], stdin?: string): RunningProcess =>
    startProcess(
      {
        ...(request.sandbox?.wrap({ file: request.file, args, env }, place) ?? { file: request.file, args }),
        env,
        cwd: workspace.project,
        folder: workspace.root,
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
    if (isIntact(workspace)) removeHomeFiles(workspace.home, request.files);
  });
  const stop = async () => {
    run.stop("abort");
    await gone;
  };

  const raw = new RawOutput();
  raw.note("trial", startNote(request));
  return { events: read(request, run, { start, stop, raw, earlier }), raw: () => raw.toString(), stop };
}

interface OutputReading {
  start(args: string[]): RunningProcess;
  stop(): Promise<void>;
  raw: RawOutput;
  earlier: ReadonlyMap<string, number>;
}

async function* read(
  request: TrialRequest,
  run: RunningProcess,
  { start, stop, raw, earlier }: OutputReading,
): AsyncGenerator<TrialEvent> {
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
      const at = Date.now();
      const events = limit.pass(reader.read(event).map((one) => toldAt(wellFormed(one), at)));
      if (reader.enough?.()) run.stop("failing");
      // What only the session files tell belongs between them.
      if (adapter.session === undefined) yield* events;
      else held.push(...events);
    }
    const exit = await run.exit;
    raw.endOfLines();
    raw.note("exit", { ...exit, failed: exit.failed?.message });
    const ended = reader.end(exit);
    const intact = isIntact(workspace);
    const files =
      adapter.session === undefined || !intact
        ? []
        : await sessionFiles(adapter.session, workspace.home, { commands, start, earlier });
    for (const file of files) raw.note("file", file);
    const facts = factsIn(files, adapter, workspace.staged);
    if (adapter.session === undefined) {
      yield* limit.pass(ended.events);
    } else {
      const all = allEvents([...held, ...ended.events], facts, exit);
      const maxTurns = setup.maxTurns + (adapter.session.replaces ? (request.resumes?.turns ?? 0) : 0);
      const told = all.filter((event) => withinTurns(event, maxTurns));
      limit.seen = told;
      yield* told;
      if (adapter.session.replaces && told.length < all.length && ended.end.how === "completed")
        ended.end.how = "max_turns";
    }
    const end = finished(request, exit, ended, facts, seenIn(limit.seen));
    yield intact || end.how === "error" ? end : { ...end, ...tampered };
  } finally {
    unwatch();
    await stop();
  }
}

/** Whoever tampered with the folders may have tampered with the reports in them. */
const tampered = { how: "error", error: { reason: "not_asked", message: TAMPERED, retryable: false } } as const;

export function notStarted(message: string): RunningTrial {
  const end = failedEnd({ reason: "not_asked", message, retryable: false });
  return {
    events: (async function* () {
      yield end;
    })(),
    raw: () => "",
    stop: async () => {},
  };
}

/** Inside a sandbox it cannot write any. */
async function removeLocks({ adapter, sandbox, setup }: TrialRequest): Promise<void> {
  if (adapter.unpacks === undefined || sandbox !== undefined) return;
  const locks = await glob(adapter.unpacks.locks, { cwd: setup.cache, absolute: true });
  const over = locks.filter((path) => !isAlive(Number(/\d+/.exec(basename(path))?.[0])));
  await Promise.all(over.map((path) => rm(path, { force: true })));
}

/** Drops events beyond the turn limit; ends the process at the limit, or when the trial is decided. */
class Limit {
  seen: TrialEvent[] = [];
  #request: TrialRequest;
  #run: RunningProcess;

  constructor(request: TrialRequest, run: RunningProcess) {
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

/** Models sometimes write half a surrogate pair, which no record accepts. */
export function wellFormed(event: TrialEvent): TrialEvent {
  if (event.type !== "text") return event;
  return { ...event, text: event.text.toWellFormed() };
}

/** The time of reading is the time of the step: hosts write a line per step. */
function toldAt(event: TrialEvent, at: number): TrialEvent {
  return event.type === "text" || event.type === "call" || event.type === "result" ? { ...event, at } : event;
}

function startNote({ adapter, setup, workspace }: TrialRequest) {
  const skills = workspace.staged.skills.map(({ id, folder, name, plugin }) => ({ id, folder, name, plugin }));
  return {
    adapter: adapter.id,
    model: setup.model,
    maxTurns: setup.maxTurns,
    workspace: workspace.project,
    skills,
    // A command of the CLI may take its place.
    prompt: setup.prompt.trimStart().startsWith("/") ? setup.prompt : undefined,
    elsewhere: workspace.staged.elsewhere.length > 0 ? workspace.staged.elsewhere : undefined,
  };
}

function places(workspace: Workspace): Record<string, string> {
  const { home, tmp } = workspace;
  return { HOME: home, USERPROFILE: home, TMPDIR: tmp, TEMP: tmp, TMP: tmp };
}

function some<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
