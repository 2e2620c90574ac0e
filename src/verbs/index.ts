/**
 * The verbs: one function per command, with one options object and a typed result. They print nothing and never exit
 * the process. Each verb loads its rooms on its first call, so that unused verbs cost nothing.
 */

import type { FleetView } from "../fleet/index.ts";
import type { Promotion } from "../formats/index.ts";
import type { ComparedRuns, KeptRun, Note } from "../history/index.ts";
import type { FoundCollisions, Routed } from "../reporters/index.ts";
import type { BetterExaminee } from "../targets/index.ts";
import type { CompareOptions } from "./afterwards/compare.ts";
import type { GradedRun, GradeOptions } from "./afterwards/grade.ts";
import type { MergedRun, MergeOptions } from "./afterwards/merge.ts";
import type { NoteOptions } from "./afterwards/note.ts";
import type { PromoteOptions } from "./afterwards/promote.ts";
import type { Report, ReportOptions } from "./afterwards/report.ts";
import type { PruneOptions } from "./afterwards/runs.ts";
import type { StoredTrials, TrialsOptions } from "./afterwards/trials.ts";
import type { Diagnosis } from "./asking/doctor.ts";
import type { RunOptions, RunPlan, RunResult } from "./asking/run.ts";
import type { BetterOptions } from "./asking/suggest-target.ts";
import type { Edits } from "./asking/watch.ts";
import type { WorkerOptions } from "./asking/worker.ts";
import type { CheckedLibraries, CheckOptions } from "./library/check.ts";
import type { CollisionsOptions } from "./library/collisions.ts";
import type { AllDraftOptions, Draft, DraftOptions } from "./library/draft.ts";
import type { ImportedSuites, ImportOptions } from "./library/import.ts";
import type { RouteOptions } from "./library/route.ts";
import type { SeenLibrary, SeeOptions } from "./library/see.ts";
import type { Scope } from "./scope.ts";
import type { Viewing } from "./view/server.ts";
import type { ViewOptions } from "./view/view.ts";

export type {
  BetterExaminee,
  CheckedLibraries,
  CheckOptions,
  CollisionsOptions,
  ComparedRuns,
  CompareOptions,
  Diagnosis,
  Draft,
  DraftOptions,
  Edits,
  FleetView,
  GradedRun,
  GradeOptions,
  ImportedSuites,
  ImportOptions,
  KeptRun,
  MergedRun,
  MergeOptions,
  NoteOptions,
  PromoteOptions,
  PruneOptions,
  Report,
  ReportOptions,
  RouteOptions,
  RunOptions,
  RunPlan,
  RunResult,
  Scope,
  SeenLibrary,
  SeeOptions,
  StoredTrials,
  TrialsOptions,
  Viewing,
  ViewOptions,
  WorkerOptions,
};

/** `proctor check`: checks skills and suites. Nothing is asked. */
export const check = async (options: CheckOptions = {}): Promise<CheckedLibraries> =>
  (await import("./library/check.ts")).check(options);

/**
 * `proctor run`: puts the questions of your suites to one or more targets. Returns one result per library that has
 * questions. Throws a UsageError if nothing can be asked.
 */
export const run = async (options: RunOptions = {}): Promise<RunResult[]> =>
  (await import("./asking/run.ts")).run(options);

/** `proctor run --dry-run`: what a run would ask, and what it would take. Nothing is asked or spent. */
export const plan = async (options: RunOptions = {}): Promise<RunPlan[]> =>
  (await import("./asking/run.ts")).plan(options);

/** `proctor run --watch`: waits for edits of what a run examines. */
export const watchEdits = async (options: RunOptions = {}): Promise<Edits> =>
  (await import("./asking/watch.ts")).watchEdits(options);

/** `proctor report`: scores a stored run again. Nothing is asked. */
export const report = async (options: ReportOptions = {}): Promise<Report> =>
  (await import("./afterwards/report.ts")).report(options);

/**
 * `proctor compare`: compares two stored runs, or with `base` each library with a revision, and tells changes from
 * noise.
 */
export const compare = async (options: CompareOptions = {}): Promise<ComparedRuns[]> =>
  (await import("./afterwards/compare.ts")).compare(options);

/** `proctor report --trials`: what was said and done in the trials of some questions of a stored run. */
export const trials = async (options: TrialsOptions = {}): Promise<StoredTrials> =>
  (await import("./afterwards/trials.ts")).trials(options);

/**
 * `proctor view`: serves the page of the stored runs to this machine alone, until it is closed. The server never
 * writes.
 */
export const view = async (options: ViewOptions = {}): Promise<Viewing> =>
  (await import("./view/view.ts")).view(options);

/** `proctor runs`: the stored runs, oldest first. */
export const runs = async (options: Omit<Scope, "paths"> = {}): Promise<KeptRun[]> =>
  (await import("./afterwards/runs.ts")).runs(options);

/** `proctor note`: stores a person's opinion of a verdict beside the record. */
export const note = async (options: NoteOptions): Promise<Note> => (await import("./afterwards/note.ts")).note(options);

/**
 * `proctor runs prune`: removes old runs and returns them. Throws a UsageError if neither `keep` nor `olderThanDays` is
 * given.
 */
export const pruneRuns = async (options: PruneOptions): Promise<KeptRun[]> =>
  (await import("./afterwards/runs.ts")).pruneRuns(options);

/** `proctor merge`: merges the records of a run's shards into one run. */
export const merge = async (options: MergeOptions): Promise<MergedRun> =>
  (await import("./afterwards/merge.ts")).merge(options);

/** `proctor grade`: grades a stored run again, into a new run. No target is asked. */
export const grade = async (options: GradeOptions = {}): Promise<GradedRun> =>
  (await import("./afterwards/grade.ts")).grade(options);

/** `proctor route`: which skill would get a query in each library, predicted from the cards or asked of a target. */
export const route = async (options: RouteOptions): Promise<Routed> =>
  (await import("./library/route.ts")).route(options);

/** `proctor collisions`: which sibling skills compete for the same prompts. */
export const collisions = async (options: CollisionsOptions = {}): Promise<FoundCollisions> =>
  (await import("./library/collisions.ts")).collisions(options);

/** `proctor init`: drafts a first suite for a skill from its card and its siblings. */
export const draft = async (options: DraftOptions): Promise<Draft> =>
  (await import("./library/draft.ts")).draft(options);

/** `proctor init --all`: drafts a first suite for every skill that no trigger asks about yet. */
export const draftAll = async (options: AllDraftOptions = {}): Promise<Draft[]> =>
  (await import("./library/draft.ts")).draftAll(options);

/** `proctor import`: writes the suites of another tool as native files. */
export const importFrom = async (options: ImportOptions): Promise<ImportedSuites> =>
  (await import("./library/import.ts")).importFrom(options);

/** `proctor see`: what a host tells its model about the skills of each library. */
export const see = async (options: SeeOptions): Promise<SeenLibrary[]> =>
  (await import("./library/see.ts")).see(options);

/** Targets on this machine that can answer what the embedded target cannot, cheapest first, with their prices. */
export const betterExaminees = async (options: BetterOptions = {}): Promise<BetterExaminee[]> =>
  (await import("./asking/suggest-target.ts")).betterExaminees(options);

/** `proctor doctor`: what this machine can run. */
export const doctor = async (options: { env?: NodeJS.ProcessEnv } = {}): Promise<Diagnosis> =>
  (await import("./asking/doctor.ts")).doctor(options);

/** `proctor doctor URL`: which workers are connected to a Redis, and what they can run. */
export const fleet = async (options: { url: string; env?: NodeJS.ProcessEnv }): Promise<FleetView> =>
  (await import("./asking/doctor.ts")).fleet(options);

/** `proctor worker`: makes trials for runs on other machines until it is stopped. Returns the number of trials made. */
export const worker = async (options: WorkerOptions): Promise<number> =>
  (await import("./asking/worker.ts")).worker(options);

/** `proctor promote`: changes the status of an eva prompt, upwards only on the evidence of a full run. */
export const promote = async (options: PromoteOptions): Promise<Promotion> =>
  (await import("./afterwards/promote.ts")).promote(options);

export type { RunEvent } from "./asking/run.ts";
