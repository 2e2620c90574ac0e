import { join } from "node:path";
import type { StagedSkills } from "../../hosts/reading/index.ts";
import type { Ask } from "../../model/index.ts";
import type { Asking } from "../target.ts";
import type { Cell } from "./cell.ts";
import { allowedEnvironment, picked } from "./process/environment.ts";
import { DEFAULT_LIMITS } from "./process/running-process.ts";
import { converse, type Turn } from "./trial/conversation.ts";
import { type RunningTrial, startTrial, type TrialRequest } from "./trial/trial.ts";
import type { Workspace } from "./workspace/workspace.ts";

/** A case is real work; the trigger's six turns would end it too early. */
const CASE_TURNS = 50;

export async function startAsk(
  cell: Cell,
  { workspace, ask, asking }: { workspace: Workspace; ask: Ask; asking: Asking },
): Promise<RunningTrial> {
  const { next } = asking;
  if (next === undefined || cell.adapter.conversation === undefined)
    return startMessage(cell, { workspace, ask, asking });
  const turn = async (prompt: string, resumes?: string, used = 0): Promise<Turn> => {
    let session = resumes;
    const limits = { ...ask.limits, maxTurns: Math.max(1, (ask.limits.maxTurns ?? CASE_TURNS) - used) };
    const message = resumes === undefined ? { ...ask, prompt } : { ...ask, prompt, limits, messages: [] };
    const trial = await startMessage(cell, {
      workspace,
      ask: message,
      asking,
      resumes: resumes === undefined ? undefined : { session: resumes, turns: used },
      onSession: (id) => {
        session = id;
      },
    });
    return { trial, session: () => session };
  };
  const resume = (session: string, prompt: string, used: number) => turn(prompt, session, used);
  return converse({ first: await turn(ask.prompt), next, resume, totals: cell.adapter.conversation.tellsTotals });
}

interface CellMessage extends Pick<TrialRequest, "resumes" | "onSession"> {
  workspace: Workspace;
  ask: Pick<Ask, "kind" | "prompt" | "messages" | "limits">;
  asking: Asking;
  /** The system prompt of a CLI that only speaks: no tools, one turn. */
  system?: string;
}

export function startMessage(
  cell: Cell,
  { workspace, ask, asking, system, ...session }: CellMessage,
): Promise<RunningTrial> {
  const { adapter, options } = cell;
  const prompt = withEarlier(ask);
  return startTrial({
    adapter,
    file: cell.file,
    setup: {
      model: cell.model,
      prompt,
      workspace: workspace.project,
      home: workspace.home,
      tmp: workspace.tmp,
      cache: join(cell.cache, adapter.id),
      endpoint: cell.endpoint,
      // A key would go before the login.
      keys: cell.login === undefined ? picked(cell.env, adapter.keys) : (cell.login.env ?? {}),
      login: cell.login?.kind,
      system,
      maxTurns:
        system !== undefined
          ? 1
          : (ask.limits.maxTurns ??
            (ask.kind === "case" ? Math.max(CASE_TURNS, options.max_turns) : options.max_turns)),
      tools: system !== undefined ? "none" : ask.kind === "case" ? "work" : "read",
      sandboxed: cell.sandbox !== undefined || options.sandbox === "off",
      realistic: options.realistic,
      context: cell.context !== undefined && system === undefined,
      decisive: decisive(workspace.staged, asking),
    },
    env: allowedEnvironment(cell.env),
    targetEnv: cell.targetEnv,
    workspace,
    sandbox: cell.sandbox?.hiding([], prompt),
    files: cell.login?.files ?? [],
    limits: {
      ...DEFAULT_LIMITS,
      firstEventMs: adapter.firstEventMs ?? DEFAULT_LIMITS.firstEventMs,
      totalMs: timeLimit(ask, asking),
    },
    signal: asking.signal,
    ...session,
    decided: (activations) => asking.decided(activations),
  });
}

/** Names of the skills whose load alone decides every question on the trial. */
function decisive(staged: StagedSkills, asking: Asking): string[] {
  const skills = staged.skills.filter((skill) => asking.decided([{ skill: skill.id, turn: 1, evidence: "loaded" }]));
  return [...new Set(skills.flatMap((skill) => staged.namesOf(skill)))];
}

/** A little less than the exam allows, so that we can report the reason. */
export function timeLimit(ask: Pick<Ask, "limits">, asking: Asking): number {
  const allowed =
    asking.timeoutMs ??
    (ask.limits.timeoutSeconds === undefined ? DEFAULT_LIMITS.totalMs : ask.limits.timeoutSeconds * 1000);
  return asking.timeoutMs === undefined ? allowed : Math.max(allowed * 0.8, allowed - 3_000);
}

/** The CLIs take a single prompt, so it has to contain the earlier messages. */
export function withEarlier(ask: Pick<Ask, "prompt" | "messages">): string {
  if (ask.messages.length === 0) return ask.prompt;
  const earlier = ask.messages.map(({ role, content }) => `${role === "user" ? "User" : "Assistant"}: ${content}`);
  return `Our conversation so far:\n\n${earlier.join("\n\n")}\n\nMy next message:\n\n${ask.prompt}`;
}
