import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { glob } from "tinyglobby";
import type { Activation, EndEvent, TrialError, TrialEvent, Usage } from "../../transcripts/index.ts";
import { costOf, priceOf } from "../models/prices.ts";
import type { AgentAdapter, SessionFacts, TrialSetup } from "./adapter.ts";
import { nothingSaid, stoppedError, withAddress } from "./errors.ts";
import { jsonLine } from "./jsonl.ts";
import { RawOutput } from "./raw.ts";
import { isAlive } from "./runner/owner.ts";
import { type Exit, type Run, type RunLimits, startRun } from "./runner/run.ts";
import type { Sandbox } from "./sandbox.ts";
import { factsIn, sessionFiles, watchRequests } from "./session-files.ts";
import type { Workspace } from "./workspace.ts";

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
  const plan = adapter.launch(setup);
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
        ...(stdin !== undefined && { stdin }),
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
      commands.push(...some(adapter.session?.command?.(event)));
      const events = limit.pass(reader.read(event).map(wellFormed));
      if (reader.enough?.()) run.stop("failing");
      if (adapter.session?.replaces) held.push(...events);
      else yield* events;
    }
    const exit = await run.exit;
    raw.endOfLines();
    raw.note("exit", { ...exit, failed: exit.failed?.message });
    const { events, end } = reader.end(exit);
    const files = adapter.session === undefined ? [] : await sessionFiles(adapter.session, workspace.home, commands, start);
    for (const file of files) raw.note("file", file);
    const facts = factsIn(files, adapter, workspace.staged);
    if (adapter.session?.replaces) {
      const all = facts.events ?? [...held, ...events];
      const told = all.filter((event) => withinTurns(event, setup.maxTurns));
      limit.seen = seenIn(told);
      yield* told;
      if (told.length < all.length && end.how === "completed") end.how = "max_turns";
    } else {
      yield* limit.pass([...events, ...(facts.more ?? [])]);
    }
    yield finished(request, exit, end, facts, limit.seen);
  } finally {
    unwatch();
    await stop();
  }
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
  seen: Seen = { activations: [], spoke: false };
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
    const fresh = seenIn(within);
    this.seen = { activations: [...this.seen.activations, ...fresh.activations], spoke: this.seen.spoke || fresh.spoke };
    if (fresh.activations.length > 0 && decided(this.seen.activations))
      this.#run.stop("decided", adapter.stopsItself && setup.decisive.length > 0 ? 2_000 : 0);
    return within;
  }
}

/** Models write half a character now and then; no record takes one. */
export function wellFormed(event: TrialEvent): TrialEvent {
  if (event.type !== "text") return event;
  return { ...event, text: event.text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd") };
}

export function withinTurns(event: TrialEvent, maxTurns: number): boolean {
  return !("turn" in event) || event.turn <= maxTurns;
}

/** What of a trial decides how it ended. */
interface Seen {
  activations: Activation[];
  /** The model said something, or called a tool. */
  spoke: boolean;
}

export function seenIn(events: readonly TrialEvent[]): Seen {
  const activations = events.filter((event) => event.type === "activation").map(({ type: _, ...activation }) => activation);
  return { activations, spoke: events.some((event) => event.type === "call" || (event.type === "text" && event.text.trim() !== "")) };
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
  };
}

interface Ending extends Pick<TrialRequest, "adapter" | "decided"> {
  setup: Pick<TrialSetup, "model" | "endpoint">;
}

/** What the CLI says about its end counts only where we did not end it. */
export function finished(request: Ending, exit: Exit, end: EndEvent, facts: SessionFacts, { activations, spoke }: Seen): EndEvent {
  const { error: own, how, ...told } = end;
  const empty = how === "completed" && exit.stopped === undefined && !spoke && !request.adapter.silent;
  const last = empty ? nothingSaid(request.adapter) : betterReason(own, facts.error);
  const usage = end.usage ?? facts.usage;
  const common: Omit<EndEvent, "how" | "error"> = {
    ...told,
    ...(usage && { usage }),
    ...(end.costUsd === undefined && estimatedCost(request, usage)),
    ...(facts.listing && { listing: facts.listing }),
    ...(exit.resources && { resources: exit.resources }),
  };
  const { endpoint } = request.setup;
  switch (exit.stopped) {
    case undefined:
      return last === undefined ? { ...common, how } : { ...common, how: "error", error: withAddress(last, endpoint) };
    case "decided":
      return { ...common, how: "stopped" };
    case "max_turns":
      return { ...common, how: "max_turns" };
    default: {
      if (exit.stopped !== "abort" && activations.length > 0 && request.decided(activations)) return { ...common, how: "stopped" };
      const error = stoppedError(request.adapter, exit.stopped, exit, last?.reason === "crash" ? undefined : last);
      return { ...common, how: "error", error: withAddress(error, endpoint) };
    }
  }
}

/** A CLI that was ended, or gave up, without a word may have written down what the provider said. */
function betterReason(own: TrialError | undefined, written: TrialError | undefined): TrialError | undefined {
  return own === undefined || (own.reason !== "crash" && own.reason !== "unknown") ? own : (written ?? own);
}

/** From the price table, where the CLI tells tokens but no dollars. */
function estimatedCost({ adapter, setup }: Ending, usage: Usage | undefined): { costUsd: number; costEstimated: true } | undefined {
  const costUsd = costOf(usage, priceOf(adapter.provider, setup.model));
  return costUsd === undefined ? undefined : { costUsd, costEstimated: true };
}

function places(workspace: Workspace): Record<string, string> {
  const { home, tmp } = workspace;
  return { HOME: home, USERPROFILE: home, TMPDIR: tmp, TEMP: tmp, TMP: tmp };
}

function some<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
