import type { EndEvent, ListingEntry, Resources, TrialError, TrialEvent, Usage } from "../model/index.ts";
import type { Login, LoginSource, RefusedLogin } from "./login.ts";
import type { Json } from "./reading/json.ts";
import type { SkillNaming } from "./reading/skill-names.ts";
import type { StagedSkills } from "./reading/staged-skills.ts";
import type { KeptFrom, Reach } from "./reading/tool-calls.ts";

/** Drives and reads one CLI. Pure: builds a command and reads events, but never starts a process or touches a file. */
export interface AgentAdapter {
  /** The part of a target's name before the colon. */
  id: string;
  title: string;
  provider: string;
  /** Increase when the command line or the reader changes: answers cached under another revision are not used. */
  revision: number;
  /** Looked up on PATH, unless `PROCTOR_<ID>_PATH` is set. */
  command: string;
  install: string;
  tested: readonly [string, string];
  defaultModel: string;
  skillsDir: string;
  /** Instruction files at a project's root that it reads. Omit if unknown. */
  contextFiles?: readonly string[];
  contextImports?: boolean;
  naming?: SkillNaming;
  /** Environment variables that hold a key; any one is enough. */
  keys: readonly string[];
  /** The variable that sets another endpoint, and the path appended to that endpoint. */
  endpointVariable: string;
  endpointPath: string;
  profile?: string;
  login?: LoginSource | RefusedLogin;
  /** It can be kept from writing without a sandbox around it. */
  readOnlyProfile: boolean;
  silent?: boolean;
  firstEventMs?: number;
  speaks?: boolean;
  /**
   * It unpacks itself into `cache` when asked for its version, before any trial; trials only read that folder. Killed
   * without a sandbox, it leaves files there that match `locks`, whose only number is its process id.
   */
  unpacks?: { locks: string };
  stopSignal: NodeJS.Signals;
  stopsItself?: boolean;
  reportsCost?: boolean;
  launch(trial: TrialSetup): LaunchPlan;
  /** How to resume a session (multi-message cases). Omit if the CLI cannot. */
  conversation?: {
    session(event: Json): string | undefined;
    resume(trial: TrialSetup, session: string): LaunchPlan;
    /** After a later message it reports the tokens of the whole session. */
    tellsTotals?: boolean;
  };
  reader(staged: StagedSkills): EventReader;
  /** Session files, relative to HOME, with facts that stdout lacks. */
  session?: {
    files: string[];
    /** Session events replace those of stdout, which then only show when the trial is decided. */
    replaces?: boolean;
    /**
     * The requests it logs, in the order of their file names. They are large: only what `listing` finds in the first is
     * kept.
     */
    requests?: {
      files: string;
      listing(text: string): string | undefined;
      /** Why a request failed, for a CLI that retries silently. */
      failure?(text: string): string | undefined;
      /** The provider's finish reason; undefined if the request was not the main agent's. */
      ending?(text: string): string | undefined;
    };
    /**
     * If an event refers to something outside the stream: the arguments that make the CLI print it, read as one more
     * file.
     */
    command?(event: Json): string[] | undefined;
    read(files: SessionFile[], staged: StagedSkills): SessionFacts;
  };
  shown(request: unknown, staged: StagedSkills): ShownSkills;
  /** Matches the listing in that request, character for character, but neither an empty listing nor prose about one. */
  listingForm?: RegExp;
  reach?(tool: string, input: Json): Reach;
  /** How to send its first request without starting it, for `firstmove:`. Omit if impossible. */
  firstMove?: FirstMove;
}

/** What a host's folder defines; the rest comes from its `Host`. */
export type HostAdapter = Omit<AgentAdapter, "id" | "title" | "profile" | "speaks">;

export type FirstMove = (
  | {
      to: "provider";
      provider: string;
      home: string;
      keys?: readonly string[];
      /** Variable with a bearer token, used if none of `keys` is set. */
      token?: string;
      /** Variable with a login that the provider accepts only from the agent itself. */
      notThis?: string;
    }
  /** The endpoint the agent is pointed at. Only this key is sent there, never a GitHub token. */
  | { to: "endpoint"; key: string }
) & {
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
  login?: Login["kind"];
  maxTurns: number;
  /** `read`: it may look and load skills. `work`: it may also write in its workspace. `none`: no tools at all. */
  tools: "read" | "work" | "none";
  system?: string;
  /** It runs in our sandbox, so its own can stay off. */
  sandboxed: boolean;
  realistic: boolean;
  /** The project's instruction files are in the workspace and should be read. */
  context: boolean;
  /** Skills whose loading decides the trial, under the host's names for them. */
  decisive: string[];
}

export interface LaunchPlan {
  args: string[];
  env: Record<string, string>;
  stdin?: string;
  /** Paths are relative to HOME. */
  files?: { path: string; content: string }[];
  writable?: string[];
}

export interface EventReader {
  read(event: Json): TrialEvent[];
  /** True once it has failed so often that waiting for further retries is pointless. */
  enough?(): boolean;
  end(exit: Exit): { events: TrialEvent[]; end: EndEvent; keptFrom?: KeptFrom[] };
}

export interface SessionFile {
  path: string;
  text: string;
  cut?: boolean;
}

export interface SessionFacts {
  error?: TrialError;
  /** Why the last answer does not count although the CLI reports success. */
  spoilt?: TrialError;
  /** The prompt the model got; one of the CLI's commands may have replaced the original. */
  heard?: string;
  listing?: ListingEntry[];
  events?: TrialEvent[];
  before?: TrialEvent[];
  /** Sub-agents that stdout does not show, in the order they started. */
  agents?: SubAgent[];
  usage?: Usage;
  /** Spending of sub-agents that the CLI's own total leaves out. */
  agentsUsage?: Usage;
  agentsCostUsd?: number;
}

export interface SubAgent {
  /** Id of the call that started it. If that is unknown, `task` identifies the call. */
  call?: string | undefined;
  task?: string | undefined;
  events: TrialEvent[];
}

export interface ShownSkills {
  entries: { name: string; text: string | undefined }[];
  listing: ListingEntry[];
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
