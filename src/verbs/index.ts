/**
 * The verbs: one function per command, with one options object and a typed result. They print nothing and end no
 * process. A verb loads its rooms when it is first called, so that one costs nothing to whoever calls another.
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

/** Checks skills and suites without asking anybody. */
export const check = async (options: CheckOptions = {}): Promise<CheckedLibraries> =>
  (await import("./library/check.ts")).check(options);

/** Puts the questions of your suites to one or more targets; one result per library that has questions. */
export const run = async (options: RunOptions = {}): Promise<RunResult[]> =>
  (await import("./asking/run.ts")).run(options);

/** What a run would ask, and what that would take. */
export const plan = async (options: RunOptions = {}): Promise<RunPlan[]> =>
  (await import("./asking/run.ts")).plan(options);

/** What has been edited since the last run. */
export const watchEdits = async (options: RunOptions = {}): Promise<Edits> =>
  (await import("./asking/watch.ts")).watchEdits(options);

/** Scores a stored run again, without asking anybody. */
export const report = async (options: ReportOptions = {}): Promise<Report> =>
  (await import("./afterwards/report.ts")).report(options);

/** Two stored runs side by side, or what is here and a revision: what changed, and whether that is more than noise. */
export const compare = async (options: CompareOptions = {}): Promise<ComparedRuns[]> =>
  (await import("./afterwards/compare.ts")).compare(options);

/** What was said and done in the trials of some questions of a stored run. */
export const trials = async (options: TrialsOptions = {}): Promise<StoredTrials> =>
  (await import("./afterwards/trials.ts")).trials(options);

/** Serves the page of the runs that are kept here, to this machine alone. */
export const view = async (options: ViewOptions = {}): Promise<Viewing> =>
  (await import("./view/view.ts")).view(options);

/** The runs that are kept here, oldest first. */
export const runs = async (options: Omit<Scope, "paths"> = {}): Promise<KeptRun[]> =>
  (await import("./afterwards/runs.ts")).runs(options);

/** Keeps what a person thinks of a verdict, beside the record. */
export const note = async (options: NoteOptions): Promise<Note> => (await import("./afterwards/note.ts")).note(options);

/** Removes old runs, and returns them. */
export const pruneRuns = async (options: PruneOptions): Promise<KeptRun[]> =>
  (await import("./afterwards/runs.ts")).pruneRuns(options);

/** Puts the records of a run's shards together into one run. */
export const merge = async (options: MergeOptions): Promise<MergedRun> =>
  (await import("./afterwards/merge.ts")).merge(options);

/** Grades a stored run again, into a new run. */
export const grade = async (options: GradeOptions = {}): Promise<GradedRun> =>
  (await import("./afterwards/grade.ts")).grade(options);

/** Who would get this query in each library: predicted from the cards alone. */
export const route = async (options: RouteOptions): Promise<Routed> =>
  (await import("./library/route.ts")).route(options);

/** Which sibling skills compete for the same prompts. */
export const collisions = async (options: CollisionsOptions = {}): Promise<FoundCollisions> =>
  (await import("./library/collisions.ts")).collisions(options);

/** Drafts a first suite for a skill. */
export const draft = async (options: DraftOptions): Promise<Draft> =>
  (await import("./library/draft.ts")).draft(options);
export const draftAll = async (options: AllDraftOptions = {}): Promise<Draft[]> =>
  (await import("./library/draft.ts")).draftAll(options);

/** Writes the suites of another tool as native files. */
export const importFrom = async (options: ImportOptions): Promise<ImportedSuites> =>
  (await import("./library/import.ts")).importFrom(options);

/** What a host tells its model about your skills. */
export const see = async (options: SeeOptions): Promise<SeenLibrary[]> =>
  (await import("./library/see.ts")).see(options);

/**
 * Who on this machine could be asked what the embedded target cannot tell, the cheapest first, and what that would
 * cost.
 */
export const betterExaminees = async (options: BetterOptions = {}): Promise<BetterExaminee[]> =>
  (await import("./asking/suggest-target.ts")).betterExaminees(options);

/** What this machine can run. */
export const doctor = async (options: { env?: NodeJS.ProcessEnv } = {}): Promise<Diagnosis> =>
  (await import("./asking/doctor.ts")).doctor(options);

/** Who is at a Redis, and what they can run. */
export const fleet = async (options: { url: string; env?: NodeJS.ProcessEnv }): Promise<FleetView> =>
  (await import("./asking/doctor.ts")).fleet(options);

/** Makes trials of runs on other machines until it is told to end; returns how many it made. */
export const worker = async (options: WorkerOptions): Promise<number> =>
  (await import("./asking/worker.ts")).worker(options);

/** Moves the status of an eva prompt. */
export const promote = async (options: PromoteOptions): Promise<Promotion> =>
  (await import("./afterwards/promote.ts")).promote(options);

export type { RunEvent } from "./asking/run.ts";
