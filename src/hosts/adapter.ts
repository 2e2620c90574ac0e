import type { EndEvent, ListingEntry, Resources, TrialError, TrialEvent, Usage } from "../model/index.ts";
import type { Login, LoginSource, RefusedLogin } from "./login.ts";
import type { Json } from "./reading/json.ts";
import type { SkillNaming } from "./reading/skill-names.ts";
import type { StagedSkills } from "./reading/staged-skills.ts";
import type { KeptFrom, Reach } from "./reading/tool-calls.ts";

/** How one CLI is driven and read. Pure: it builds a command and reads events, and never starts a process or touches a file. */
export interface AgentAdapter {
  /** The word before the colon on the command line. */
  id: string;
  title: string;
  provider: string;
  /** Grows when the command line or the reading changes, so that old answers are never used as new ones. */
  revision: number;
  /** Found on PATH under this name, or where `PROCTOR_<ID>_PATH` says. */
  command: string;
  install: string;
  /** The oldest and newest version it was run with. */
  tested: readonly [string, string];
  defaultModel: string;
  /** Relative to the workspace, with forward slashes. */
  skillsDir: string;
  /** Files at the root of a project that it reads as instructions on its own; absent: unknown. */
  contextFiles?: readonly string[];
  /** It reads what these import (`@docs/rules.md`), too. */
  contextImports?: boolean;
  /** Absent: not known. */
  naming?: SkillNaming;
  /** Variables that log it in; any one will do. */
  keys: readonly string[];
  /** The variable that moves it to another endpoint, and what such an address ends with. */
  endpointVariable: string;
  endpointPath: string;
  /** The id of its host. */
  profile?: string;
  /** The user's own login, or why it cannot be used. */
  login?: LoginSource | RefusedLogin;
  /** Whether it can be kept from writing without a sandbox around it. */
  readOnlyProfile: boolean;
  /** Its events need not tell what the model says. */
  silent?: boolean;
  /** It may be silent for longer than others before its first event. */
  firstEventMs?: number;
  /** It can be kept from every tool, so that it only speaks: as a judge. */
  speaks?: boolean;
  /**
   * It unpacks itself into `cache` at its first start, which happens before any trial, when it is asked for its version: trials only read that
   * folder. Without a sandbox, one that is killed leaves files there that match `locks`, with the id of its process as their only number.
   */
  unpacks?: { locks: string };
  stopSignal: NodeJS.Signals;
  /** It ends on its own, with its cost reported, when one of `decisive` was loaded. */
  stopsItself?: boolean;
  /** It says at the end what the trial cost. */
  reportsCost?: boolean;
  launch(trial: TrialSetup): LaunchPlan;
  /** How a session is gone on with, for cases of several messages. Absent: it cannot be, or nobody has seen how. */
  conversation?: {
    /** The session, where an event of stdout names it. */
    session(event: Json): string | undefined;
    /** The next message of that session: `launch` in all else. */
    resume(trial: TrialSetup, session: string): LaunchPlan;
    /** The tokens it reports after a later message are the whole session's. */
    tellsTotals?: boolean;
  };
  reader(staged: StagedSkills): EventReader;
  /** Its own session files, relative to HOME, and what they tell that stdout does not. */
  session?: {
    files: string[];
    /** Its events are exacter than stdout's, which then only serve to see when the trial is decided. */
    replaces?: boolean;
    /** Where it writes down the requests it sends, in the order of their names. They are large: only what `listing` finds in the first of them is kept. */
    requests?: {
      files: string;
      listing(text: string): string | undefined;
      /** What went wrong with a request, for a CLI that tries again without a word. */
      failure?(text: string): string | undefined;
      /** Why the model's answer to a request ended, in the provider's word; undefined: it was no answer to the agent itself. */
      ending?(text: string): string | undefined;
    };
    /** For an event that refers to something not in the stream: the arguments with which the CLI shows it afterwards, as one more file. */
    command?(event: Json): string[] | undefined;
    read(files: SessionFile[], staged: StagedSkills): SessionFacts;
  };
  /** What the first request to the model says about the skills: for `proctor see`. */
  shown(request: unknown, staged: StagedSkills): ShownSkills;
  /** The part of that request that lists them, character for character. Prose that mentions such a block, or an empty one, is not a listing. */
  listingForm?: RegExp;
  /** How its tools reach for skills. */
  reach?(tool: string, input: Json): Reach;
  /** How its first request is sent without it, for `firstmove:`. Absent: it cannot be. */
  firstMove?: FirstMove;
}

/** What a host's folder says of its CLI; who it is and by which rules it lists is said by its host. */
export type HostAdapter = Omit<AgentAdapter, "id" | "title" | "profile" | "speaks">;

/** Where a first request goes, and the key it takes along. */
export type FirstMove = (
  | {
      to: "provider";
      /** As the configuration and the price table name it. */
      provider: string;
      home: string;
      /** Variables the agent takes a key from, the first that is set; the provider's own comes after them. */
      keys?: readonly string[];
      /** Where none of these is set: a token that is sent as a bearer's. */
      token?: string;
      /** A login that the provider takes from the agent alone. */
      notThis?: string;
    }
  /** Whatever it is pointed at, with the one key that is meant for that: a GitHub token, say, is not. */
  | { to: "endpoint"; key: string }
) & {
  /** The events of an answer's items, where the CLI keeps the very items that the provider sent. */
  eventsOf?(items: readonly unknown[], staged: StagedSkills): TrialEvent[];
};

export interface TrialSetup {
  model: string;
  prompt: string;
  /** Absolute: where it works, its HOME, its TMPDIR, and a folder that outlives the trial. */
  workspace: string;
  home: string;
  tmp: string;
  cache: string;
  endpoint?: string;
  /** The values of its keys, by variable. */
  keys: Record<string, string>;
  /** It is logged in as its user, and with no key. */
  login?: Login["kind"];
  maxTurns: number;
  /** `read`: it may look and load skills. `work`: it may also write in its workspace. `none`: it only speaks. */
  tools: "read" | "work" | "none";
  /** What it is told before the prompt, where it only speaks. */
  system?: string;
  /** A sandbox of ours is around it, so that its own can stay off. */
  sandboxed: boolean;
  realistic: boolean;
  /** Instructions of the project are in its workspace, and meant for it. */
  context: boolean;
  /** Names, as this host knows them, of skills that decide the trial by being loaded. */
  decisive: string[];
}

export interface LaunchPlan {
  args: string[];
  env: Record<string, string>;
  /** The prompt, where it is delivered on stdin. */
  stdin?: string;
  /** Written before the start; paths relative to HOME. */
  files?: { path: string; content: string }[];
  /** Folders outside the trial's own that it must be able to write to. */
  writable?: string[];
}

export interface EventReader {
  /** One event of stdout. */
  read(event: Json): TrialEvent[];
  /** It has failed so many times that its further retries are not awaited. */
  enough?(): boolean;
  /** By its own account, after the last event: how it ended and what it cost. Calls without a result are settled here. */
  end(exit: Exit): { events: TrialEvent[]; end: EndEvent; keptFrom?: KeptFrom[] };
}

export interface SessionFile {
  path: string;
  text: string;
  /** It is longer than what is read of it. */
  cut?: boolean;
}

export interface SessionFacts {
  /** Why its last request failed: the reason, where the CLI itself names none. */
  error?: TrialError;
  /** Why the last answer is none, where the CLI itself calls it one. */
  spoilt?: TrialError;
  /** The prompt as it went to the model, where a command of the CLI may have taken its place. */
  heard?: string;
  listing?: ListingEntry[];
  /** The whole trial as the session file has it: told instead of what stdout showed. */
  events?: TrialEvent[];
  /** What happened before the model's first turn: a prompt that the host replaced by a skill. */
  before?: TrialEvent[];
  /** What sub-agents did, where stdout does not tell; earlier ones first. */
  agents?: SubAgent[];
  usage?: Usage;
  /** Of sub-agents, where the CLI's own count leaves them out. */
  agentsUsage?: Usage;
  agentsCostUsd?: number;
}

export interface SubAgent {
  /** The id of the call that started it, or else the task it was given there. */
  call?: string | undefined;
  task?: string | undefined;
  events: TrialEvent[];
}

export interface ShownSkills {
  entries: { name: string; text: string | undefined }[];
  listing: ListingEntry[];
  /** Characters the host spends on all of it. */
  characters: number;
}

/** Why we ended a process. A killed CLI may well report success. */
export type StopReason =
  | "decided"
  | "max_turns"
  | "abort"
  | "first_event"
  | "timeout"
  | "flood"
  | "disk"
  | "processes"
  | "failing";

/** How the process of a CLI ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Set when we ended it. */
  stopped?: StopReason;
  /** It could not be started at all. */
  failed?: Error;
  /** The end of what it wrote to stderr. */
  stderr: string;
  ms: number;
  /** Where they could be measured. */
  resources?: Resources;
}
