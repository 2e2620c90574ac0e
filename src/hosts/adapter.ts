import type { EndEvent, ListingEntry, Resources, TrialError, TrialEvent, Usage } from "../model/index.ts";
import type { Login, LoginSource, RefusedLogin } from "./login.ts";
import type { Json } from "./reading/json.ts";
import type { SkillNaming } from "./reading/skill-names.ts";
import type { StagedSkills } from "./reading/staged-skills.ts";
import type { KeptFrom, Reach } from "./reading/tool-calls.ts";

/** Drives and reads one CLI. Pure: builds a command and reads events, but never starts a process or touches a file. */
export interface AgentAdapter {
  /** The word before the colon on the command line. */
  id: string;
  title: string;
  provider: string;
  /** Raise it when the command line or the reading changes: cached answers of other revisions are not used. */
  revision: number;
  /** Looked up on PATH, unless `PROCTOR_<ID>_PATH` is set. */
  command: string;
  install: string;
  /** The oldest and the newest version it was tested with. */
  tested: readonly [string, string];
  defaultModel: string;
  /** Relative to the workspace, with forward slashes. */
  skillsDir: string;
  /** Files at the root of a project that it reads as instructions. Omit if unknown. */
  contextFiles?: readonly string[];
  /** It follows imports in them (`@docs/rules.md`). */
  contextImports?: boolean;
  naming?: SkillNaming;
  /** Variables with a key; any one is enough. */
  keys: readonly string[];
  /** The variable that sets another endpoint, and the path that is appended to it. */
  endpointVariable: string;
  endpointPath: string;
  profile?: string;
  /** The user's own login, or why it cannot be used. */
  login?: LoginSource | RefusedLogin;
  /** Whether it can be kept from writing without a sandbox around it. */
  readOnlyProfile: boolean;
  /** Its events may omit what the model says. */
  silent?: boolean;
  /** How long to wait for its first event, if it needs longer than others. */
  firstEventMs?: number;
  /** It can run without any tool, and so serve as a judge. */
  speaks?: boolean;
  /**
   * It unpacks itself into `cache` at its first start, which happens before any trial, when it is asked for its version: trials only read that
   * folder. Without a sandbox, one that is killed leaves files there that match `locks`, with the id of its process as their only number.
   */
  unpacks?: { locks: string };
  stopSignal: NodeJS.Signals;
  /** It stops by itself, and reports its cost, once a skill of `decisive` is loaded. */
  stopsItself?: boolean;
  reportsCost?: boolean;
  launch(trial: TrialSetup): LaunchPlan;
  /** How to resume a session (multi-message cases). Omit if the CLI cannot. */
  conversation?: {
    /** The session's id, if this event of stdout has it. */
    session(event: Json): string | undefined;
    /** Like `launch`, but continues that session. */
    resume(trial: TrialSetup, session: string): LaunchPlan;
    /** After a later message it reports the tokens of the whole session. */
    tellsTotals?: boolean;
  };
  reader(staged: StagedSkills): EventReader;
  /** Its session files (relative to HOME), which have facts that stdout lacks. */
  session?: {
    files: string[];
    /** Its events replace stdout's, which then only show when the trial is decided. */
    replaces?: boolean;
    /** Where it writes down the requests it sends, in the order of their names. They are large: only what `listing` finds in the first of them is kept. */
    requests?: {
      files: string;
      listing(text: string): string | undefined;
      /** Why a request failed, for a CLI that retries silently. */
      failure?(text: string): string | undefined;
      /** The provider's finish reason; undefined if the request was not the main agent's. */
      ending?(text: string): string | undefined;
    };
    /** For an event that refers to something not in the stream: the arguments with which the CLI shows it afterwards, as one more file. */
    command?(event: Json): string[] | undefined;
    read(files: SessionFile[], staged: StagedSkills): SessionFacts;
  };
  /** The skills in the first request to the model, for `proctor see`. */
  shown(request: unknown, staged: StagedSkills): ShownSkills;
  /** The part of that request that lists them, character for character. Prose that mentions such a block, or an empty one, is not a listing. */
  listingForm?: RegExp;
  reach?(tool: string, input: Json): Reach;
  /** How to send its first request without it, for `firstmove:`. Omit if that is impossible. */
  firstMove?: FirstMove;
}

/** What a host's folder defines; the rest comes from its `Host`. */
export type HostAdapter = Omit<AgentAdapter, "id" | "title" | "profile" | "speaks">;

/** Where a first request is sent, and with which key. */
export type FirstMove = (
  | {
      to: "provider";
      provider: string;
      home: string;
      /** Variables with the agent's key, in order of precedence; the provider's own comes last. */
      keys?: readonly string[];
      /** If none of these is set: the variable of a bearer token. */
      token?: string;
      /** A login that the provider accepts only from the agent itself. */
      notThis?: string;
    }
  /** The endpoint it is pointed at. Only this key may be sent there, unlike a GitHub token. */
  | { to: "endpoint"; key: string }
) & {
  /** Reads an answer's items, if the CLI stores them as the provider sent them. */
  eventsOf?(items: readonly unknown[], staged: StagedSkills): TrialEvent[];
};

export interface TrialSetup {
  model: string;
  prompt: string;
  /** Absolute paths. `cache` outlives the trial. */
  workspace: string;
  home: string;
  tmp: string;
  cache: string;
  endpoint?: string;
  keys: Record<string, string>;
  /** Set if it uses the user's own login instead of a key. */
  login?: Login["kind"];
  maxTurns: number;
  /** `read`: it may look and load skills. `work`: it may also write in its workspace. `none`: it only speaks. */
  tools: "read" | "work" | "none";
  /** The system prompt, with `tools: "none"`. */
  system?: string;
  /** It runs in our sandbox, so its own can stay off. */
  sandboxed: boolean;
  realistic: boolean;
  /** The project's instructions are staged in the workspace, and it should read them. */
  context: boolean;
  /** Skills, by the host's names, whose loading decides the trial. */
  decisive: string[];
}

export interface LaunchPlan {
  args: string[];
  env: Record<string, string>;
  stdin?: string;
  /** Written before the start; paths relative to HOME. */
  files?: { path: string; content: string }[];
  /** Folders outside the trial's own that it must be able to write to. */
  writable?: string[];
}

export interface EventReader {
  read(event: Json): TrialEvent[];
  /** True once it has failed so often that further retries are not awaited. */
  enough?(): boolean;
  /** Called after the last event: how it ended and what it cost. Settles calls without a result. */
  end(exit: Exit): { events: TrialEvent[]; end: EndEvent; keptFrom?: KeptFrom[] };
}

export interface SessionFile {
  path: string;
  text: string;
  /** Only its beginning was read. */
  cut?: boolean;
}

export interface SessionFacts {
  /** Why its last request failed, for a CLI that does not say. */
  error?: TrialError;
  /** Why the last answer does not count, although the CLI reports success. */
  spoilt?: TrialError;
  /** The prompt the model got, which a command of the CLI may have replaced. */
  heard?: string;
  listing?: ListingEntry[];
  /** The whole trial according to the session file; replaces stdout's events. */
  events?: TrialEvent[];
  /** Events before the model's first turn, such as a prompt that the host replaced by a skill. */
  before?: TrialEvent[];
  /** What sub-agents did, if stdout does not show it; in the order they started. */
  agents?: SubAgent[];
  usage?: Usage;
  /** For sub-agents that the CLI's own total leaves out. */
  agentsUsage?: Usage;
  agentsCostUsd?: number;
}

export interface SubAgent {
  /** The id of the call that started it; its task, if the id is unknown. */
  call?: string | undefined;
  task?: string | undefined;
  events: TrialEvent[];
}

export interface ShownSkills {
  entries: { name: string; text: string | undefined }[];
  listing: ListingEntry[];
  /** Characters the whole listing takes. */
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

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  stopped?: StopReason;
  failed?: Error;
  stderr: string;
  ms: number;
  resources?: Resources;
}
